"""A cloned device: both histories are kept, and the run is quarantined (protocol.md, "Push")."""

from __future__ import annotations

import copy
from typing import Any

from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.core import Ledger
from tests.support import cast
from tests.support.device import Device


def clone(device: Device) -> Device:
    made = copy.copy(device)
    made.log = list(device.log)
    return made


def rows(ledger: Ledger, device: Device) -> list[tuple[Any, ...]]:
    """Return (branch, seq, position) of a device's events, by position."""
    event = tables.event.c
    query = select(event.branch, event.seq, event.position).where(event.device == device.id)
    with ledger.database.reading() as connection:
        return [tuple(row) for row in connection.execute(query.order_by(event.position))]


def test_the_other_branch_is_stored_under_branch_2(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    other = clone(device)
    device.record("receive", **cast.receive("D5-002"))
    device.record("receive", **cast.receive("D5-003"))
    other.record("receive", **cast.receive("D5-008"))
    other.record("receive", **cast.receive("D5-009"))
    assert device.push().status == 200
    answer = other.push()
    assert (answer.status, answer.json["type"], answer.json["seq"]) == (409, "fork", 2)
    assert [row[:2] for row in rows(ledger, device)] == [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]


def test_it_raises_fork_once_and_leaves_the_state_alone(device: Device, ledger: Ledger) -> None:
    other = clone(device)
    device.record("receive", **cast.receive("D5-001"))
    other.record("receive", **cast.receive("D5-008"))
    other.record("receive", **cast.receive("D5-009"))
    device.push()
    told = other.push().json["exceptions"]
    assert [one["kind"] for one in told if one["kind"] == "fork"] == ["fork"]
    device.pull()
    assert ("item", "D5-001") in device.records
    assert ("item", "D5-008") not in device.records


def test_later_pushes_of_the_run_are_stored_apart_and_answered_fork_again(
    device: Device, ledger: Ledger
) -> None:
    other = clone(device)
    device.record("receive", **cast.receive("D5-001"))
    other.record("receive", **cast.receive("D5-008"))
    device.push()
    other.push()
    other.record("receive", **cast.receive("D5-009"))
    answer = other.push()
    assert (answer.status, answer.json["seq"]) == (409, 1)
    device.record("receive", **cast.receive("D5-002"))
    answer = device.push(device.batch(2, 2))
    assert (answer.status, answer.json["type"]) == (409, "fork")
    assert len(rows(ledger, device)) == 4
    device.pull()
    assert ("item", "D5-002") not in device.records


def test_a_fork_sent_again_stores_nothing_twice(device: Device, ledger: Ledger) -> None:
    other = clone(device)
    device.record("receive", **cast.receive("D5-001"))
    other.record("receive", **cast.receive("D5-008"))
    device.push()
    body = other.batch()
    first, again = other.push(body), other.push(body)
    assert (first.status, again.status) == (409, 409)
    assert first.json["exceptions"] == again.json["exceptions"]
    assert len(rows(ledger, device)) == 2


def test_each_branch_is_told_of_what_its_own_events_raised(device: Device, ledger: Ledger) -> None:
    other = clone(device)
    device.record("store", items=["D5-404"], to="vault")
    other.record("receive", **cast.receive("D5-008"))
    assert "unknown-code" in {one["kind"] for one in device.push().json["exceptions"]}
    assert [one["kind"] for one in other.push().json["exceptions"]] == ["fork"]
    again = device.push(device.batch(1, 1)).json["exceptions"]
    assert "unknown-code" in {one["kind"] for one in again}
    assert "fork" not in {one["kind"] for one in again}


def test_three_clones_give_three_branches(device: Device, ledger: Ledger) -> None:
    clones = [clone(device) for _ in range(3)]
    for number, one in enumerate(clones):
        one.record("receive", **cast.receive(f"D5-00{number}"))
        one.record("receive", **cast.receive(f"D5-01{number}"))
        one.push()
    assert sorted(row[:2] for row in rows(ledger, device)) == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (3, 1),
        (3, 2),
    ]


def test_a_fork_in_a_fork_keeps_its_parent(device: Device, ledger: Ledger) -> None:
    other = clone(device)
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    other.record("receive", **cast.receive("D5-002"))
    third = clone(other)
    other.record("receive", **cast.receive("D5-003"))
    third.record("receive", **cast.receive("D5-004"))
    other.push(other.batch(1, 2))
    answer = third.push(third.batch(1, 2))
    assert (answer.status, answer.json["seq"]) == (409, 2)
    assert sorted(row[:2] for row in rows(ledger, device)) == [(1, 1), (2, 1), (2, 2), (3, 2)]


def test_a_new_run_goes_on(device: Device, ledger: Ledger) -> None:
    from custody.ledger import devices

    other = clone(device)
    device.record("receive", **cast.receive("D5-001"))
    other.record("receive", **cast.receive("D5-008"))
    device.push()
    other.push()
    fresh = Device(device.http)
    fresh.enrol(devices.new_code(ledger), device=device.id, run=2)
    fresh.run = 2
    fresh.record("receive", **cast.receive("D5-010"))
    assert fresh.push().status == 200
    fresh.pull()
    assert fresh.item("D5-010")["state"] == "received"


def test_an_unreadable_line_begins_no_fork_by_itself(device: Device, ledger: Ledger) -> None:
    other = clone(device)
    device.record("receive", **cast.receive("D5-001"))
    device.record("receive", **cast.receive("D5-002"))
    other.record("receive", **cast.receive("D5-008"))
    other.write(b"torn by a bad disk")
    device.push()
    answer = other.push(other.batch(2, 2))
    assert (answer.status, answer.json["type"], answer.json["expected"]) == (409, "gap", 1)
    assert [row[:2] for row in rows(ledger, device)] == [(1, 1), (1, 2)]
    assert other.push(other.batch(1, 2)).json["seq"] == 1
    assert [row[:2] for row in rows(ledger, device)] == [(1, 1), (1, 2), (2, 1), (2, 2)]
