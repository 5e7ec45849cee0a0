"""Pictures follow the events, by the SHA-256 of their bytes (protocol.md, "Pictures")."""

from __future__ import annotations

import fcntl
import gzip
import io
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

from custody.ledger import blobs, devices
from custody.ledger.core import Ledger
from custody.ledger.log import durable
from tests.support import cast
from tests.support.device import Device, FlaskHttp
from tests.support.pictures import huge_png, name_of, picture

PICTURE = picture()
NAME = name_of(PICTURE)
FIRST, REST = PICTURE[:300], PICTURE[300:]


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    """Pictures are files; what the database knows of them is tried on both in tests/ledger."""
    return f"sqlite:///{tmp_path / 'custody.db'}"


def put(device: Device, name: str, content: bytes, **headers: str) -> tuple[int, object]:
    answer = device.call("PUT", f"/sync/v1/blobs/{name}", content, **headers)
    return answer.status, answer.json.get("type")


def piece(start: int, content: bytes) -> dict[str, str]:
    return {"Content_Range": f"bytes {start}-{start + len(content) - 1}/{len(PICTURE)}"}


def test_a_picture_comes_back_byte_for_byte(device: Device) -> None:
    assert put(device, NAME, PICTURE) == (201, None)
    answer = device.call("GET", f"/sync/v1/blobs/{NAME}")
    assert (answer.status, answer.body) == (200, PICTURE)


def test_no_browser_takes_the_original_for_a_page(device: Device) -> None:
    put(device, NAME, PICTURE)
    headers = device.call("GET", f"/sync/v1/blobs/{NAME}").headers
    assert headers["Content-Disposition"].startswith("attachment")
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_sent_again_it_is_kept_once(device: Device) -> None:
    put(device, NAME, PICTURE)
    assert put(device, NAME, PICTURE) == (200, None)


def test_a_packed_one_is_unpacked_before_it_is_hashed(device: Device) -> None:
    packed = gzip.compress(PICTURE)
    assert put(device, NAME, packed, Content_Encoding="gzip") == (201, None)


def test_other_bytes_than_its_name_says_are_refused(device: Device) -> None:
    assert put(device, NAME, PICTURE + b"x") == (400, "bad-hash")
    assert device.call("GET", f"/sync/v1/blobs/{NAME}").status == 404


@pytest.mark.parametrize("name", ["x", NAME.upper(), "..%2f..%2fkeys%2fdesk.pem", NAME[:-1]])
def test_a_name_that_is_no_hash_is_refused(device: Device, name: str) -> None:
    answer = device.call("PUT", f"/sync/v1/blobs/{name}", PICTURE)
    assert answer.status in (400, 404, 405), answer.body


def test_one_too_large_is_refused(device: Device) -> None:
    big = bytes((8 << 20) + 1)
    assert put(device, name_of(big), big) == (413, "too-large")


def test_one_that_has_not_come_is_not_found(device: Device) -> None:
    answer = device.call("GET", f"/sync/v1/blobs/{NAME}")
    assert (answer.status, answer.json["type"]) == (404, "not-arrived")


# --- what is no picture ---


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"\xff\xd8\xff\xe0 a picture",
        PICTURE[:-200],
        b"GIF89a" + bytes(40),
        huge_png(20_000, 20_000),
    ],
    ids=["empty", "svg", "header", "cut", "gif", "bomb"],
)
def test_what_is_no_picture_that_can_be_shown_is_refused(
    device: Device, ledger: Ledger, content: bytes
) -> None:
    assert put(device, name_of(content), content) == (422, "not-a-picture")
    assert put(device, name_of(content), content) == (422, "not-a-picture")
    assert blobs.one(ledger, name_of(content)).state == blobs.REFUSED
    assert not blobs.original_path(ledger, name_of(content)).exists()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_page_shows_a_copy_that_was_encoded_again(
    device: Device, ledger: Ledger, kind: str
) -> None:
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    content = picture(kind, (900, 600), exif=exif)
    put(device, name_of(content), content)
    copy = blobs.rendition(ledger, name_of(content), "small")
    shown = Image.open(io.BytesIO(copy))
    assert (shown.format, shown.size) == ("JPEG", (320, 213))
    assert not shown.getexif()
    assert b"where it was taken" not in copy


