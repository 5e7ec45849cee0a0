"""People, places and devices change by events of the desk, with hashes and nothing personal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from custody.ledger import devices, exporting, people, places, tables
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown, SettingError
from custody.ledger.masterdata import digest
from custody.ledger.work import Work
from tests.support.device import Device

ADA = [{"person": "ada", "how": "password"}]


def last_act(ledger: Ledger) -> dict[str, Any]:
    records = [one for one in exporting.records(ledger) if one["of"] == "event"]
    return dict(json.loads(records[-1]["line"]))


def now(ledger: Ledger, of: str, id_: str) -> Any:
    with ledger.database.reading() as connection:
        return Cache(connection).get(of, id_)


def test_an_act_says_who_what_and_the_hashes_before_and_after(ledger: Ledger) -> None:
    before = now(ledger, "person", "fay")
    people.save_person(ledger, "fay", {"job": "pit_manager", "name": "Fay Moss"}, ADA)
    act = last_act(ledger)
    assert (act["device"], act["step"]) == ("desk", "administer")
    assert [one["person"] for one in act["by"]] == ["ada"]
    assert act["with"]["what"] == "person"
    assert act["with"]["subject"] == "fay"
    assert act["with"]["before"] == digest(before)
    assert act["with"]["after"] == digest(now(ledger, "person", "fay"))


def test_no_name_badge_or_pin_enters_the_log(ledger: Ledger) -> None:
    people.save_person(ledger, "p9", {"job": "dealer", "name": "Rosalind Quill"}, ADA)
    people.set_pin(ledger, "p9", "493028", ADA)
    people.set_badge(ledger, "p9", "BADGE-77", ADA)
    text = json.dumps(list(exporting.records(ledger)))
    for secret in ("Rosalind", "493028", "BADGE-77"):
        assert secret not in text


def test_every_version_is_kept_with_the_position_from_which_it_holds(ledger: Ledger) -> None:
    entry = people.save_person(ledger, "fay", {"job": "pit_manager"}, ADA)
    table = tables.master.c
    query = select(table.since_position, table.value).where(table.id == "fay")
    with ledger.database.reading() as connection:
        rows = connection.execute(query.order_by(table.since_position)).all()
    assert [row.since_position for row in rows] == [0, entry.position]
    assert json.loads(rows[0].value)["job"] == "floorperson"


def test_a_change_of_job_keeps_badge_pin_and_standing(ledger: Ledger) -> None:
    people.set_pin(ledger, "fay", "493028", ADA)
    people.set_badge(ledger, "fay", "B-1", ADA)
    people.set_active(ledger, "fay", False, ADA)
    people.save_person(ledger, "fay", {"job": "pit_manager"}, ADA)
    fay = now(ledger, "person", "fay")
    assert fay["badge"]
    assert fay["pin"]
    assert (fay["active"], fay["job"]) == (False, "pit_manager")


@pytest.mark.parametrize(
    "change",
    [
        lambda ledger: people.save_person(ledger, "x", {"job": "king"}, ADA),
        lambda ledger: people.save_person(ledger, "two words", {"job": "dealer"}, ADA),
        lambda ledger: places.save_place(ledger, "x", {"type": "cellar"}, ADA),
        lambda ledger: places.save_place(ledger, "x", {"type": "table", "pit": "no"}, ADA),
    ],
)
def test_a_wrong_change_changes_nothing(ledger: Ledger, change: Any) -> None:
    size = ledger.size()
    with pytest.raises(SettingError):
        change(ledger)
    assert ledger.size() == size


@pytest.mark.parametrize(
    "change",
    [
        lambda ledger: people.set_pin(ledger, "zoe", "493028", ADA),
        lambda ledger: people.set_badge(ledger, "zoe", "B-1", ADA),
        lambda ledger: people.set_active(ledger, "zoe", False, ADA),
        lambda ledger: devices.approve(ledger, "zoe", ADA),
        lambda ledger: devices.revoke(ledger, "zoe", ADA),
    ],
)
def test_nothing_is_changed_of_who_is_not_known(ledger: Ledger, change: Any) -> None:
    size = ledger.size()
    with pytest.raises(NotKnown, match="zoe"):
        change(ledger)
    assert ledger.size() == size


def test_a_device_is_approved_and_revoked_once(device: Device, ledger: Ledger) -> None:
    with pytest.raises(SettingError, match="only a pending device"):
        devices.approve(ledger, device.id, ADA)
    devices.revoke(ledger, device.id, ADA)
    with pytest.raises(SettingError, match="revoked already"):
        devices.revoke(ledger, device.id, ADA)


def test_a_table_keeps_what_was_opened_when_its_place_is_changed(
    device: Device, ledger: Ledger
) -> None:
    device.record("table", where="CR1", by=["pam"], **{"with": {"state": "closed"}})
    device.push()
    assert now(ledger, "place", "CR1")["table"]["state"] == "closed"
    places.save_place(ledger, "CR1", {"type": "table", "game": "craps", "name": "Craps 1"}, ADA)
    table = now(ledger, "place", "CR1")
    assert (table["name"], table["table"]["state"]) == ("Craps 1", "closed")


def test_a_rulebook_is_read_anew_once_its_text_is_another(ledger: Ledger) -> None:
    with ledger.database.engine.connect() as connection:
        for told in ({"name": "one"}, {"name": "two"}, None, {"name": "one"}):
            work = Work(connection)
            work.put("rulebook", "x@1", told, 0)
            work.flush()
            first, second = (Cache(connection).get("rulebook", "x@1") for _ in range(2))
            assert first == told
            assert second is first
        connection.rollback()


def test_contacts_are_noted_to_ten_minutes(
    device: Device, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = ledger.clock()
    for minutes in (0, 1, 9, 11, 12, 25):
        now_ms = start + minutes * 60_000
        monkeypatch.setattr(ledger, "clock", lambda now_ms=now_ms: now_ms)
        device.clock = lambda now_ms=now_ms: now_ms  # type: ignore[misc]
        device.pull()
    with ledger.database.reading() as connection:
        found = connection.scalars(select(tables.contact.c.at)).all()
        assert devices.last_contacts(connection) == {device.id: max(found)}
    assert len(found) == 3
