"""A handheld in Python, as far as the log's tests need one: it enrols, signs, pushes and asks."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import Any, NamedTuple

import jwt

from tests.log.exports import Device


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def ask(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
    """Send a request (POST when it has a body) and return the answer, whatever its status."""
    request = urllib.request.Request(url, body, headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return Answer(answer.status, _lower(answer.headers), answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _lower(error.headers), error.read())


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


class Handheld:
    """One enrolled device with its chain."""

    def __init__(self, url: str, code: str) -> None:
        self.url = url
        self.chain = Device("not enrolled")
        key = self.chain.record()["key"]
        body = json.dumps({"code": code, "name": "Pit 1 tablet", "key": key}).encode()
        answer = ask(f"{url}/sync/v1/devices", body, {"Content-Type": "application/json"})
        assert answer.status == 201, answer
        self.enrolled = answer.json()
        self.chain.name = self.enrolled["device"]
        self.ids: list[str] = []

    def headers(self, **more: str) -> dict[str, str]:
        now = int(time.time())
        claims = {"iss": self.chain.name, "aud": "custody", "iat": now, "exp": now + 60}
        token = jwt.encode({**claims, "jti": str(time.monotonic_ns())}, self.chain.key, "ES256")
        return {"Authorization": f"Bearer {token}", **more}

    def push(self, count: int, **headers: str) -> Answer:
        """Write `count` notes as events and push them in one request."""
        first = self.chain.seq + 1
        lines = [self._event() for _ in range(count)]
        push = {**self.chain.push(), "first": first}
        header = {name: push[name] for name in ("device", "run", "first", "last", "head", "sig")}
        self.batch = b"\n".join([json.dumps(header).encode(), *lines]) + b"\n"
        return self.send(**headers)

    def send(self, **headers: str) -> Answer:
        """Send the last batch, again or for the first time."""
        wanted = self.headers(**{"Content-Type": "application/x-ndjson"}, **headers)
        return ask(f"{self.url}/sync/v1/events", self.batch, wanted)

    def receipt(self, event_id: str) -> Answer:
        return ask(f"{self.url}/sync/v1/receipts/{event_id}", headers=self.headers())

    def _event(self) -> bytes:
        now = time.time_ns() // 1_000_000
        times = {"at": now, "offset": -300, "mono": now, "boot": "b", "server": now}
        names = {"site": "oak", "rulebook": "md@2026.1", "day": None, "step": "look"}
        places = {"items": [], "from": None, "to": None, "into": None, "where": "vault"}
        rest = {"with": {}, "by": [], "saw": {}, "note": ""}
        line = self.chain.event(**times, **names, **places, **rest)
        self.ids.append(self.chain.head)
        return line
