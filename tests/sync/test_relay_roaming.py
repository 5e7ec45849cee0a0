"""Two nodes and what moves between them: handhelds, claims, runs and branches."""

from __future__ import annotations

import copy
from hashlib import sha256

import pytest

from custody.ledger import devices
from custody.ledger.reading import exceptions
from custody.sync.relay import node
from tests.support.device import Device
from tests.support.floor import STICKS, assert_one_state, issue, stock, two_claims
from tests.support.nodes import Casinos, on_each


def test_a_roaming_handheld_goes_on_at_another_node(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.b.move(device)
    device.pull()
    issue(device, "D5-001")
    answer = device.push()
    assert (answer.status, answer.json["acked"], answer.json["exceptions"]) == (200, 3, [])
    assert casinos.b.exceptions() == []
    assert casinos.b.record("item", "D5-002")["disputed"] is False
    casinos.settle()
    assert casinos.upstream.events()[device.id, 1, 1, 3] == device.head()
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


def test_it_comes_home_again(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    for server, code in ((casinos.b, "D5-001"), (casinos.a, "D5-002")):
        casinos.settle()
        server.move(device)
        device.pull()
        issue(device, code)
        assert device.push().json["exceptions"] == []
    casinos.settle()
    assert casinos.upstream.exceptions() == []
    assert [casinos.upstream.record("item", code)["place"] for code in STICKS] == [
        "pit1",
        "pit1",
        "vault",
    ]
    assert_one_state(casinos)


def test_its_events_of_an_outage_reach_upstream_through_either_node(casinos: Casinos) -> None:
    """Node a is cut off with event 3; the device carries events 3 and 4 to node b."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.a.wan.is_cut = True
    issue(device, "D5-001")
    assert device.push().json["acked"] == 3
    casinos.b.move(device)
    device.pull()
    issue(device, "D5-002")
    gap = device.push()
    assert (gap.status, gap.json["expected"]) == (409, 3)
    device.acked = 2
    assert device.push().json["acked"] == 4
    casinos.b.sync()
    casinos.a.wan.is_cut = False
    casinos.settle()
    runs = [key for key in casinos.upstream.events() if key[0] == device.id]
    assert sorted(runs) == [(device.id, 1, 1, n) for n in (1, 2, 3, 4)]
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


def test_a_concurrent_claim_across_nodes_is_shown_at_all_three(casinos: Casinos) -> None:
    two_claims(casinos)
    for server in casinos.servers:
        assert server.exceptions() == [("concurrent-claim", ["D5-001"])]
        item = server.record("item", "D5-001")
        assert (item["disputed"], len(item["last"])) == (True, 2)
    assert_one_state(casinos)


@on_each
def test_it_is_resolved_at_a_node_for_all_three(casinos: Casinos) -> None:
    first, _ = two_claims(casinos)
    first.pull()
    both = casinos.upstream.record("item", "D5-001")["last"]
    told = {"exception": "concurrent-claim", "outcome": "seen at the table", "stands": both[1]}
    first.record("resolve", items=["D5-001"], by=["pam"], saw={"D5-001": both[0]}, **{"with": told})
    assert first.push().status == 200
    casinos.settle()
    for server in casinos.servers:
        assert server.exceptions() == []
        item = server.record("item", "D5-001")
        assert (item["disputed"], item["last"]) == (False, [first.head()])
    assert_one_state(casinos)


def test_a_node_offers_both_sides_of_a_claim_of_which_it_holds_one(casinos: Casinos) -> None:
    first, second = two_claims(casinos)
    for server, mine, other in ((casinos.a, first, second), (casinos.b, second, first)):
        found = exceptions.one(server.ledger, exceptions.listed(server.ledger)[0]["id"])
        assert [entry["id"] for entry in found["entries"]] == [mine.head()]
        assert [side["id"] for side in found["elsewhere"]] == [other.head()]
        assert found["elsewhere"][0]["value"]["place"] == "pit1"
    found = exceptions.one(
        casinos.upstream.ledger, exceptions.listed(casinos.upstream.ledger)[0]["id"]
    )
    assert {entry["id"] for entry in found["entries"]} == {first.head(), second.head()}
    assert found["elsewhere"] == []


def test_a_history_that_is_another_upstream_cuts_its_node_off_from_nothing(
    casinos: Casinos,
) -> None:
    """Both handhelds wrote an event 3; the one upstream went on to 4, as the one here, to 5."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.a.wan.is_cut = True
    twin = clone_of(device)
    issue(device, "D5-001")
    assert device.push().json["acked"] == 3
    casinos.upstream.move(twin)
    for code in ("D5-001", "D5-002"):
        issue(twin, code)
    assert twin.push().json["acked"] == 4
    casinos.a.wan.is_cut = False
    casinos.restart("a")
    casinos.a.move(device)
    issue(device, "D5-002")
    device.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})
    device.acked = 4
    assert device.push().json["type"] == "gap"
    node_a = casinos.a.node._ready()
    assert node_a is not None
    assert node_a._error is None
    casinos.settle()
    device.acked = 3
    assert device.push().json["type"] == "fork"
    casinos.settle()
    assert {sha256(one).hexdigest() for one in (*device.log, *twin.log)} <= {
        *casinos.upstream.events().values()
    }
    assert_one_state(casinos)


