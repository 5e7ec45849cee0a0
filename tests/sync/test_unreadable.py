"""A line that cannot be read takes its place in the chain and blocks nothing (protocol.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.core import Ledger
from custody.ledger.rows import raw
from custody.rules import branches
from tests.support import cast
from tests.support.device import Device, line_of


def _with(**fields: object) -> object:
    return lambda device: line_of({**device.event("note"), **fields})


def _text(old: str, new: str) -> object:
    return lambda device: line_of(device.event("note")).replace(old.encode(), new.encode())


def _plain(raw: bytes) -> object:
    return lambda device: raw


LINES = {
    "a fraction": _text('"offset":-300', '"offset":-300.0'),
    "an exponent": _text('"offset":-300', '"offset":-3e2'),
    "not a number": _text('"offset":-300', '"offset":NaN'),
    "a number of 2^53": _text('"offset":-300', f'"offset":{2**53}'),
    "a number of ten thousand digits": _text('"offset":-300', '"offset":' + "9" * 10_000),
    "a key twice": _text('"note":""', '"note":"","note":"x"'),
    "a key twice, deep inside": _text('"with":{}', '"with":{"a":{"b":1,"b":1}}'),
    "over 60,000 bytes": _with(note="x" * 60_000),
    "no JSON": _plain(b"{not json"),
    "no UTF-8": _plain(b'{"v":1,"note":"\xff"}'),
    "an empty line": _plain(b""),
    "half a surrogate pair": _text('"note":""', '"note":"\\ud800"'),
    "a NUL character": _text('"note":""', '"note":"\\u0000"'),
    "nested ten thousand deep": _plain(b"[" * 10_000 + b"]" * 10_000),
    "nested 33 deep": _text('"with":{}', f'"with":{{"a":{"[" * 31 + "]" * 31}}}'),
    "a NUL character 600 deep": _text(
        '"with":{}', f'"with":{{"a":{"[" * 600}"\\u0000"{"]" * 600}}}'
    ),
    "a list": _plain(b"[1,2]"),
    "another version": _with(v=2),
    "items that are no list": _with(items="D5-001"),
    "an item with a blank": _with(items=["D5 001"]),
    "a run of codes that goes backwards": _with(items=["D5-009..D5-001"]),
    "a run of more than 100,000 codes": _with(items=["D5-000000..D5-100000"]),
    "by that names nobody": _with(by=["fay"]),
    "saw that is no hash": _with(saw={"D5-001": "x"}),
    "a step that is no text": _with(step=5),
    "at that is true": _with(at=True),
}


@pytest.mark.parametrize("make", LINES.values(), ids=LINES.keys())
def test_it_is_stored_raised_and_followed(device: Device, ledger: Ledger, make: object) -> None:
    device.record("receive", **cast.receive("D5-001"))
    bad = device.write(make(device))  # type: ignore[operator]
    device.record("receive", **cast.receive("D5-002"))
    answer = device.push()
    assert (answer.status, answer.json["acked"]) == (200, 3), answer.body
    assert [(one["kind"], one["seq"]) for one in answer.json["exceptions"]] == [("unreadable", 2)]
    assert answer.json["exceptions"][0]["text"]
    assert _body_of(ledger, bad) == device.log[1]
    device.pull()
    assert device.item("D5-002")["state"] == "received"


def _body_of(ledger: Ledger, id_: str) -> bytes:
    event, body = tables.event.c, tables.event_body
    query = select(body.c.body).join(tables.event, event.position == body.c.position)
    with ledger.database.reading() as connection:
        found = connection.scalar(query.where(event.id == id_))
    assert found is not None
    return bytes(found)


def test_the_same_unreadable_bytes_are_kept_each_time(device: Device) -> None:
    for _ in range(3):
        device.write(b"garbage")
    assert device.push().json["acked"] == 3
    device.write(b"garbage")
    answer = device.push()
    assert [one["kind"] for one in answer.json["exceptions"]] == ["unreadable"]


def test_a_run_may_begin_with_an_unreadable_line(device: Device) -> None:
    device.write(b"garbage")
    device.record("receive", **cast.receive("D5-001"))
    assert device.push().json["acked"] == 2


def test_an_event_that_the_rules_make_nothing_of_blocks_nothing(device: Device) -> None:
    device.record("receive", **{**cast.receive("D5-001"), "with": {"fact": 5, "seals": {"a": []}}})
    device.record("pack", items=["D5-001"], into="EV-1", **{"with": {"purpose": ["used"]}})
    device.record("levitate", items=["D5-001"], by=["fay"])
    device.record("receive", **cast.receive("D5-002"))
    answer = device.push()
    assert answer.json["acked"] == 4
    device.pull()
    assert device.item("D5-002")["state"] == "received"
    kinds = {one["seq"]: one["kind"] for one in answer.json["exceptions"]}
    assert set(kinds) == {1, 2, 3} or set(kinds) == {2, 3}, json.dumps(answer.json)


def test_brackets_in_a_text_are_not_nesting(device: Device) -> None:
    note = '[{"' * 100 + "\\" + "}]" * 3
    device.record("receive", **{**cast.receive("D5-001"), "note": note})
    nested: object = 1
    for _ in range(30):
        nested = [nested]
    device.record("receive", **{**cast.receive("D5-002"), "with": {"other": nested}})
    kinds = {one["kind"] for one in device.push().json["exceptions"]}
    assert "unreadable" not in kinds


FAR = 2**53 - 1


@pytest.mark.parametrize("second", [{"at": -FAR, "mono": FAR}, {"at": -5, "mono": 1}])
def test_a_clock_however_far_off_blocks_nothing(device: Device, second: dict[str, int]) -> None:
    device.record("receive", **{**cast.receive("D5-001"), "at": FAR, "server": None, "mono": 0})
    device.record("receive", **{**cast.receive("D5-002"), **second, "server": None})
    answer = device.push()
    assert (answer.status, answer.json["acked"]) == (200, 2), answer.body
    assert "clock" in {one["kind"] for one in answer.json["exceptions"]}


def test_numbers_that_multiply_beyond_any_memory_block_nothing(device: Device) -> None:
    huge = {"pieces": FAR, "decks": "ab", "quantity": FAR, "found": {"D5-001": FAR, "D5-002": FAR}}
    for step in ("receive", "remove", "pack", "count", "destroy", "cancel", "redeem"):
        fields = {**cast.receive("D5-001"), "attributes": {"size": FAR, "dice_left": FAR}}
        device.record(step, **{**fields, "with": huge})
    device.record("receive", **cast.receive("D5-002"))
    assert device.push().json["acked"] == 8
    device.pull()
    assert device.item("D5-002")["state"] == "received"


def test_what_the_server_says_of_an_event_without_sense_is_not_what_stands_in_it(
    device: Device, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object) -> None:
        raise ValueError("the wallet of Mrs. Lane")

    monkeypatch.setattr("custody.rules.branches.take", fail)
    device.record("receive", **cast.receive("D5-001"))
    answer = device.push()
    assert [one["kind"] for one in answer.json["exceptions"]] == ["unreadable"]
    assert "makes no sense" in caplog.text
    assert "Lane" not in caplog.text


def out_of_memory(*_given: object) -> None:
    raise MemoryError


def test_what_asks_for_more_memory_than_there_is_anywhere_is_unreadable(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custody.rules.branches.take", out_of_memory)
    device.record("receive", **cast.receive("D5-001"))
    assert [one["kind"] for one in device.push().json["exceptions"]] == ["unreadable"]


def test_a_server_short_of_memory_stores_nothing_and_is_asked_again(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    device.record("receive", **cast.receive("D5-001"))
    with monkeypatch.context() as short:
        short.setattr("custody.rules.branches.take", out_of_memory)
        short.setattr("custody.ledger.judging._has_memory", lambda: False)
        answer = device.push()
    assert (answer.status, answer.json["type"]) == (503, "not-stored")
    answer = device.push()
    assert (answer.json["acked"], answer.json["exceptions"]) == (1, [])


SECRET = "Fay Moss, born 1980"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"note": [SECRET]}, "note must be a text or null"),
        ({"at": SECRET}, "at must be a whole number"),
        ({"items": {SECRET: 1}}, "items must be a list of codes"),
        ({"by": SECRET}, 'by must be a list of {"person":...}'),
        ({"v": SECRET}, "v must be 1"),
        ({"with": SECRET}, "with must be an object"),
    ],
)
def test_a_push_is_told_which_field_is_wrong_and_what_is_right_and_never_what_stands_there(
    device: Device, change: dict[str, object], told: str
) -> None:
    device.write(line_of({**device.event("notify", by=["fay"]), **change}))
    (raised,) = device.push().json["exceptions"]
    assert raised["kind"] == "unreadable"
    assert told in raised["text"]
    assert "Moss" not in raised["text"]


def test_a_field_that_is_missing_is_said_to_be(device: Device) -> None:
    event = device.event("notify", by=["fay"])
    del event["step"]
    device.write(line_of(event))
    (raised,) = device.push().json["exceptions"]
    assert raised["text"] == "Entry cannot be read: step must be a text, and is missing"


def test_a_field_that_the_rules_cannot_read_is_named_too(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(book: object, store: object, event: Any, id_: str) -> Any:
        if isinstance(event["with"].get("whom"), list):
            raise TypeError(f"no {event['with']['whom']}")
        return real(book, store, event, id_)

    real = branches.take
    monkeypatch.setattr(branches, "take", take)
    told = {"about": "a set", "whom": [SECRET]}
    device.record("notify", by=["fay"], **{"with": told})
    (raised,) = device.push().json["exceptions"]
    assert raised["text"].endswith("with.whom must be as the step's form has it, not a list")


def test_a_nul_is_kept_to_the_byte_on_both_databases_and_goes_into_no_text(
    device: Device, ledger: Ledger
) -> None:
    """PostgreSQL keeps no text with U+0000, SQLite does: the event is unreadable on either."""
    wherever = ('"note":"\\u0000"', '"with":{"a\\u0000":1}', '"items":["D5\\u0000"]')
    plain = ('"note":""', '"with":{}', '"items":[]')
    for old, new in zip(plain, wherever, strict=True):
        device.write(line_of(device.event("note", items=[])).replace(old.encode(), new.encode()))
    answer = device.push()
    assert [one["kind"] for one in answer.json["exceptions"]] == ["unreadable"] * 3
    assert all("U+0000" in one["text"] for one in answer.json["exceptions"])
    with ledger.database.reading() as connection:
        bodies = connection.scalars(select(tables.event_body.c.body)).all()
    assert set(device.log) <= {raw(body) for body in bodies}
