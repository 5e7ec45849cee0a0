"""Who is asking: a JWT signed ES256 by the device's own key (protocol.md, "Authentication")."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import jwt
from flask import Request

from custody.ledger import apps, devices, keys
from custody.ledger.core import Ledger
from custody.ledger.work import Work
from custody.sync import strangers
from custody.sync.problems import Problem, Stranger

LIFE_S = 300
LEEWAY_S = 5
CLAIMS = ("iss", "aud", "iat", "exp", "jti")
ALGORITHM = "ES256"
NAME = re.compile(r"[!-~]{1,128}")  # of a device or a token: nothing that a database cannot keep
UNREADABLE = (jwt.InvalidTokenError, RecursionError)  # the claims may be nested without end


class Device(NamedTuple):
    """A device as its token names it; `state` is `active`, `pending` or `revoked`.

    `type` is `site` for a site node.
    """

    id: str
    state: str
    type: str = "handheld"


def authenticate(ledger: Ledger, request: Request) -> Device:
    """Return the device that signed the request's token, and note the contact and its version.

    Raises Problem: 401, 404 for a device that never enrolled, or 503 where a site node cannot tell.
    """
    token = _bearer(request)
    device = _issuer(token)
    claims, value = strangers.knowing(ledger, lambda: _identify(ledger, device, token))
    _spend(ledger, device, claims)
    apps.note(ledger, device, request.headers.get("Custody-App", ""), ledger.clock())
    return Device(device, str(value["state"]), str(value.get("type", "handheld")))


def _identify(ledger: Ledger, device: str, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the claims of a device's token, and its record."""
    with ledger.database.reading() as connection:
        known = devices.run_keys(connection, device)
        value = Work(connection).get("device", device) or {}
    if not known or value.get("state") is None:
        raise Stranger(404, "not-enrolled", "this device never enrolled here")
    return _verify(token, known, ledger.clock() // 1000), value


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise _refused("token-missing", "send Authorization: Bearer <JWT>")
    return token.strip()


def _issuer(token: str) -> str:
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except UNREADABLE as error:
        raise _refused("token-invalid", f"the token cannot be read: {error}") from error
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or not NAME.fullmatch(issuer):
        raise _refused("token-invalid", "iss must be the device's id", field="iss")
    return issuer


def _verify(token: str, known: list[dict[str, Any]], now_s: int) -> dict[str, Any]:
    """Return the claims of a token that one of the keys signed, and that is valid now."""
    options: Any = {"require": list(CLAIMS), "verify_exp": False, "verify_iat": False}
    for jwk in known:
        try:
            claims: dict[str, Any] = jwt.decode(
                token, keys.key_of(jwk), [ALGORITHM], options, audience="custody"
            )
        except jwt.InvalidSignatureError:
            continue
        except UNREADABLE as error:
            raise _refused("token-invalid", f"the token is not as it should be: {error}") from error
        _check_times(claims, now_s)
        return claims
    raise Stranger(401, "token-invalid", "the token is not signed by this device's key")


def _check_times(claims: dict[str, Any], now_s: int) -> None:
    issued, expires, name = claims["iat"], claims["exp"], claims["jti"]
    for field, value in (("iat", issued), ("exp", expires)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise _refused("token-invalid", f"{field} must be whole seconds", field=field)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        detail = "jti must be 1 to 128 characters of ASCII without blanks"
        raise _refused("token-invalid", detail, field="jti")
    if expires - issued > LIFE_S:
        raise _refused("token-invalid", f"a token lives at most {LIFE_S} s", field="exp")
    if expires <= now_s - LEEWAY_S:
        raise _refused("token-expired", "the token has expired; see Date for our time", field="exp")
    if issued > now_s + LEEWAY_S:
        raise _refused("token-early", "the token is from the future; see Date", field="iat")


def _spend(ledger: Ledger, device: str, claims: dict[str, Any]) -> None:
    """Let a token serve once, and note the contact. Raises Problem for one that was seen before."""
    now = ledger.clock()
    forget = now - LEEWAY_S * 2000
    if not ledger.tokens.spend(device, claims["jti"], claims["exp"] * 1000, forget):
        detail = "this token has been used; make a new one for each request"
        raise _refused("token-replayed", detail, field="jti")
    devices.be_in_touch(ledger, device, now)


def _refused(type_: str, detail: str, **more: Any) -> Problem:
    return Problem(401, type_, detail, **more)
