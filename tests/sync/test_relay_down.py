"""What comes down from the upstream: people, devices, items, pictures, its word on exceptions."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from custody.ledger import blobs, devices, masterdata, people, tables
from custody.ledger.core import Ledger
from custody.ledger.errors import SettingError
from custody.ledger.reading import today
from custody.sync.relay import node
from tests.support import cast
from tests.support.device import Device
from tests.support.floor import ADA, assert_one_state, issue, stock
from tests.support.nodes import Casinos, on_each
from tests.support.pictures import name_of, picture


def test_what_a_node_doubts_and_its_upstream_does_not_is_withdrawn(casinos: Casinos) -> None:
    """Node b has not heard of a stick yet that its handheld moves; the upstream has."""
    first, second = casinos.a.device(), casinos.b.device()
    first.record("receive", **cast.receive("D5-001"))
    first.push()
    casinos.a.sync()
    saw = {"D5-001": first.head()}
    second.record("store", **cast.store("D5-001"), saw=saw)
    second.push()
    assert casinos.b.exceptions() != []
    casinos.settle()
    assert casinos.upstream.exceptions() == casinos.b.exceptions() == []
    assert casinos.b.record("item", "D5-001")["place"] == "vault"
    assert_one_state(casinos)


def test_what_was_destroyed_elsewhere_is_known_as_destroyed(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    fact = {"why": "late", "at": device.clock()}
    told = {"method": "shredded", "fact": fact}
    fields = {"items": ["D5-001"], "where": "shred", "by": ["sam", "sue"], "with": told}
    device.record("destroy", saw=device.saw("D5-001"), **fields)
    device.push()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001")["state"] == "destroyed"
    assert casinos.b.record("item", "D5-001")["state"] == "destroyed"
    assert_one_state(casinos)


def test_people_and_revocations_flow_down(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    people.save_person(casinos.upstream.ledger, "new", {"job": "floorperson"}, ADA)
    people.set_active(casinos.upstream.ledger, "gus", False, ADA)
    devices.revoke(casinos.upstream.ledger, device.id, ADA)
    casinos.settle()
    for server in casinos.servers:
        assert server.record("person", "new")["department"] == "table_games"
        assert server.record("person", "gus")["active"] is False
    refused = device.call("GET", "/sync/v1/changes")
    assert (refused.status, refused.json["wipe"]) == (403, True)
    assert_one_state(casinos)


def test_people_are_changed_upstream_alone(casinos: Casinos) -> None:
    with pytest.raises(SettingError, match="http://upstream"):
        people.save_person(casinos.a.ledger, "new", {"job": "floorperson"}, ADA)
    with pytest.raises(SettingError, match="http://upstream"):
        masterdata.administer(casinos.a.ledger, "place", "vault", ADA, lambda work: [])


def test_a_device_that_is_revoked_at_a_node_is_revoked_everywhere(casinos: Casinos) -> None:
    """A handheld is stolen during an outage."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.a.wan.is_cut = True
    devices.revoke(casinos.a.ledger, device.id, ADA)
    issue(device, "D5-001")
    device.push()
    casinos.a.wan.is_cut = False
    casinos.settle()
    for server in casinos.servers:
        assert server.record("device", device.id)["state"] == "revoked"
        assert server.record("item", "D5-001")["place"] == "vault"
    kinds = [kind for kind, _ in casinos.upstream.exceptions()]
    assert kinds == ["revoked-device"]
    assert_one_state(casinos)


