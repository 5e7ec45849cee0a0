"""Requests of a client: signed, and every answer named. What is not the server's is no answer."""

from __future__ import annotations

import http.client
import json
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.support.device import Answer, token_of

if TYPE_CHECKING:
    from tests.support.client.client import Client

NO_ANSWER = (OSError, http.client.HTTPException)
OFFLINE, CAPTIVE = "offline", "captive"


class Outcome(NamedTuple):
    """`type` is "" when the server took it, a problem's word, `offline` or `captive`."""

    status: int
    type: str
    json: Any
    text: str


def key_of(pem: bytes) -> ec.EllipticCurvePrivateKey:
    key = load_pem_private_key(pem, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def ask(client: Client, method: str, path: str, body: bytes | None = None, **headers: str) -> Any:
    """Return the raw answer, or None where there was none that can be read."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        return client.http.request(method, path, named, body)
    except NO_ANSWER:
        return None


def call(
    client: Client, run: int, method: str, path: str, body: bytes | None = None, **headers: str
) -> Outcome:
    """Ask with a token of a run; once more by the server's clock when the token was refused."""
    outcome = _once(client, run, method, path, body, headers)
    if outcome.status == 401:
        outcome = _once(client, run, method, path, body, headers)
    return outcome


def _once(
    client: Client, run: int, method: str, path: str, body: bytes | None, headers: dict[str, str]
) -> Outcome:
    key = client.key(run)
    now = client.clock() + client.disk.get("skew", 0)
    bearer = f"Bearer {token_of(key, client.id, now)}"
    note = client.shown_note()
    shown = {"Custody_Checkpoint": note} if note else {}
    return named(client, ask(client, method, path, body, Authorization=bearer, **shown, **headers))


def named(client: Client, answer: Answer | None) -> Outcome:
    """Name an answer: only JSON, or the text of a receipt, is the server's own."""
    if answer is None:
        return Outcome(0, OFFLINE, None, "")
    kind = answer.headers.get("Content-Type", "")
    text = answer.body.decode("utf-8", "replace")
    if kind.startswith("text/plain") and answer.status == 200:
        return Outcome(200, "", None, text)
    if not kind.startswith(("application/json", "application/problem+json")):
        return Outcome(answer.status, _foreign(answer.status), None, text)
    try:
        found = json.loads(text)
    except ValueError:
        return Outcome(answer.status, CAPTIVE, None, text)
    learn(client, answer)
    type_ = "" if answer.status < 300 else str(found.get("type"))
    return Outcome(answer.status, type_, found, text)


def _foreign(status: int) -> str:
    return CAPTIVE if status < 400 else f"http-{status}"


def learn(client: Client, answer: Answer) -> None:
    """Learn the server's clock from an answer's Date."""
    told = answer.headers.get("Date")
    if not told:
        return
    server = int(parsedate_to_datetime(told).timestamp() * 1000)
    client.heard = (server, client.mono())
    skew = server - client.clock()
    if abs(skew - client.disk.get("skew", 0)) > 2000:
        client.disk.set("skew", skew)
