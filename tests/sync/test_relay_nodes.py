"""Site nodes: outages and restores of an upstream, and one state in the end (docs/site-node.md).

All in one process. What reads or writes most is tried on PostgreSQL, too, at the upstream alone and
everywhere.
"""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest

from custody.ledger.upstream import joining
from custody.sync.relay import loop, node, watching
from custody.sync.relay.http import Answer, Unreachable
from tests.support import cast
from tests.support.floor import assert_one_state, issue, stock, two_claims
from tests.support.nodes import Casinos, on_each
from tests.support.restoring import put_back, take_copy


def test_what_a_floor_signed_is_upstream_as_it_was_signed(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    held = casinos.upstream.events()
    assert [held[device.id, 1, 1, n] for n in (1, 2)] == [
        casinos.a.events()[device.id, 1, 1, n] for n in (1, 2)
    ]
    assert_one_state(casinos)


def test_the_desk_of_a_node_is_upstream_under_a_name_of_its_own(casinos: Casinos) -> None:
    casinos.a.device()
    casinos.b.device()
    casinos.settle()
    desks = {name for name, *_ in casinos.upstream.events() if name.startswith("desk")}
    assert len(desks) == 3
    assert "desk" in desks
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


@on_each
def test_an_outage_of_the_upstream_stops_nobody(casinos: Casinos) -> None:
    casinos.a.wan.is_cut = True
    device = casinos.a.device("Enrolled in the outage")
    stock(device)
    with pytest.raises(Unreachable):
        casinos.a.sync()
    told = casinos.a.status
    assert (told["state"], told["error"]) == ("cut-off", "the network is down")
    assert told["lag"] >= 3
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert (casinos.a.status["state"], casinos.a.status["lag"]) == ("in-step", 0)
    assert casinos.upstream.record("device", device.id)["name"] == "Enrolled in the outage"
    assert casinos.b.record("item", "D5-001")["place"] == "vault"
    assert_one_state(casinos)


def test_a_lost_answer_doubles_nothing(casinos: Casinos) -> None:
    stock(casinos.a.device())
    casinos.a.wan.loses_answers = True
    casinos.a.try_to_sync()
    casinos.a.wan.loses_answers = False
    casinos.settle()
    assert len(set(casinos.upstream.events().values())) == len(casinos.upstream.events())
    assert_one_state(casinos)


def test_a_node_that_starts_anew_asks_how_far_its_upstream_is(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.a.sync()
    device.record("receive", **cast.receive("D5-007"))
    device.push()
    size = len(casinos.upstream.events())
    node = casinos.restart("a")
    node.sync()
    assert len(casinos.upstream.events()) == size + 1


@on_each
def test_an_upstream_that_was_restored_gets_all_of_it_again(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upstream loses what came after its backup; the nodes hold it, and its log says so."""
    monkeypatch.setattr(watching, "WATCH_MS", 0)
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    copy = take_copy(casinos)
    issue(device, "D5-001")
    device.push()
    casinos.settle()
    casinos.upstream.ledger.log.log.sign()
    casinos.settle()
    put_back(casinos, copy)
    assert (device.id, 1, 1, 3) not in casinos.upstream.events()
    casinos.a.try_to_sync()
    casinos.b.try_to_sync()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001")["place"] == "pit1"
    assert "checkpoint" in casinos.a.status["log"]
    assert casinos.a.status["state"] == "in-step"
    assert len({server.digest() for server in casinos.servers}) == 1


def test_a_captive_portal_is_not_taken_for_the_upstream(casinos: Casinos) -> None:
    stock(casinos.a.device())
    portal = Answer(200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
    whole = casinos.a.wan.request
    casinos.a.wan.request = lambda *_: portal  # type: ignore[method-assign]
    casinos.a.try_to_sync()
    assert "no Custody server" in casinos.a.status["error"]
    casinos.a.wan.request = whole  # type: ignore[method-assign]
    casinos.settle()
    assert_one_state(casinos)


def test_a_node_that_missed_something_finds_it_by_the_digest(casinos: Casinos) -> None:
    """Its cursor stands beyond changes that it never took over."""
    device = casinos.a.device()
    casinos.b.sync()
    stock(device)
    casinos.a.sync()
    theirs = casinos.b.node._node._upstream.changes("")  # type: ignore[union-attr]
    with casinos.b.ledger.database.writing() as connection:
        joined = joining.read(connection)
        assert joined is not None
        joining.write(connection, joined._replace(cursor=theirs["cursor"]))
    assert casinos.b.record("item", "D5-001") is None
    for _ in range(3):
        casinos.b.sync()
    assert_one_state(casinos)


def test_both_ledgers_are_made_again_from_their_logs(casinos: Casinos) -> None:
    two_claims(casinos)
    assert all(server.is_rebuilt_the_same() for server in casinos.servers)


@pytest.mark.parametrize("failed", [0, 1, 5, 500])
def test_a_node_waits_longer_with_each_failure_and_never_in_step(failed: int) -> None:
    waits = [loop.pause(failed, 2.0) for _ in range(50)]
    most = min(node.LONGEST_S, 2.0 * 2 ** min(failed, 10))
    assert most / 2 <= min(waits) < max(waits) <= most
    assert len(set(waits)) > 40


def test_while_nothing_answers_it_asks_seldom(casinos: Casinos) -> None:
    """No busy loop: between the rounds of a node that is cut off lie its pauses, at the least."""
    rounds: list[float] = []
    enough = threading.Event()

    def fails() -> bool:
        rounds.append(time.monotonic())
        if len(rounds) > 5:
            enough.set()
        raise Unreachable("down")

    running = loop.Loop(fails, every=0.02).start()
    assert enough.wait(60)
    running.stop()
    waited = [later - before for before, later in pairwise(rounds)]
    for failed, between in enumerate(waited, 1):
        assert between >= 0.02 * 2**failed / 2