def test_a_lease_is_judged_upstream_by_contacts_with_the_node(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    late = device.clock() + 9 * 86_400_000
    device.clock = lambda: late
    for server in casinos.servers:
        server.ledger.clock = lambda: late
    recorded = late - 3_600_000  # eight days and more after the device was last in touch
    device.record("receive", **{**cast.receive("D5-001"), "at": recorded, "server": recorded})
    assert device.push().status == 200
    casinos.settle()
    for server in (casinos.upstream, casinos.a):
        assert [kind for kind, _ in server.exceptions()] == ["lease-expired", "lease-expired"]


def test_a_node_that_was_revoked_is_told_nothing_more(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    site = casinos.a.node._node._upstream._device  # type: ignore[union-attr]
    devices.revoke(casinos.upstream.ledger, site, ADA)
    stock(device)
    casinos.a.try_to_sync()
    assert "revoked" in casinos.a.status["error"]
    assert casinos.upstream.events()[device.id, 1, 1, 2] == casinos.a.events()[device.id, 1, 1, 2]


def test_a_handheld_that_only_reads_is_not_silent_upstream(casinos: Casinos) -> None:
    device = casinos.a.device()
    later = device.clock() + 86_400_000
    device.clock = lambda: later
    for server in casinos.servers:
        server.ledger.clock = lambda: later
    device.pull()
    casinos.settle()
    seen = {one["id"]: one for one in today.devices(casinos.upstream.ledger)}
    assert seen[device.id]["silent"] is False
    assert device.id in seen
    assert not any(id_.startswith("desk") for id_ in seen)


def test_a_picture_follows_its_event_upstream(casinos: Casinos) -> None:
    device = casinos.a.device()
    content = picture()
    casinos.a.wan.is_cut = True
    assert device.call("PUT", f"/sync/v1/blobs/{name_of(content)}", content).status == 201
    casinos.a.try_to_sync()
    assert blobs.one(casinos.upstream.ledger, name_of(content)).state == blobs.AWAITED
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert blobs.original(casinos.upstream.ledger, name_of(content)) == content
    sent = [path for method, path in casinos.a.wan.asked if method == "PUT"]
    assert sent == [f"/sync/v1/blobs/{name_of(content)}"]


def test_a_node_shows_a_picture_that_came_elsewhere(casinos: Casinos) -> None:
    device = casinos.a.device()
    content = picture()
    device.call("PUT", f"/sync/v1/blobs/{name_of(content)}", content)
    casinos.settle()
    assert casinos.b.node.fetch_picture(name_of(content))
    assert blobs.original(casinos.b.ledger, name_of(content)) == content
    casinos.b.wan.is_cut = True
    assert not casinos.b.node.fetch_picture("0" * 64)


def void(device: Device, *serials: str) -> None:
    fact = {"why": "late", "at": device.clock()}
    told = {"serials": list(serials), "reason": "torn", "fact": fact}
    device.record("mark_void", items=["CL-01"], by=["ash", "fay"], **{"with": told})
    assert device.push().status == 200


@on_each
def test_two_nodes_cut_one_lot_of_serials_each_in_its_way(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    first, second = casinos.a.device(), casinos.b.device()
    attributes = {"type": "match_play", "denomination": 1000, "expires": "2027-09-30"}
    attributes |= {"first": "MP-000001", "last": "MP-000500"}
    told = {"items": ["CL-01"], "kind": "coupons", "form": "lot", "attributes": attributes}
    first.record("receive", **{**cast.receive("CL-01"), **told})
    assert first.push().status == 200
    casinos.settle()
    for device in (first, second):
        device.pull()
    void(first, "MP-000010..MP-000019")
    void(second, "MP-000100")
    for _ in range(2):
        casinos.settle()
    ranges = [key for key in casinos.b.scope() if key[1].startswith("MP-")]
    assert len(ranges) == 5
    kinds = {kind for kind, _ in casinos.upstream.exceptions()}
    assert "concurrent-claim" not in kinds
    assert_one_state(casinos)


def test_an_envelope_packed_at_one_node_is_opened_at_another(casinos: Casinos) -> None:
    first, second = casinos.a.device(), casinos.b.device()
    stock(first)
    fact = {"why": "late", "at": first.clock()}
    told = {"purpose": "used", "seal": "S-1", "label": True, "fact": fact}
    fields = {"items": ["D5-001", "D5-002"], "into": "EV-1", "by": ["fay", "sam"], "with": told}
    first.record("pack", saw=first.saw("D5-001", "D5-002"), **fields)
    assert first.push().status == 200
    casinos.settle()
    second.pull()
    opened = {"seal": "S-1", "seal_state": "intact", "condition": "closed", "fact": fact}
    saw = second.saw("EV-1", "D5-001", "D5-002")
    second.record("open", items=["EV-1"], by=["sam", "sue"], saw=saw, **{"with": opened})
    assert second.push().status == 200
    casinos.settle()
    assert "concurrent-claim" not in {kind for kind, _ in casinos.upstream.exceptions()}
    assert casinos.a.record("item", "D5-001")["last"] == [second.head()]
    assert_one_state(casinos)


def test_a_correction_of_another_node_s_event_holds_everywhere(casinos: Casinos) -> None:
    first, second = casinos.a.device(), casinos.b.device()
    stock(first)
    issue(first, "D5-001")
    first.push()
    casinos.settle()
    second.pull()
    told = {"event": first.head(), "reason": "another stick"}
    saw = second.saw("D5-001")
    second.record("correct", items=["D5-001"], by=["ash"], saw=saw, **{"with": told})
    assert second.push().status == 200
    casinos.settle()
    assert [server.record("item", "D5-001")["place"] for server in casinos.servers] == ["vault"] * 3
    assert_one_state(casinos)


@on_each
def test_stock_at_a_node_follows_what_the_others_did(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    held = [on_hand(server.ledger) for server in casinos.servers]
    assert held == [{"sticks": 3, "dice": 15}] * 3
    issue(device, "D5-001")
    device.push()
    casinos.settle()
    held = [on_hand(server.ledger) for server in casinos.servers]
    assert held == [{"sticks": 2, "dice": 10}] * 3


def on_hand(ledger: Ledger) -> dict[str, int]:
    """Return the dice in the vault, as the stock ledger sums them."""
    table = tables.posting.c
    query = select(table.value).where(table.place == "vault", table.term == "stored")
    with ledger.database.reading() as connection:
        lines = [json.loads(value) for value in connection.scalars(query)]
    return {unit: sum(line.get(unit, 0) for line in lines) for unit in ("sticks", "dice")}
