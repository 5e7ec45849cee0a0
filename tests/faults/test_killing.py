"""The server is killed: at each point of the way of a push and of a checkpoint, or any time."""

from __future__ import annotations

import threading
import time

import pytest

from tests.faults import crashing
from tests.faults.asserting import assert_once, codes, held, receive
from tests.faults.site import Site
from tests.support.client import Client

BEFORE_COMMIT = (
    *("token spent", "body read", "chain checked", "judged before the lock", "transaction begun"),
    *("rows of events written", "events projected", "projections written", "before commit"),
)
AFTER_COMMIT = ("after commit", "answer made")
SIGNING = tuple(point for point in crashing.POINTS if point not in BEFORE_COMMIT + AFTER_COMMIT)


@pytest.fixture(scope="module")
def site(shared_site: Site) -> Site:
    return shared_site


@pytest.fixture
def client(site: Site) -> Client:
    made = site.client()
    assert made.sync() == ""
    receive(made, *codes(made, 3))
    return made


def restarted(site: Site, *points: str) -> None:
    site.server.kill()
    site.server.start(*(crashing.POINTS[point] for point in points))


def killed_during_a_sync(site: Site, client: Client) -> int:
    """Return how many of a device's events are in the log after the server died at its push."""
    assert client.sync() == "offline"
    site.server.wait_dead()
    assert len(client.waiting()) == 3
    site.server.start()
    return len(held(site, client))


@pytest.mark.parametrize("point", BEFORE_COMMIT)
def test_a_server_killed_before_the_commit_holds_nothing_of_the_push(
    site: Site, client: Client, point: str
) -> None:
    restarted(site, point)
    assert killed_during_a_sync(site, client) == 0
    assert client.sync() == ""
    assert_once(site, client)


@pytest.mark.parametrize("point", AFTER_COMMIT)
def test_a_server_killed_after_the_commit_holds_all_of_the_push(
    site: Site, client: Client, point: str
) -> None:
    restarted(site, point)
    assert killed_during_a_sync(site, client) == 3
    assert client.sync() == ""
    assert_once(site, client)


@pytest.mark.parametrize("point", SIGNING)
def test_a_server_killed_while_it_signs_goes_on_with_the_same_log(
    site: Site, client: Client, point: str
) -> None:
    assert client.sync() == ""
    receive(client, *codes(client, 2))
    restarted(site, point)
    client.sync()  # the signer, or this look at the log, comes to the point
    site.server.wait_dead()
    site.server.start()
    assert client.sync() == ""
    assert client.log_problem == ""
    assert_once(site, client)
    assert site.server.health()["log"]["state"] == "signing"


def test_a_server_killed_at_any_moment_loses_nothing_that_it_acknowledged(
    site: Site, client: Client
) -> None:
    link, stop = site.link(client), threading.Event()

    def work() -> None:
        while not stop.is_set():
            receive(client, *codes(client, 2))
            client.sync(watch=False)

    pushing = threading.Thread(target=work)
    pushing.start()
    for _ in range(4):
        time.sleep(0.25)
        restarted(site)
    stop.set()
    pushing.join()
    link.heal()
    assert client.sync() == ""
    assert_once(site, client)
    assert len(held(site, client)) > 8


def test_a_server_told_to_stop_answers_the_push_that_it_has_begun(
    site: Site, client: Client
) -> None:
    receive(client, *codes(client, 200))
    pushing = threading.Thread(target=client.sync, kwargs={"watch": False})
    pushing.start()
    site.server.stop()
    pushing.join()
    found = len(held(site, client))
    assert found in (0, 203), "it was neither answered nor left alone"
    site.server.start()
    assert client.sync() == ""
    assert_once(site, client)


def test_the_ledger_is_sound_after_all_that(site: Site) -> None:
    site.assert_sound()
