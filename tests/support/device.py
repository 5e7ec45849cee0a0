"""A device that speaks the sync protocol, for tests and fault runs: key, chain, push, changes.

`http` is anything with `request(method, path, headers, body) -> (status, headers, body)`, so that
the same device works against Flask's test client and a real server.
"""

from __future__ import annotations

import gzip
import hashlib
import http.client
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask

from custody.ledger import keys

NO_EVENT = "0" * 64
Key = ec.EllipticCurvePrivateKey
NDJSON = "application/x-ndjson"


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Http(Protocol):
    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer: ...


class FlaskHttp:
    """Requests to an application in this process."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        found = self.client.open(path, method=method, headers=dict(headers), data=body)
        return Answer(found.status_code, found.headers, found.data)


class SocketHttp:
    """Requests to a real server, one connection each; `patience` is in seconds."""

    def __init__(self, host: str, port: int, patience: float = 30) -> None:
        self.host, self.port, self.patience = host, port, patience

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.patience)
        try:
            connection.request(method, path, body, dict(headers))
            found = connection.getresponse()
            return Answer(found.status, found.headers, found.read())
        finally:
            connection.close()


def line_of(event: dict[str, Any]) -> bytes:
    """Return an event's line, as a device writes it once."""
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()


def token_of(key: Key, device: str, now: int, **claims: Any) -> str:
    """Return a token for one request; `now` is UTC ms, a claim of None is left out."""
    seconds = now // 1000
    told = {"iss": device, "aud": "custody", "iat": seconds, "exp": seconds + 300}
    told = {**told, "jti": secrets.token_hex(8), **claims}
    kept = {name: value for name, value in told.items() if value is not None}
    return jwt.encode(kept, key, "ES256")


def body_of(
    key: Key, device: str, run: int, first: int, lines: Sequence[bytes], /, **header: Any
) -> bytes:
    """Return a push's body with `lines`, the first of which is event `first`."""
    head = hashlib.sha256(lines[-1]).hexdigest() if lines else NO_EVENT
    last = first + len(lines) - 1
    told = {"device": device, "run": run, "first": first, "last": last, "head": head}
    told.update({name: value for name, value in header.items() if name != "sig"})
    text = f"custody-events-v1\n{device}\n{told['run']}\n{told['last']}\n{told['head']}\n"
    told["sig"] = header.get("sig") or keys.sign(key, text.encode())
    return b"".join(part + b"\n" for part in (json.dumps(told).encode(), *lines))


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Device:
    """One run of one device. `log` is every line that it wrote, event 1 first."""

    def __init__(self, http: Http, clock: Callable[[], int] = now_ms) -> None:
        self.http = http
        self.clock = clock
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = ""
        self.run = 1
        self.site = "oak"
        self.boot = secrets.token_hex(4)
        self.started = clock()
        self.log: list[bytes] = []
        self.acked = 0
        self.cursor = ""
        self.records: dict[tuple[str, str], Any] = {}

    # --- enrolment and authentication ---

    def enrol(self, code: str, name: str = "Pit 1 tablet", **more: Any) -> Answer:
        body = {"code": code, "name": name, "key": keys.jwk_of(self.key.public_key()), **more}
        headers = {"Content-Type": "application/json"}
        answer = self.http.request("POST", "/sync/v1/devices", headers, json.dumps(body).encode())
        if answer.status == 201:
            self.id = answer.json["device"]
            self.site = answer.json["site"]["id"]
        return answer

    def token(self, **claims: Any) -> str:
        return token_of(self.key, self.id, self.clock(), **claims)

    def call(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named.setdefault("Authorization", f"Bearer {self.token()}")
        return self.http.request(method, path, named, body)

    # --- the chain ---

    def head(self) -> str:
        return hashlib.sha256(self.log[-1]).hexdigest() if self.log else NO_EVENT

    def event(self, step: str, **fields: Any) -> dict[str, Any]:
        """Return the next event of the chain; `by` may name people by their ids alone."""
        now = self.clock()
        by = [
            {"person": p, "how": "badge+pin"} if isinstance(p, str) else p
            for p in fields.pop("by", [])
        ]
        return {
            "v": 1,
            "device": self.id,
            "run": self.run,
            "seq": len(self.log) + 1,
            "prev": self.head(),
            "at": now,
            "offset": -300,
            "mono": now - self.started,
            "boot": self.boot,
            "server": None,
            "site": self.site,
            "rulebook": "md@2026.1",
            "day": "2026-12-01",
            "step": step,
            "items": [],
            "from": None,
            "to": None,
            "into": None,
            "where": None,
            "with": {},
            "by": by,
            "saw": {},
            "note": "",
            **fields,
        }

    def record(self, step: str, **fields: Any) -> str:
        """Write an event to the chain and return its id."""
        return self.write(line_of(self.event(step, **fields)))

    def write(self, line: bytes) -> str:
        """Write any bytes as the next line of the chain and return their hash."""
        self.log.append(line)
        return self.head()

    # --- push and changes ---

    def batch(self, first: int | None = None, last: int | None = None, **header: Any) -> bytes:
        """Return a push's body with events `first` to `last`; `header` overrides its members."""
        first, last = first or self.acked + 1, last or len(self.log)
        return body_of(self.key, self.id, self.run, first, self.log[first - 1 : last], **header)

    def push(self, body: bytes | None = None, *, packed: bool = False, **headers: str) -> Answer:
        """Push what is not acknowledged yet, or a given body; note what the answer acknowledges."""
        content = self.batch() if body is None else body
        headers.setdefault("Content_Type", NDJSON)
        if packed:
            content, headers = gzip.compress(content), {**headers, "Content_Encoding": "gzip"}
        answer = self.call("POST", "/sync/v1/events", content, **headers)
        if answer.status == 200:
            self.acked = answer.json["acked"]
        return answer

    def pull(self, limit: int = 500) -> str:
        """Take all changes into `records`; returns the digest of the last page."""
        while True:
            path = f"/sync/v1/changes?after={self.cursor}&limit={limit}"
            answer = self.call("GET", path)
            assert answer.status == 200, answer.body
            page = answer.json
            for change in page["changes"]:
                self.apply(change)
            self.cursor = page["cursor"]
            if not page["more"]:
                return str(page["digest"])

    def apply(self, change: dict[str, Any]) -> None:
        key = (change["of"], change["id"])
        if change["value"] is None:
            self.records.pop(key, None)
        else:
            self.records[key] = (change["value"], change["etag"])

    def item(self, code: str) -> Any:
        return self.records[("item", code)][0]

    def saw(self, *codes: str) -> dict[str, str]:
        """Return what this device knows as the last event of each code."""
        found = {code: self.records.get(("item", code)) for code in codes}
        return {code: value[0]["last"][0] for code, value in found.items() if value}
