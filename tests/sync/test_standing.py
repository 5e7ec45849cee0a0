"""Who may take part: pending and revoked devices, revoked people, clocks and leases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from custody.ledger import devices, masterdata, people
from custody.ledger.core import Ledger
from tests.support import cast
from tests.support.device import Device, FlaskHttp, line_of

HOUR = 3_600_000


def kinds(answer: Any) -> list[str]:
    assert answer.status == 200, answer.body
    return [one["kind"] for one in answer.json["exceptions"]]


def set_controls(ledger: Ledger, **controls: str) -> None:
    masterdata.administer(
        ledger,
        "controls",
        "controls",
        [],
        lambda work: [
            masterdata.Change(
                "setting", "controls", {**(work.get("setting", "controls") or {}), **controls}
            )
        ],
    )


@pytest.fixture
def pending(app: Flask, ledger: Ledger) -> Device:
    set_controls(ledger, device_approval="administrator")
    made = Device(FlaskHttp(app))
    assert made.enrol(devices.new_code(ledger)).json["state"] == "pending"
    return made


def test_what_a_pending_device_pushes_is_stored_and_raised(pending: Device) -> None:
    pending.record("receive", **cast.receive("D5-001"))
    answer = pending.push()
    assert (answer.json["acked"], kinds(answer)) == (1, ["pending-device"])


def test_a_pending_device_gets_no_changes_until_it_is_approved(
    pending: Device, ledger: Ledger
) -> None:
    answer = pending.call("GET", "/sync/v1/changes")
    assert (answer.status, answer.json["type"]) == (403, "pending")
    devices.approve(ledger, pending.id, [{"person": "ada", "how": "password"}])
    pending.record("receive", **cast.receive("D5-002"))
    assert kinds(pending.push()) == []
    pending.pull()
    assert pending.item("D5-002")


def test_what_a_revoked_device_pushes_is_kept_apart(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    devices.revoke(ledger, device.id, [{"person": "ada", "how": "password"}])
    answer = device.push()
    assert (answer.json["acked"], kinds(answer)) == (1, ["revoked-device"])
    changes = device.call("GET", "/sync/v1/changes")
    assert (changes.status, changes.json["type"], changes.json["wipe"]) == (403, "revoked", True)
    with ledger.database.reading() as connection:
        from custody.ledger.cache import Cache

        assert Cache(connection).get("item", "D5-001") is None


def test_a_revoked_device_gets_no_new_run(device: Device, app: Flask, ledger: Ledger) -> None:
    devices.revoke(ledger, device.id, [])
    answer = Device(FlaskHttp(app)).enrol(devices.new_code(ledger), device=device.id, run=2)
    assert answer.status == 409


def test_what_a_revoked_person_signed_is_a_fact_and_raised(device: Device, ledger: Ledger) -> None:
    people.set_active(ledger, "fay", False, [{"person": "ada", "how": "password"}])
    device.record("receive", **cast.receive("D5-001"))
    assert kinds(device.push()) == ["revoked-person"]
    device.pull()
    assert device.item("D5-001")["state"] == "received"


def test_an_unknown_person_and_place_are_raised(device: Device) -> None:
    device.record("receive", **{**cast.receive("D5-001"), "by": ["zoe", "sam"]})
    assert "unknown-person" in kinds(device.push())
    device.record("receive", **{**cast.receive("D5-002"), "to": "attic"})
    assert "unknown-place" in kinds(device.push())


def test_a_wall_clock_set_back_is_raised(device: Device) -> None:
    device.record("receive", **cast.receive("D5-001"))
    event = device.event("receive", **cast.receive("D5-002"))
    event["at"] -= 2 * HOUR
    _write(device, event)
    answer = device.push()
    assert [(one["seq"], one["kind"]) for one in answer.json["exceptions"]] == [(2, "clock")]


def test_a_wall_clock_away_from_the_servers_is_raised(device: Device) -> None:
    for ahead in (119_000, 121_000, -121_000):
        event = device.event("receive", **cast.receive(f"D5-{abs(ahead) + (ahead > 0)}"))
        event["server"] = event["at"] - ahead
        _write(device, event)
    answer = device.push()
    assert [(one["seq"], one["kind"]) for one in answer.json["exceptions"]] == [
        (2, "clock"),
        (3, "clock"),
    ]


def test_neither_sleep_nor_a_new_start_is_a_clock_fault(device: Device) -> None:
    device.record("receive", **cast.receive("D5-001"))
    asleep = device.event("receive", **cast.receive("D5-002"))
    asleep["at"] += 9 * HOUR  # mono stood still meanwhile
    _write(device, asleep)
    device.boot = "next"
    restarted = device.event("receive", **cast.receive("D5-003"))
    _write(device, {**restarted, "mono": 5})
    assert kinds(device.push()) == []


def test_a_gently_drifting_clock_is_no_fault(device: Device) -> None:
    device.record("receive", **cast.receive("D5-001"))
    later = device.event("receive", **cast.receive("D5-002"))
    later["at"] += 10 * HOUR - 3000
    later["mono"] += 10 * HOUR
    _write(device, later)
    assert kinds(device.push()) == []


def test_a_sign_on_past_its_lease_is_raised(
    device: Device, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = ledger.clock()
    soon = device.event("receive", **cast.receive("D5-001"))
    soon["at"] += 167 * HOUR
    _write(device, soon)
    late = device.event("receive", **cast.receive("D5-002"))
    late["at"] += 169 * HOUR
    _write(device, late)
    monkeypatch.setattr(ledger, "clock", lambda: start + 170 * HOUR)
    device.clock = lambda: start + 170 * HOUR
    answer = device.push()
    assert {(one["seq"], one["kind"]) for one in answer.json["exceptions"]} == {
        (2, "lease-expired")
    }


def test_a_lease_runs_from_the_last_contact(
    device: Device, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = ledger.clock()
    for hours in (160, 170):
        now = start + hours * HOUR
        monkeypatch.setattr(ledger, "clock", lambda now=now: now)
        device.clock = lambda now=now: now  # type: ignore[misc]
        device.pull()
    device.clock = lambda: start + 169 * HOUR  # after the first contact, before the second
    device.record("receive", **cast.receive("D5-001"))
    device.clock = lambda: start + 170 * HOUR
    assert kinds(device.push()) == []


def _write(device: Device, event: dict[str, Any]) -> None:
    from tests.support.device import line_of

    device.write(line_of(event))


def test_a_device_administers_nothing(device: Device, ledger: Ledger) -> None:
    told = {"what": "person", "subject": "fay", "before": None, "after": None}
    device.record("administer", by=["ada"], **{"with": told})
    before = ledger.size()
    answer = device.push()
    assert answer.json["acked"] == 1
    assert kinds(answer) == ["rule-broken"]
    assert ledger.size() == before + 1


def test_an_event_with_an_outside_signer_is_read_and_judged_by_the_others(
    device: Device,
) -> None:
    event = device.event("receive", **cast.receive("D5-001"))
    event["by"].append({"how": "drawn", "agency": "carrier", "at": event["at"]})
    device.write(line_of(event))
    assert kinds(device.push()) == []
