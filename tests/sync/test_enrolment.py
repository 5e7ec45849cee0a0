"""Enrolment: a code serves once and for 15 minutes; a new run has a new key (protocol.md)."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from custody.ledger import devices
from custody.ledger.core import Ledger
from tests.support.device import Device, FlaskHttp


@pytest.fixture
def fresh(app: Flask) -> Device:
    return Device(FlaskHttp(app))


def test_a_code_enrols_a_device_and_says_what_it_needs(fresh: Device, ledger: Ledger) -> None:
    answer = fresh.enrol(devices.new_code(ledger))
    told = answer.json
    assert answer.status == 201
    assert told["state"] == "active"
    assert told["site"]["id"] == "oak"
    assert told["server_key"].startswith("custody/oak+")
    assert abs(told["now"] - ledger.clock()) < 10_000


def test_ids_of_devices_are_random(app: Flask, ledger: Ledger) -> None:
    made = [Device(FlaskHttp(app)) for _ in range(3)]
    for one in made:
        one.enrol(devices.new_code(ledger))
    assert len({one.id for one in made}) == 3


def test_a_code_serves_once(fresh: Device, ledger: Ledger, app: Flask) -> None:
    code = devices.new_code(ledger)
    assert fresh.enrol(code).status == 201
    again = Device(FlaskHttp(app)).enrol(code)
    assert (again.status, again.json["type"]) == (403, "bad-code")
    assert "used" in again.json["detail"]


def test_a_code_serves_for_fifteen_minutes(
    fresh: Device, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, made_at = devices.new_code(ledger), ledger.clock()
    monkeypatch.setattr(ledger, "clock", lambda: made_at + devices.CODE_MS + 1000)
    answer = fresh.enrol(code)
    assert (answer.status, answer.json["type"]) == (403, "bad-code")
    assert "expired" in answer.json["detail"]


def test_a_code_may_be_typed_in_small_letters_with_blanks(fresh: Device, ledger: Ledger) -> None:
    code = devices.new_code(ledger).lower()
    assert fresh.enrol(f"{code[:4]} {code[4:8]}-{code[8:]}").status == 201


def test_an_unknown_code_enrols_nobody(fresh: Device, ledger: Ledger) -> None:
    before = ledger.size()
    answer = fresh.enrol("ABCDEFGHJKMN")
    assert (answer.status, answer.json["field"]) == (403, "code")
    assert ledger.size() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": 5}, "name"),
        ({"key": None}, "key"),
        ({"key": {"kty": "RSA"}}, "key"),
        ({"key": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}}, "key"),
        ({"code": None}, "code"),
        ({"device": "d1", "run": "2"}, "run"),
        ({"device": 7, "run": 2}, "device"),
    ],
)
def test_a_wrong_field_is_named_and_leaves_the_code_good(
    fresh: Device, ledger: Ledger, change: dict[str, object], field: str
) -> None:
    code = devices.new_code(ledger)
    answer = fresh.enrol(**{"code": code, **change})  # type: ignore[arg-type]
    assert (answer.status, answer.json["field"]) == (400, field)
    assert fresh.enrol(code).status == 201


def test_a_private_key_is_refused(fresh: Device, ledger: Ledger) -> None:
    private = {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "AA"}
    answer = fresh.enrol(devices.new_code(ledger), key=private)
    assert answer.status == 400
    assert "private" in answer.json["detail"]


def test_a_body_that_is_no_json_is_refused(fresh: Device) -> None:
    headers = {"Content-Type": "application/json"}
    answer = fresh.http.request("POST", "/sync/v1/devices", headers, b"{")
    assert (answer.status, answer.json["type"]) == (400, "bad-json")


def test_a_new_run_is_enrolled_with_the_device_and_a_new_code(
    device: Device, app: Flask, ledger: Ledger
) -> None:
    device.record("table", where="CR1", **{"with": {"state": "open"}}, by=["pam"])
    assert device.push().status == 200
    again = Device(FlaskHttp(app))
    answer = again.enrol(devices.new_code(ledger), device=device.id, run=2)
    again.run = 2
    assert (answer.status, answer.json["device"]) == (201, device.id)
    again.record("table", where="CR1", **{"with": {"state": "closed"}}, by=["pam"])
    assert again.push().json["acked"] == 1


def test_a_run_that_is_not_the_next_is_refused(device: Device, app: Flask, ledger: Ledger) -> None:
    again = Device(FlaskHttp(app)).enrol(devices.new_code(ledger), device=device.id, run=3)
    assert (again.status, again.json["field"], again.json["expected"]) == (409, "run", 2)


def test_a_run_of_a_device_that_never_enrolled_is_not_found(fresh: Device, ledger: Ledger) -> None:
    answer = fresh.enrol(devices.new_code(ledger), device="dffff", run=2)
    assert (answer.status, answer.json["type"]) == (404, "not-enrolled")


def test_nobody_enrols_as_the_servers_own_device(fresh: Device, ledger: Ledger) -> None:
    answer = fresh.enrol(devices.new_code(ledger), device="desk", run=2)
    assert (answer.status, answer.json["field"]) == (404, "device")


def test_enrolment_is_in_the_log_without_the_device_name(device: Device, ledger: Ledger) -> None:
    from custody.ledger import exporting

    lines = [json.dumps(record) for record in exporting.records(ledger)]
    assert any("device-enrolled" in line and device.id in line for line in lines)
    assert not any("Pit 1 tablet" in line for line in lines)
