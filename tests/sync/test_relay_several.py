"""Several processes of one site node: one relays, each may ask, and another takes over its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from custody.config import Config
from custody.ledger.core import open_ledger
from custody.ledger.database import Database
from custody.ledger.work import Work
from custody.sync.relay import standing
from custody.sync.relay.leading import Lead
from tests.support import postgres
from tests.support.floor import assert_one_state, issue, stock
from tests.support.nodes import POSTGRESQL, SQLITE, Casinos, NodeServer
from tests.support.server import Server
from tests.sync.test_relay_process import (
    code_of,
    config_of,
    enrolled,
    founded,
    upstream_of,
    wait_until,
)

SECONDS = 45  # within which another process relays, on a machine however busy


@pytest.fixture
def second(casinos: Casinos) -> Iterator[NodeServer]:
    """Another process of node `a`, over the same database and folder; it does no rounds."""
    ledger = open_ledger(casinos.config("a"))
    made = NodeServer(ledger, casinos.a.wan, None)
    yield made
    ledger.close()


@pytest.mark.parametrize("casinos", [SQLITE, POSTGRESQL], indirect=True)
def test_one_process_leads_until_it_ends(casinos: Casinos, second: NodeServer) -> None:
    leads = [Lead(one.ledger) for one in (casinos.a, second)]
    assert [lead.is_held() for lead in leads] == [True, False]
    assert [lead.is_held() for lead in leads] == [True, False]
    leads[0].give_up()
    assert leads[1].is_held()
    assert not leads[0].is_held()
    leads[1].give_up()


def test_a_lead_that_lost_its_session_is_another_s(
    casinos: Casinos, second: NodeServer, postgres_server: str
) -> None:
    urls = postgres.new_database(postgres_server)
    casinos.a.ledger.database = Database(urls)
    second.ledger.database = Database(urls)
    mine, other = Lead(casinos.a.ledger), Lead(second.ledger)
    assert mine.is_held()
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    with second.ledger.database.writing() as connection:
        connection.exec_driver_sql(f"{end} AND datname = current_database()")
    wait_until(other.is_held)  # a backend ends when it sees that it was told to
    with pytest.raises(Exception, match=r"terminat|closed"):
        mine.is_held()
    assert not mine.is_held()
    other.give_up()


def test_a_process_that_does_not_relay_fetches_what_a_roaming_handheld_pushed_elsewhere(
    casinos: Casinos, second: NodeServer
) -> None:
    device = casinos.b.device()
    stock(device)
    casinos.b.sync()
    second.move(device)
    device.pull()
    issue(device, "D5-001")
    assert device.push().json["acked"] == 3
    casinos.settle()
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


def test_a_page_that_another_process_was_quicker_to_take_over_is_asked_for_again(
    casinos: Casinos, second: NodeServer
) -> None:
    device = casinos.b.device()
    stock(device)
    casinos.b.sync()
    reach, node = casinos.a.wan.reach, second.node

    def slow(method: str, path: str, *rest: object) -> object:
        told = reach(method, path, *rest)  # type: ignore[arg-type]
        if path.startswith("/sync/v1/changes"):
            casinos.a.wan.reach = reach  # type: ignore[method-assign]
            issue(device, "D5-001")
            device.push()
            casinos.b.sync()
            casinos.a.sync()
        return told

    casinos.a.wan.reach = slow  # type: ignore[method-assign,assignment]
    assert not node.catch_up()
    assert casinos.a.record("item", "D5-001")["place"] == "pit1"
    assert_one_state(casinos)


def test_every_process_tells_how_the_one_that_relays_stands(
    casinos: Casinos, second: NodeServer
) -> None:
    casinos.a.sync()
    assert second.status["state"] == "cut-off"  # what a killed one told last may be untrue by now
    second.node.stand_by()
    assert second.status["state"] == "in-step"
    casinos.a.wan.is_cut = True
    casinos.a.try_to_sync()
    assert (second.status["state"], second.status["error"]) == ("cut-off", "the network is down")
    casinos.a.wan.is_cut = False
    casinos.a.sync()
    later = second.ledger.clock() + standing.SILENT_MS + 1
    second.ledger.clock = lambda: later
    assert (second.status["state"], second.status["error"]) == ("cut-off", standing.LAPSED)


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server("serve", founded(tmp_path_factory.mktemp("up"))).start()
    yield made
    made.stop()


@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_when_the_process_that_relays_is_killed_another_does_within_seconds(
    upstream: Server, tmp_path: Path, database_url: str
) -> None:
    ledger = Config(tmp_path / "data", database_url)
    options: tuple[str, ...] = ("--upstream", upstream.url, "--upstream-code", code_of(upstream))
    options += ("--database", database_url)
    first, other = (Server("serve", ledger.data, *options) for _ in range(2))
    try:
        first.start()
        wait_until(lambda: upstream_of(first)["state"] == "in-step")
        other.start()
        wait_until(lambda: upstream_of(other)["state"] == "in-step")
        first.kill()
        killed = time.monotonic()
        device = enrolled(other, ledger)
        wait_until(lambda: known(upstream, device.id))
        assert time.monotonic() - killed < SECONDS
    finally:
        first.stop()
        other.stop()


def known(server: Server, device: str) -> bool:
    ledger = open_ledger(config_of(server))
    with ledger.database.reading() as connection:
        found = Work(connection).get("device", device)
    ledger.close()
    return found is not None
