"""Every error under /sync/ has one shape (RFC 9457), at every address and method."""

from __future__ import annotations

import io
import json
import sqlite3

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from tests.support.device import Device

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")


def addresses(app: Flask) -> list[tuple[str, str]]:
    found = []
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/sync/"):
            path = rule.rule.replace("<name>", "x").replace("<event_id>", "x")
            found += [(method, path) for method in METHODS]
    return found


def test_each_address_tells_its_errors_alike(app: Flask, device: Device) -> None:
    assert len(addresses(app)) >= 4 * len(METHODS)
    for method, path in addresses(app):
        answer = device.http.request(method, path, {}, b"")
        assert 400 <= answer.status < 500, (method, path)
        assert answer.headers["Content-Type"].startswith("application/problem+json"), (method, path)
        told = answer.json
        assert told["status"] == answer.status
        assert " " not in told["type"]
        assert all(told[name] for name in ("type", "title", "detail"))


@pytest.mark.parametrize("path", ["/sync/v1/nothing", "/sync/v2/events", "/sync/"])
def test_an_unknown_address_is_told_alike(device: Device, path: str) -> None:
    answer = device.http.request("GET", path, {}, None)
    assert answer.status == 404
    assert answer.headers["Content-Type"].startswith("application/problem+json")


def test_no_answer_of_the_protocol_is_stored_on_the_way(device: Device) -> None:
    answer = device.call("GET", "/sync/v1/changes")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "broken"),
    [
        ("/sync/v1/changes", "custody.sync.blueprint.feed.changes_after"),
        ("/log/verifier", "custody.sync.log_routes.the_log"),
    ],
)
def test_a_failure_of_the_server_is_told_alike_without_internals(
    app: Flask, device: Device, monkeypatch: pytest.MonkeyPatch, address: str, broken: str
) -> None:
    def fail(*_given: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(broken, fail)
    app.testing = False
    answer = device.call("GET", address)
    assert (answer.status, answer.json["type"]) == (500, "server-error")
    assert b"secret" not in answer.body


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("", None, sqlite3.OperationalError("database or disk is full")),
        OSError(28, "No space left on device"),
    ],
)
def test_a_full_disk_is_told_as_something_that_passes(
    app: Flask, device: Device, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_given: object) -> None:
        raise error

    monkeypatch.setattr("custody.sync.blueprint.feed.changes_after", fail)
    app.testing = False
    answer = device.call("GET", "/sync/v1/changes")
    assert (answer.status, answer.json["type"]) == (503, "not-stored")
    assert answer.headers["Retry-After"]


def test_a_body_far_too_large_is_answered_all_the_same(served: Device) -> None:
    answer = served.push(b"x" * (30 << 20))
    assert (answer.status, answer.json["type"]) == (413, "too-large")


def test_a_body_announced_as_more_than_is_ever_read_is_answered_at_once(served: Device) -> None:
    headers = {"Content-Length": "99999999999", "Content-Type": "application/x-ndjson"}
    answer = served.http.request("POST", "/sync/v1/events", headers | bearer(served), b"")
    assert (answer.status, answer.json["type"]) == (413, "too-large")


def test_a_body_in_chunks_that_is_cut_off_is_told_so(app: Flask, device: Device) -> None:
    answer = app.test_client().post(
        "/sync/v1/events",
        headers={"Content-Type": "application/x-ndjson", **bearer(device)},
        environ_overrides={"wsgi.input": CutOff(), "wsgi.input_terminated": True},
    )
    assert (answer.status_code, json.loads(answer.data)["type"]) == (400, "cut-short")


class CutOff(io.RawIOBase):
    """A stream as a server hands it on: the next chunk never comes."""

    def readinto(self, buffer: object) -> int:
        raise ValueError("the chunk is cut off")

    def readable(self) -> bool:
        return True


def bearer(device: Device) -> dict[str, str]:
    return {"Authorization": f"Bearer {device.token()}"}