def test_what_a_forked_run_has_upstream_is_fetched_once(casinos: Casinos) -> None:
    """The node was told of the fork: what it fetches stands in a branch of its own here."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.upstream.move(device)
    twin = clone_of(device)
    for one, code in ((device, "D5-001"), (twin, "D5-002")):
        issue(one, code)
        one.push()
    casinos.settle()
    casinos.a.move(device)
    device.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})
    casinos.a.wan.asked.clear()
    assert device.push().json["type"] == "fork"
    fetched = [path for _, path in casinos.a.wan.asked if "relay/chain" in path]
    assert [path.rpartition("after=")[2] for path in fetched] == ["2", "3"]
    casinos.settle()
    assert {sha256(one).hexdigest() for one in (*device.log, *twin.log)} <= {
        *casinos.upstream.events().values()
    }
    assert_one_state(casinos)


def clone_of(device: Device) -> Device:
    """Return a copy of a device as its storage was copied: the same key, the same chain so far."""
    made = copy.copy(device)
    made.log, made.records = list(device.log), dict(device.records)
    return made


def test_a_fork_at_a_node_is_a_fork_upstream_with_all_its_events(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    clone = clone_of(device)
    issue(device, "D5-001")
    issue(clone, "D5-002")
    assert device.push().status == 200
    assert clone.push().json["type"] == "fork"
    issue(clone, "D5-003")
    clone.acked = 3
    assert clone.push().json["type"] == "fork"
    casinos.settle()
    held = casinos.upstream.events()
    assert held[device.id, 1, 1, 3] == device.head()
    assert held[device.id, 1, 2, 4] == clone.head()
    assert [kind for kind, _ in casinos.upstream.exceptions()] == ["fork"]
    assert casinos.upstream.exceptions() == casinos.a.exceptions() == casinos.b.exceptions()
    assert_one_state(casinos)


@on_each
def test_a_clone_at_another_node_is_found_upstream(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    clone = clone_of(device)
    casinos.b.move(clone)
    clone.pull()
    issue(device, "D5-001")
    issue(clone, "D5-002")
    assert device.push().status == clone.push().status == 200
    for _ in range(3):
        casinos.settle()
    held = casinos.upstream.events()
    assert {held[device.id, 1, 1, 3], held[device.id, 1, 2, 3]} == {device.head(), clone.head()}
    for server in casinos.servers:
        assert [kind for kind, _ in server.exceptions()] == ["fork"]
    assert casinos.b.record("item", "D5-002")["place"] == "vault"
    assert_one_state(casinos)


def two_histories(casinos: Casinos) -> tuple[Device, Device]:
    """A device goes on at node a, and its clone, with the same key, at node b."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    clone = clone_of(device)
    casinos.b.move(clone)
    for each, code in ((device, "D5-001"), (clone, "D5-002")):
        issue(each, code)
        assert each.push().status == 200
    return device, clone


def test_a_fork_that_the_upstream_found_sets_the_run_apart_at_both_nodes(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    device, clone = two_histories(casinos)
    for _ in range(2):
        casinos.settle()
    for each in (device, clone):
        issue(each, "D5-003")
        answer = each.push()
        assert (answer.status, answer.json["type"]) == (409, "fork")
    for _ in range(3):
        casinos.settle()
    held = set(casinos.upstream.events().values())
    assert {device.head(), clone.head()} <= held
    assert casinos.upstream.record("item", "D5-003")["place"] == "vault"
    assert casinos.upstream.exceptions() == casinos.a.exceptions() == casinos.b.exceptions()
    assert {kind for kind, _ in casinos.upstream.exceptions()} == {"fork"}
    assert_one_state(casinos)


def test_what_a_clone_resolved_before_it_was_set_apart_is_open_again_at_its_node(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    _, second = two_claims(casinos)
    clone = clone_of(second)
    issue(second, "D5-002", saw={})
    casinos.a.move(second)
    assert second.push().status == 200
    casinos.a.sync()
    clone.pull()
    both = casinos.upstream.record("item", "D5-001")["last"]
    told = {"exception": "concurrent-claim", "outcome": "seen at the table", "stands": both[1]}
    saw = {"D5-001": both[0]}
    clone.record("resolve", items=["D5-001"], by=["pam"], saw=saw, **{"with": told})
    casinos.b.wan.is_cut = True
    assert clone.push().status == 200
    assert ("concurrent-claim", ["D5-001"]) not in casinos.b.exceptions()
    casinos.b.wan.is_cut = False
    for _ in range(3):
        casinos.settle()
    assert ("concurrent-claim", ["D5-001"]) in casinos.b.exceptions()
    assert casinos.upstream.exceptions() == casinos.a.exceptions() == casinos.b.exceptions()
    assert_one_state(casinos)


def test_a_clone_s_events_go_up_after_its_node_was_started_anew(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upstream has as many events of the run as node b, and others: how many says nothing."""
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    device, clone = two_histories(casinos)
    for n in range(3):
        issue(clone, "D5-003", note=f"again {n}")
        assert clone.push().status == 200
    casinos.a.sync()
    casinos.restart("b")
    for _ in range(3):
        casinos.settle()
    held = set(casinos.upstream.events().values())
    assert {device.head(), clone.head()} <= held
    assert casinos.b.status["state"] == "in-step"
    assert_one_state(casinos)


def test_a_new_run_that_began_at_a_node_is_known_everywhere(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    fresh = Device(device.http)
    casinos.b.move(fresh)
    code = devices.new_code(casinos.b.ledger)
    assert fresh.enrol(code, device=device.id, run=2).status == 201
    fresh.run = 2
    fresh.pull()
    issue(fresh, "D5-001")
    assert fresh.push().json["acked"] == 1
    casinos.settle()
    for server in casinos.servers:
        assert server.record("device", device.id)["run"] == 2
    casinos.a.move(fresh)
    fresh.pull()
    issue(fresh, "D5-002")
    assert fresh.push().json["acked"] == 2
    casinos.settle()
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)
