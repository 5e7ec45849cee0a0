"""Tokens: ES256 by the device's key, at most 300 s, each once (protocol.md, "Authentication")."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.device import Answer, Device


def get(device: Device, token: str | None) -> Answer:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return device.http.request("GET", "/sync/v1/changes", headers, None)


def test_a_good_token_is_taken(device: Device) -> None:
    assert get(device, device.token()).status == 200


def test_without_a_token_the_answer_is_401_with_the_date(device: Device) -> None:
    answer = get(device, None)
    assert (answer.status, answer.json["type"]) == (401, "token-missing")


@pytest.mark.parametrize(
    ("claims", "type_"),
    [
        ({"aud": "other"}, "token-invalid"),
        ({"aud": None}, "token-invalid"),
        ({"jti": None}, "token-invalid"),
        ({"jti": 5}, "token-invalid"),
        ({"jti": ""}, "token-invalid"),
        ({"iat": None}, "token-invalid"),
        ({"exp": None}, "token-invalid"),
        ({"iss": None}, "token-invalid"),
        ({"iss": 4}, "token-invalid"),
        ({"iss": "\ud800"}, "token-invalid"),
        ({"iss": "a\0"}, "token-invalid"),
        ({"jti": "\ud800"}, "token-invalid"),
        ({"jti": "a\0"}, "token-invalid"),
    ],
)
def test_a_claim_that_is_wrong_or_missing_is_refused(
    device: Device, claims: dict[str, Any], type_: str
) -> None:
    answer = get(device, _signed(device, claims))
    assert (answer.status, answer.json["type"]) == (401, type_)


def _signed(device: Device, claims: dict[str, Any]) -> str:
    """Sign claims that the library would not sign, such as a number for `iss`."""
    now = device.clock() // 1000
    told = {"iss": device.id, "aud": "custody", "iat": now, "exp": now + 300, "jti": "j1"}
    told = {name: value for name, value in {**told, **claims}.items() if value is not None}
    import json

    return jwt.api_jws.encode(json.dumps(told).encode(), device.key, "ES256")


def test_a_token_lives_at_most_300_seconds(device: Device) -> None:
    now = device.clock() // 1000
    assert get(device, device.token(exp=now + 301)).json["type"] == "token-invalid"


def test_an_expired_token_is_told_as_such(device: Device) -> None:
    now = device.clock() // 1000
    answer = get(device, device.token(iat=now - 400, exp=now - 100))
    assert (answer.status, answer.json["type"]) == (401, "token-expired")


def test_a_token_from_the_future_is_told_as_such(device: Device) -> None:
    now = device.clock() // 1000
    assert get(device, device.token(iat=now + 100, exp=now + 200)).json["type"] == "token-early"


def test_a_token_serves_once(device: Device) -> None:
    token = device.token()
    assert get(device, token).status == 200
    assert get(device, token).json["type"] == "token-replayed"


def test_another_key_is_refused(device: Device) -> None:
    good = device.key
    device.key = ec.generate_private_key(ec.SECP256R1())
    answer = get(device, device.token())
    device.key = good
    assert answer.json["type"] == "token-invalid"


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_another_algorithm_is_refused(device: Device, algorithm: str) -> None:
    now = device.clock() // 1000
    claims = {"iss": device.id, "aud": "custody", "iat": now, "exp": now + 60, "jti": "x"}
    secret = None if algorithm == "none" else "s" * 32
    answer = get(device, jwt.encode(claims, secret, algorithm))
    assert (answer.status, answer.json["type"]) == (401, "token-invalid")


def test_a_token_that_is_no_token_is_refused(device: Device) -> None:
    assert get(device, "abc.def").json["type"] == "token-invalid"


def test_a_device_that_never_enrolled_is_not_found(device: Device) -> None:
    answer = get(device, device.token(iss="dffff"))
    assert (answer.status, answer.json["type"]) == (404, "not-enrolled")


def test_a_device_learns_the_time_from_the_date_of_a_real_server(served: Device) -> None:
    served.clock = lambda: 0
    answer = get(served, served.token())
    assert answer.status == 401
    assert parsedate_to_datetime(answer.headers["Date"]).year >= 2026


def test_claims_nested_without_end_are_refused(device: Device) -> None:
    for depth in range(500, 1100, 100):
        claims = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
        answer = get(device, jwt.api_jws.encode(claims, device.key, "ES256"))
        assert (answer.status, answer.json["type"]) == (401, "token-invalid")
