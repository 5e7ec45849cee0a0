"""Pictures follow the events, by the SHA-256 of their bytes (protocol.md, "Pictures")."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.support.device import Device

PICTURE = b"\xff\xd8\xff\xe0 a picture"
NAME = sha256(PICTURE).hexdigest()


def put(device: Device, name: str, content: bytes) -> tuple[int, object]:
    answer = device.call("PUT", f"/sync/v1/blobs/{name}", content)
    return answer.status, answer.json.get("type")


def test_a_picture_comes_back_byte_for_byte(device: Device) -> None:
    assert put(device, NAME, PICTURE) == (201, None)
    answer = device.call("GET", f"/sync/v1/blobs/{NAME}")
    assert (answer.status, answer.body) == (200, PICTURE)


def test_sent_again_it_is_kept_once(device: Device) -> None:
    put(device, NAME, PICTURE)
    assert put(device, NAME, PICTURE) == (200, None)


def test_other_bytes_than_its_name_says_are_refused(device: Device) -> None:
    assert put(device, NAME, PICTURE + b"x") == (400, "bad-hash")
    assert device.call("GET", f"/sync/v1/blobs/{NAME}").status == 404


@pytest.mark.parametrize("name", ["x", NAME.upper(), "..%2f..%2fkeys%2fdesk.pem", NAME[:-1]])
def test_a_name_that_is_no_hash_is_refused(device: Device, name: str) -> None:
    answer = device.call("PUT", f"/sync/v1/blobs/{name}", PICTURE)
    assert answer.status in (400, 404, 405), answer.body


def test_one_too_large_is_refused(device: Device) -> None:
    big = bytes((8 << 20) + 1)
    assert put(device, sha256(big).hexdigest(), big) == (413, "too-large")


def test_one_that_has_not_come_is_not_found(device: Device) -> None:
    answer = device.call("GET", f"/sync/v1/blobs/{NAME}")
    assert (answer.status, answer.json["type"]) == (404, "not-arrived")


def test_nobody_without_a_token_reads_one(device: Device) -> None:
    put(device, NAME, PICTURE)
    assert device.http.request("GET", f"/sync/v1/blobs/{NAME}", {}, None).status == 401