def test_a_turned_picture_is_shown_upright(device: Device, ledger: Ledger) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held a quarter turn round
    content = picture("JPEG", (90, 60), exif=exif)
    put(device, name_of(content), content)
    copy = blobs.rendition(ledger, name_of(content), "small")
    assert Image.open(io.BytesIO(copy)).size == (60, 90)


# --- one that comes in pieces ---


def test_a_picture_in_pieces_is_whole_after_the_last(device: Device) -> None:
    assert put(device, NAME, FIRST, **piece(0, FIRST)) == (202, None)
    assert put(device, NAME, REST, **piece(300, REST)) == (201, None)
    assert device.call("GET", f"/sync/v1/blobs/{NAME}").body == PICTURE


def test_a_device_is_told_where_to_go_on(device: Device) -> None:
    put(device, NAME, FIRST, **piece(0, FIRST))
    asked = device.call("HEAD", f"/sync/v1/blobs/{NAME}")
    assert (asked.status, asked.headers["Upload-Offset"]) == (404, "300")
    late = device.call("PUT", f"/sync/v1/blobs/{NAME}", REST[9:], **piece(309, REST[9:]))
    assert (late.status, late.json["type"], late.json["offset"]) == (409, "wrong-offset", 300)


def test_a_piece_sent_again_takes_the_place_of_the_first(device: Device) -> None:
    put(device, NAME, FIRST, **piece(0, FIRST))
    assert put(device, NAME, PICTURE[100:], **piece(100, PICTURE[100:])) == (201, None)


@pytest.mark.parametrize("told", ["bytes 0-9/5", "bytes 5-2/9", "0-299/700", "bytes 0-298/9999"])
def test_a_range_that_is_none_is_refused(device: Device, told: str) -> None:
    assert put(device, NAME, FIRST, Content_Range=told) == (400, "bad-range")


def test_of_a_picture_that_was_cut_off_what_came_is_kept(served: Device) -> None:
    """The network goes in the middle of it; the next try goes on there."""
    address = (served.http.host, served.http.port)  # type: ignore[attr-defined]
    head = (
        f"PUT /sync/v1/blobs/{NAME} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {served.token()}"
        f"\r\nContent-Length: {len(PICTURE)}\r\n\r\n"
    )
    with socket.create_connection(address, timeout=60) as wire:
        wire.sendall(head.encode() + FIRST)
        wire.shutdown(socket.SHUT_WR)
        wire.recv(1)
    asked = served.call("HEAD", f"/sync/v1/blobs/{NAME}")
    assert asked.headers["Upload-Offset"] == "300"
    assert put(served, NAME, REST, **piece(300, REST)) == (201, None)


def test_one_that_is_arriving_already_is_sent_again_later(device: Device, ledger: Ledger) -> None:
    put(device, NAME, FIRST, **piece(0, FIRST))
    with blobs.part_path(ledger, device.id, NAME).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        told = device.call("PUT", f"/sync/v1/blobs/{NAME}", PICTURE)
        assert (told.status, told.json["type"]) == (503, "busy")
        assert told.headers["Retry-After"] == "1"
    assert put(device, NAME, REST, **piece(300, REST)) == (201, None), "what had come is still here"


