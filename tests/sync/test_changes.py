"""The changes feed: snapshots in order, exact bytes, one digest (protocol.md, "Changes")."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from custody.config import Config
from custody.ledger import devices, feed, people, places
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.rebuilding import rebuild
from tests.support import cast
from tests.support.device import Device, FlaskHttp

ADA = [{"person": "ada", "how": "password"}]


def get(device: Device, query: str = "") -> object:
    answer = device.call("GET", f"/sync/v1/changes{query}")
    assert answer.status == 200, answer.body
    return answer.json


def test_a_first_sync_carries_everything_a_handheld_needs(device: Device) -> None:
    device.pull()
    kinds = {of for of, _ in device.records}
    assert kinds == {"person", "place", "setting", "rulebook", "device"}
    site = device.records[("setting", "site")][0]
    assert site["id"] == "oak"
    assert len(site["zone"]) > 30
    assert device.records[("setting", "controls")][0]["dice_inspection"] == "alternative_1"
    assert device.records[("person", "fay")][0]["job"] == "floorperson"
    assert ("rulebook", site["rulebook"]) in device.records


def test_an_item_carries_its_tips_and_its_last_twenty_events(device: Device) -> None:
    device.record("receive", **cast.receive("D5-001"))
    for _ in range(25):
        device.push()
        device.pull()
        device.record("store", **cast.store("D5-001"), saw=device.saw("D5-001"))
    device.push()
    device.pull()
    item = device.item("D5-001")
    assert item["last"] == [device.head()]
    assert len(item["history"]) == 20
    last = item["history"][-1]
    assert sorted(last) == ["at", "by", "id", "place", "step"]
    assert (last["id"], last["step"], last["place"]) == (device.head(), "store", "vault")
    assert last["by"] == ["fay", "sam"]


def test_an_etag_is_of_the_values_very_bytes(device: Device) -> None:
    device.record("receive", **cast.receive("D5-001"), note="naïve 骰子")
    device.push()
    text = device.call("GET", "/sync/v1/changes").body.decode()
    found = re.findall(r'"value":(\{.*?\}),"etag":"([0-9a-f]{64})"\}', text)
    assert len(found) == len(json.loads(text)["changes"])
    for value, etag in found:
        assert hashlib.sha256(value.encode()).hexdigest() == etag
        kept = json.loads(value)
        assert value == json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def test_the_digest_is_of_the_whole_scope_on_the_last_page(device: Device) -> None:
    first = get(device, "?limit=3")
    assert first["more"]  # type: ignore[index]
    assert "digest" not in first  # type: ignore[operator]
    digest = device.pull(limit=3)
    lines = sorted(f"{of} {id_} {etag}\n" for (of, id_), (_, etag) in device.records.items())
    assert digest == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_only_what_changed_comes_after_a_cursor(device: Device, ledger: Ledger) -> None:
    device.pull()
    assert get(device, f"?after={device.cursor}")["changes"] == []  # type: ignore[index]
    device.record("receive", **cast.receive("D5-001", "D5-002"))
    device.push()
    people.set_active(ledger, "gus", False, ADA)
    page = get(device, f"?after={device.cursor}")
    assert [(one["of"], one["id"]) for one in page["changes"]] == [  # type: ignore[index]
        ("item", "D5-001"),
        ("item", "D5-002"),
        ("person", "gus"),
    ]


def test_a_cursor_is_plain_and_reading_moves_nothing(device: Device, ledger: Ledger) -> None:
    size = ledger.size()
    pages = [get(device), get(device)]
    assert pages[0] == pages[1]
    assert re.fullmatch(r"[A-Za-z0-9_-]+", pages[0]["cursor"])  # type: ignore[index]
    assert ledger.size() == size


def test_one_events_many_items_come_over_many_pages(device: Device) -> None:
    device.pull()
    device.record("receive", **cast.receive("D5-000..D5-049"))
    device.push()
    device.pull(limit=7)
    assert len([1 for of, _ in device.records if of == "item"]) == 50


def test_what_is_destroyed_is_to_be_forgotten(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    device.pull()
    fact = {"method": "shredded", "fact": {"why": "found", "at": device.clock()}}
    device.record(
        "destroy",
        items=["D5-001"],
        where="shred",
        by=["sam", "sue"],
        saw=device.saw("D5-001"),
        **{"with": fact},
    )
    device.push()
    digest = device.pull()
    assert ("item", "D5-001") not in device.records
    fresh = Device(device.http)
    fresh.enrol(devices.new_code(ledger))
    device.pull()
    assert ("item", "D5-001") not in fresh.records
    assert fresh.pull() == device.pull() != digest


def destroy(device: Device, code: str) -> None:
    fact = {"method": "shredded", "fact": {"why": "found", "at": device.clock()}}
    fields = {"items": [code], "where": "shred", "by": ["sam", "sue"], "with": fact}
    device.record("destroy", **fields, saw=device.saw(code))
    device.push()


def test_a_first_sync_of_many_pages_is_not_told_what_was_over_before(
    device: Device, ledger: Ledger
) -> None:
    device.record("receive", **cast.receive("D5-001..D5-009"))
    device.push()
    device.pull()
    destroy(device, "D5-004")
    cursor, told = "", []
    for _ in range(100):
        page = feed.changes_after(ledger, cursor, 7)
        told += [(one.of, one.id, one.value is None) for one in page.changes]
        cursor = page.cursor
        if not page.more:
            break
    assert len({one[:2] for one in told}) == len(told), "everything once"
    assert not any(gone for *_, gone in told)
    assert page.digest == device.pull()


def test_what_ends_while_it_is_read_for_the_first_time_is_to_be_forgotten(
    device: Device, ledger: Ledger
) -> None:
    device.record("receive", **cast.receive("D5-001..D5-009"))
    device.push()
    device.pull()
    new = Device(device.http)
    new.enrol(devices.new_code(ledger))
    last, known = "", set()
    while ("item", "D5-009") not in known:  # items are read from the last to the first
        page = feed.changes_after(ledger, last, 3)
        last, known = page.cursor, known | {(one.of, one.id) for one in page.changes}
    destroy(device, "D5-009")
    device.record("receive", **cast.receive("D5-010"))
    device.push()
    rest = []
    while page.more:
        page = feed.changes_after(ledger, page.cursor, 3)
        rest += [(one.of, one.id, one.value is not None) for one in page.changes]
    assert ("item", "D5-009", False) in rest
    assert ("item", "D5-010", True) in rest
    assert ("item", "D5-001", True) in rest
    assert page.digest == device.pull()


@pytest.mark.parametrize("cursor", ["abc", "AAAA", "W10", "WyJ4IiwwLCIiLCIiXQ"])
def test_a_cursor_of_no_known_database_starts_again(device: Device, cursor: str) -> None:
    answer = device.call("GET", f"/sync/v1/changes?after={cursor}")
    assert (answer.status, answer.json["type"]) == (410, "reset")


def test_a_cursor_ahead_of_a_restored_database_starts_again(device: Device, ledger: Ledger) -> None:
    made = feed._write_cursor(feed.Place(10_000, "item", "x"), ledger.meta["database"])
    assert device.call("GET", f"/sync/v1/changes?after={made}").status == 410


@pytest.mark.parametrize("query", ["?limit=0", "?limit=x", "?limit=-1", "?after=a.b"])
def test_a_wrong_query_is_named(device: Device, query: str) -> None:
    answer = device.call("GET", f"/sync/v1/changes{query}")
    assert (answer.status, answer.json["type"]) == (400, "bad-field")
    assert answer.json["field"] in query


def test_a_rebuild_leaves_cursors_and_digest_good(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    digest = device.pull()
    rebuild(ledger)
    assert get(device, f"?after={device.cursor}")["changes"] == []  # type: ignore[index]
    assert device.pull() == digest


def test_a_new_place_or_pin_reaches_the_handhelds(device: Device, ledger: Ledger) -> None:
    device.pull()
    places.save_place(ledger, "CR9", {"type": "table", "game": "craps", "pit": "pit1"}, ADA)
    people.set_pin(ledger, "fay", "493028", ADA)
    people.set_badge(ledger, "fay", "B-17", ADA)
    device.pull()
    assert device.records[("place", "CR9")][0]["game"] == "craps"
    fay = device.records[("person", "fay")][0]
    assert fay["badge"] == hashlib.sha256(b"oak:B-17").hexdigest()
    assert sorted(fay["pin"]) == ["hash", "rounds", "salt"]


def test_two_processes_answer_alike(device: Device, config: Config, ledger: Ledger) -> None:
    from custody.app import create_app

    second = open_ledger(config)
    other = Device(FlaskHttp(create_app(config, second)))
    other.enrol(devices.new_code(second))
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    other.pull()
    assert other.item("D5-001")["place"] == "dock"
    second.close()
