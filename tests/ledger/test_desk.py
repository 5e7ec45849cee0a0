"""Steps at a desk are events of the device `desk`, judged before and signed like a device's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from custody.ledger import exporting
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.desk import record_at_desk
from custody.ledger.errors import Refused
from custody.ledger.reading import exceptions
from custody.verify import export
from tests.support import cast
from tests.support.device import Device


def signed(*people: str) -> list[dict[str, Any]]:
    return [{"person": person, "how": "password"} for person in people]


def draft(step: str, fields: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    kept = {name: value for name, value in fields.items() if name != "by"}
    return {"step": step, **kept}, signed(*fields["by"])


def item(ledger: Ledger, code: str) -> Any:
    with ledger.database.reading() as connection:
        return Cache(connection).get("item", code)


def test_a_step_that_is_allowed_is_signed_and_folded(ledger: Ledger) -> None:
    entry = record_at_desk(ledger, *draft("receive", cast.receive("D5-001")))
    assert (entry.device, entry.seq) == ("desk", 2)
    assert item(ledger, "D5-001")["state"] == "received"
    event = json.loads([r for r in exporting.records(ledger) if r["of"] == "event"][-1]["line"])
    assert (event["site"], event["rulebook"]) == ("oak", "md@2026.1")
    assert event["by"][0]["how"] == "password"
    assert event["day"]
    assert export.check(lambda: exporting.records(ledger)).is_sound


def test_a_step_that_is_refused_leaves_the_ledger_as_it_was(ledger: Ledger) -> None:
    record_at_desk(ledger, *draft("receive", cast.receive("D5-001")))
    size = ledger.size()
    fields = {**cast.store("D5-001"), "by": ["fay"]}
    with pytest.raises(Refused) as refused:
        record_at_desk(ledger, *draft("store", fields))
    assert "MD-02.13-A.4" in [reason["clause"] for reason in refused.value.reasons]
    assert ledger.size() == size
    assert item(ledger, "D5-001")["state"] == "received"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_a_step_saw_of_many_consecutive_codes_is_a_run_so_that_the_event_can_be_read(
    ledger: Ledger,
) -> None:
    run = "D5-0001..D5-0800"
    received = record_at_desk(ledger, *draft("receive", cast.receive(run)))
    stored = record_at_desk(ledger, *draft("store", cast.store(run)))
    assert stored.event is not None, stored.why
    assert stored.event["saw"] == {run: received.id}
    assert item(ledger, "D5-0800")["state"] == "stored"
    with ledger.database.reading() as connection:
        assert exceptions.count_open(connection) == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_step_too_long_for_an_event_is_refused_with_how_long_it_may_be(ledger: Ledger) -> None:
    size = ledger.size()
    fields = {**cast.receive("D5-001"), "note": "n" * 60_000}
    with pytest.raises(Refused) as refused:
        record_at_desk(ledger, *draft("receive", fields))
    [reason] = refused.value.reasons
    assert (reason["code"], reason["values"]["most"]) == ("event-too-long", 60_000)
    assert ledger.size() == size


@pytest.mark.parametrize("note", ["a NUL \0", "half a pair \ud800"])
def test_a_text_that_no_event_may_hold_is_refused_on_both_databases(
    ledger: Ledger, note: str
) -> None:
    size = ledger.size()
    with pytest.raises(Refused) as refused:
        record_at_desk(ledger, *draft("receive", {**cast.receive("D5-001"), "note": note}))
    assert [reason["code"] for reason in refused.value.reasons] == ["event-unreadable"]
    assert ledger.size() == size
    assert item(ledger, "D5-001") is None


def test_a_fact_is_recorded_and_raises_what_it_broke(ledger: Ledger) -> None:
    record_at_desk(ledger, *draft("receive", cast.receive("D5-001")))
    at = ledger.clock() - 60_000
    fields = {**cast.store("D5-001"), "by": ["fay"], "with": {"fact": {"why": "found", "at": at}}}
    record_at_desk(ledger, *draft("store", fields))
    assert item(ledger, "D5-001")["state"] == "stored"
    with ledger.database.reading() as connection:
        assert "rule-broken" in [one[1] for one in Cache(connection).open("D5-001")]


def test_the_desk_goes_on_from_what_the_ledger_knows(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    record_at_desk(ledger, *draft("store", cast.store("D5-001")))
    assert item(ledger, "D5-001")["disputed"] is False
    assert item(ledger, "D5-001")["place"] == "vault"


def test_what_a_page_showed_may_be_named_so_that_a_change_meanwhile_is_seen(
    device: Device, ledger: Ledger
) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    shown = {"D5-001": item(ledger, "D5-001")["last"][0]}
    device.record("store", **cast.store("D5-001"), saw=shown)
    device.push()
    at = {"fact": {"why": "late", "at": ledger.clock()}}
    fields = {**cast.store("D5-001"), "saw": shown, "with": at}
    record_at_desk(ledger, *draft("store", fields))
    assert item(ledger, "D5-001")["disputed"] is True
