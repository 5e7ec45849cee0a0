"""What a site node says to its upstream, and hears from it: the protocol's other side."""

from __future__ import annotations

import gzip
import json
import secrets
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from custody.ledger import keys
from custody.ledger.devices import SITE_NODE
from custody.ledger.upstream import silent
from custody.sync.relay.http import Answer, Http, Unreachable

NDJSON, JSON = "application/x-ndjson", "application/json"
TOKEN_S = silent.TOKEN_MS // 1000  # by which an upstream tells when a node asked
PAGE = 500
Held = tuple[int, str]  # size and last leaf of the upstream's log, as a relay heard them; 0, ""
WRONG_CLOCK = ("token-expired", "token-early")


class UpstreamRefused(Exception):
    """The upstream answered a problem; `type` is the protocol's word, `body` all of it."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {body.get('type')}: {body.get('detail')}")
        self.status = status
        self.type = str(body.get("type"))
        self.body = body


def enrol(http: Http, code: str, name: str, key: EllipticCurvePrivateKey) -> dict[str, Any]:
    """Enrol a site node and return the upstream's answer. Raises UpstreamRefused, Unreachable."""
    jwk = keys.jwk_of(key.public_key())
    body = json.dumps({"code": code, "name": name, "key": jwk, "type": SITE_NODE}).encode()
    headers = {"Content-Type": JSON}
    answer = _good(http.request("POST", "/sync/v1/devices", headers, body))
    found = _json(answer)
    if not isinstance(found, dict) or "device" not in found:
        raise Unreachable("what answered is no Custody server")
    return found


class Upstream:
    """The upstream as one node speaks to it. Every call raises UpstreamRefused or Unreachable.

    `checkpoint` is the last signed checkpoint that was seen, which goes along with every request.
    """

    def __init__(
        self, http: Http, device: str, key: EllipticCurvePrivateKey, clock: Callable[[], int]
    ) -> None:
        self._http = http
        self._device = device
        self._key = key
        self._clock = clock
        self._off_s = 0  # how far the upstream's clock is ahead of this one
        self.checkpoint = ""

    def relay(self, body: bytes, held: Held) -> tuple[list[dict[str, Any]], Held]:
        """Hand chains on; return one answer a chain, and what was heard of the log; `held`
        is what the relay before this heard.
        """
        told = {"Content-Type": NDJSON, "Content-Encoding": "gzip"}
        path = f"/sync/v1/relay?{_held(held)}".removesuffix("?")
        answer = self._ask("POST", path, gzip.compress(body, 6), told)
        size, _, leaf = answer.headers.get("Custody-Log", "").partition(" ")
        heard = (int(size), leaf) if size.isdecimal() else held  # an older upstream does not say
        return [_parsed(line) for line in answer.body.splitlines()], heard

    def news(self, after: int, seen: str, held: Held) -> dict[str, Any]:
        told = f"after={after}&seen={quote(seen, safe='')}&{_held(held)}"
        return self._object(f"/sync/v1/relay/news?{told}".removesuffix("&"))

    def changes(self, cursor: str) -> dict[str, Any]:
        return self._object(f"/sync/v1/changes?after={cursor}&limit={PAGE}")

    def item(self, code: str) -> dict[str, Any]:
        return self._object(f"/sync/v1/relay/item?code={quote(code, safe='')}")

    def history(self, code: str) -> list[dict[str, Any]]:
        """Return the events that name an item, in the order of the upstream's log, each as
        `telling.history` has it.
        """
        found = self._object(f"/sync/v1/relay/history?code={quote(code, safe='')}")
        return list(found["events"])

    def codes(self, prefix: str, word: str) -> list[int]:
        """Return the first and last number of a block of label codes that is this node's alone."""
        body = json.dumps({"prefix": prefix, "word": word}).encode()
        answer = self._ask("POST", "/sync/v1/relay/codes", body, {"Content-Type": JSON})
        found = _json(answer)
        return [int(found["first"]), int(found["last"])]

    def chain(self, device: str, run: int, after: int) -> bytes | None:
        """Return what follows an event of a device's run, as a relay's body; None at its end."""
        where = f"device={quote(device, safe='')}&run={run}&after={after}"
        answer = self._ask("GET", f"/sync/v1/relay/chain?{where}")
        return None if answer.status == 204 else answer.body

    def latest_checkpoint(self) -> str:
        return self._ask("GET", "/log/checkpoint").body.decode("utf-8", "replace")

    def has_picture(self, name: str) -> bool:
        try:
            self._ask("HEAD", f"/sync/v1/blobs/{name}")
        except UpstreamRefused as refused:
            if refused.status == 404:
                return False
            raise
        return True

    def put_picture(self, name: str, content: bytes) -> None:
        told = {"Content-Type": "application/octet-stream"}
        self._ask("PUT", f"/sync/v1/blobs/{name}", content, told)

    def picture(self, name: str) -> bytes:
        return self._ask("GET", f"/sync/v1/blobs/{name}").body

    def _object(self, path: str) -> dict[str, Any]:
        found = _json(self._ask("GET", path))
        if not isinstance(found, dict):
            raise Unreachable("what answered is no Custody server")
        return found

    def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        try:
            return _good(self._once(method, path, body, headers or {}))
        except UpstreamRefused as refused:
            if refused.type not in WRONG_CLOCK:
                raise
            return _good(self._once(method, path, body, headers or {}))

    def _once(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        told = {**headers, "Authorization": f"Bearer {self._token()}"}
        if self.checkpoint:
            told["Custody-Checkpoint"] = keys.base64url(self.checkpoint.encode())
        answer = self._http.request(method, path, told, body)
        if answer.status == 401 and answer.headers.get("Date"):
            now = parsedate_to_datetime(answer.headers["Date"]).timestamp()
            self._off_s = int(now) - self._clock() // 1000
        return answer

    def _token(self) -> str:
        now = self._clock() // 1000 + self._off_s
        claims = {"iss": self._device, "aud": "custody", "iat": now, "exp": now + TOKEN_S}
        return jwt.encode({**claims, "jti": secrets.token_hex(12)}, self._key, "ES256")


def _held(held: Held) -> str:
    return f"held={held[0]}&leaf={quote(held[1], safe='')}" if held[1] else ""


def _good(answer: Answer) -> Answer:
    if 200 <= answer.status < 300:
        return answer
    if "problem+json" not in answer.headers.get("Content-Type", ""):
        raise Unreachable(f"what answered (status {answer.status}) is no Custody server")
    found = _json(answer) if answer.body else {}
    raise UpstreamRefused(answer.status, found if isinstance(found, dict) else {})


def _json(answer: Answer) -> Any:
    return _parsed(answer.body)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise Unreachable("what answered is no Custody server") from error
