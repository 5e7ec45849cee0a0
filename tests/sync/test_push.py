"""Pushes that succeed: stored once, acknowledged always (protocol.md, "Push")."""

from __future__ import annotations

import hashlib
import json

from flask import Flask
from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.core import Ledger
from custody.ledger.log import leaf_hash
from tests.support import cast
from tests.support.device import Device


def stored(ledger: Ledger, device: Device) -> list[bytes]:
    """Return the bytes stored of a device's events, by seq."""
    query = (
        select(tables.event_body.c.body)
        .join(tables.event, tables.event.c.position == tables.event_body.c.position)
        .where(tables.event.c.device == device.id)
        .order_by(tables.event.c.branch, tables.event.c.seq)
    )
    with ledger.database.reading() as connection:
        return [bytes(body) for body in connection.scalars(query)]


def test_the_very_bytes_are_stored_and_acknowledged(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001", "D5-002"))
    device.write(device.log[0][:0] + json.dumps(device.event("note"), indent=None).encode())
    answer = device.push()
    assert (answer.status, answer.json["acked"]) == (200, 2)
    assert answer.json["size"] == ledger.size()
    assert stored(ledger, device) == device.log


def test_every_event_has_its_position_and_the_leaf_of_rfc_6962(
    device: Device, ledger: Ledger
) -> None:
    for _ in range(3):
        device.record("table", where="CR1", by=["pam"], **{"with": {"state": "open"}})
    device.push()
    with ledger.database.reading() as connection:
        events = connection.execute(select(tables.event).order_by(tables.event.c.position)).all()
    assert [row.position for row in events] == list(range(len(events)))
    for row in events:
        text = f"{row.position}\n{row.received}\n{row.id}\n".encode()
        assert row.leaf == hashlib.sha256(b"\x00" + text).hexdigest()
        assert row.leaf == leaf_hash(row.position, row.received, row.id)


def test_a_proper_step_raises_nothing(device: Device) -> None:
    device.record("receive", **cast.receive("D5-001..D5-010"))
    assert device.push().json["exceptions"] == []


def test_sent_again_it_is_acknowledged_again_and_stored_once(
    device: Device, ledger: Ledger
) -> None:
    device.record("receive", **cast.receive("D5-001"))
    body = device.batch()
    first, again = device.push(body).json, device.push(body).json
    assert first == again
    assert stored(ledger, device) == device.log


def test_a_lost_answer_brings_its_exceptions_again(device: Device) -> None:
    device.record("store", **cast.store("D5-001"))  # never received: breaks a rule
    body = device.batch()
    first = device.push(body).json["exceptions"]
    assert [one["kind"] for one in first] == ["unknown-code"]
    assert first[0]["seq"] == 1
    assert first[0]["items"] == ["D5-001"]
    assert first[0]["text"]
    assert device.push(body).json["exceptions"] == first


def test_the_exceptions_of_an_event_come_by_kind_clause_and_items(device: Device) -> None:
    moved = {"to": "pit1", "by": ["nobody"], "with": {"reason": "rotation"}}
    device.record("issue", items=["D5-009", "D5-008", "EV-77"], into="EV-78", **moved)
    device.record("notify", by=["nobody"], **{"with": {"whom": "surveillance"}})
    told = device.push().json["exceptions"]
    keys = [(one["seq"], one["kind"], one["clause"] or "", one["items"]) for one in told]
    assert len(keys) > 3
    assert keys == sorted(keys)


def test_a_batch_that_overlaps_is_stored_from_where_it_is_new(
    device: Device, ledger: Ledger
) -> None:
    for n in range(5):
        device.record("receive", **cast.receive(f"D5-00{n}"))
    assert device.push(device.batch(1, 3)).json["acked"] == 3
    assert device.push(device.batch(2, 5)).json["acked"] == 5
    assert stored(ledger, device) == device.log


def test_an_old_part_is_acknowledged_to_where_the_server_is(device: Device) -> None:
    for n in range(4):
        device.record("receive", **cast.receive(f"D5-00{n}"))
    device.push()
    assert device.push(device.batch(1, 2)).json["acked"] == 4


def test_a_push_may_be_compressed(device: Device, ledger: Ledger) -> None:
    for n in range(50):
        device.record("receive", **cast.receive(f"D5-{n:03}"))
    assert device.push(packed=True).json["acked"] == 50
    assert stored(ledger, device) == device.log


def test_answers_are_compressed_for_who_takes_it(device: Device) -> None:
    import gzip

    answer = device.call("GET", "/sync/v1/changes", None, Accept_Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.body))["changes"]
    plain = device.call("GET", "/sync/v1/changes", None, Accept_Encoding="identity")
    assert "Content-Encoding" not in plain.headers


def test_a_push_of_another_device_is_refused(device: Device, app: Flask, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    answer = device.push(device.batch(device="other"))
    assert (answer.status, answer.json["type"], answer.json["field"]) == (
        400,
        "bad-header",
        "device",
    )


def test_a_real_server_takes_a_shift_of_events(served: Device, ledger: Ledger) -> None:
    for n in range(120):
        served.record("receive", **cast.receive(f"D5-{n:03}"))
    assert served.push(packed=True).json["acked"] == 120
    assert stored(ledger, served) == served.log