def test_two_threads_that_write_one_file_both_find_it_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when two people open one picture at the same moment, and its copy is made twice."""
    path, fsync = tmp_path / "copy.jpg", os.fsync
    with ThreadPoolExecutor() as pool:

        def fsync_after_another(handle: int) -> None:
            monkeypatch.setattr(os, "fsync", fsync)
            pool.submit(durable.write, [(path, b"copy")], tmp_path).result()
            fsync(handle)

        monkeypatch.setattr(os, "fsync", fsync_after_another)
        durable.write([(path, b"copy")], tmp_path)
    assert path.read_bytes() == b"copy"
    assert list(tmp_path.iterdir()) == [path]


def test_a_range_of_a_picture_is_answered(device: Device) -> None:
    put(device, NAME, PICTURE)
    answer = device.call("GET", f"/sync/v1/blobs/{NAME}", Range="bytes=300-")
    assert (answer.status, answer.body) == (206, REST)


def test_only_some_pictures_wait_for_their_rest(device: Device, ledger: Ledger) -> None:
    for n in range(blobs.MOST_STARTED + 3):
        put(device, name_of(b"%d" % n), FIRST, **piece(0, FIRST))
    folder = blobs.part_path(ledger, device.id, "x").parent
    assert len(list(folder.iterdir())) == blobs.MOST_STARTED


# --- who may ---


def test_nobody_without_a_token_reads_one(device: Device) -> None:
    put(device, NAME, PICTURE)
    assert device.http.request("GET", f"/sync/v1/blobs/{NAME}", {}, None).status == 401


def test_a_revoked_device_still_sends_and_reads_none(device: Device, ledger: Ledger) -> None:
    devices.revoke(ledger, device.id, [{"person": "ada"}])
    assert put(device, NAME, PICTURE) == (201, None)
    answer = device.call("GET", f"/sync/v1/blobs/{NAME}")
    assert (answer.status, answer.json["type"]) == (403, "revoked")


def test_a_device_sends_no_more_than_a_day_s_pictures(
    device: Device, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blobs, "MOST_A_DAY", 1)
    put(device, NAME, PICTURE)
    other = picture("PNG")
    answer = device.call("PUT", f"/sync/v1/blobs/{name_of(other)}", other)
    assert (answer.status, answer.json["type"]) == (429, "too-many")
    assert answer.json["again"] > ledger.clock()
    assert answer.headers["Retry-After"].endswith("GMT")


def test_another_device_is_not_held_up_by_it(
    device: Device, app: Flask, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blobs, "MOST_A_DAY", 1)
    put(device, NAME, PICTURE)
    second = Device(FlaskHttp(app))
    second.enrol(devices.new_code(ledger))
    other = picture("PNG")
    assert put(second, name_of(other), other) == (201, None)


def test_a_picture_from_before_its_facts_were_noted_is_here(ledger: Ledger) -> None:
    path = blobs.original_path(ledger, NAME)
    path.parent.mkdir(parents=True)
    path.write_bytes(PICTURE)
    assert blobs.one(ledger, NAME).state == blobs.HERE


def test_the_pictures_of_an_item_are_listed_and_shown_small_to_a_device_that_may_read_them(
    app: Flask, device: Device, ledger: Ledger
) -> None:
    other = name_of(b"never sent")
    came = cast.receive("D5-001")
    came["with"]["photos"] = [NAME, other]
    device.record("receive", **came)
    assert device.push().status == 200
    assert put(device, NAME, PICTURE)[0] == 201
    told = device.call("GET", "/sync/v1/pictures?item=D5-001").json["pictures"]
    assert [(one["sha256"], one["state"]) for one in told] == [(NAME, "here"), (other, "awaited")]
    assert [one["step"] for one in told] == ["receive", "receive"]
    assert device.call("GET", "/sync/v1/pictures?item=D5-999").json == {"pictures": []}
    assert device.call("GET", "/sync/v1/pictures").json["type"].endswith("bad-field")
    small = device.call("GET", f"/sync/v1/blobs/{NAME}?size=small").body
    assert max(Image.open(io.BytesIO(small)).size) <= 320
    assert device.call("GET", f"/sync/v1/blobs/{NAME}?size=huge").status == 400
    devices.revoke(ledger, device.id, [{"person": "ada", "how": "password"}])
    for path in ("/sync/v1/pictures?item=D5-001", f"/sync/v1/blobs/{NAME}?size=small"):
        assert device.call("GET", path).status == 403
