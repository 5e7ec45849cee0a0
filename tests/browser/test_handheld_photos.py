"""Pictures to a step: made smaller, without the camera's own data, sent late and in pieces."""

import hashlib
import io
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Route, expect

from tests.browser.handheld import Handheld
from tests.support import pictures
from tests.support.casino import Casino
from tests.support.device import Device, SocketHttp

BLOBS = "**/sync/v1/blobs/**"
TOO_LARGE = {"type": "too-large", "title": "larger than a picture may be", "limit": 1}


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture as a phone takes it: large, hard to compress, with its place."""
    noise = Image.frombytes("RGB", (500, 400), os.urandom(500 * 400 * 3))
    whole = noise.resize((2500, 2000), Image.Resampling.BICUBIC)
    exif = whole.getexif()
    exif.get_ifd(0x8825)[1] = "N"
    exif[0x010F] = "a maker of phones"
    whole.save(tmp_path / "seal.jpg", quality=95, exif=exif)
    return tmp_path / "seal.jpg"


def smaller(picture: Path) -> Path:
    other = picture.with_name("other.jpg")
    Image.open(picture).resize((100, 80)).save(other)
    return other


def kept(casino: Casino, sha: str) -> bytes:
    path = casino.data / "blobs" / sha[:2] / sha
    return path.read_bytes() if path.exists() else b""


def test_a_picture_is_signed_for_made_smaller_arrives_though_cut_off_or_says_why_it_is_refused(
    handheld: Handheld, picture: Path
) -> None:
    page = handheld.page
    handheld.device.offline()
    handheld.step("notify", [], whom="surveillance")
    handheld.heading("Sign")
    page.locator("input[type=file]").set_input_files(__file__)
    expect(page.locator(".note.bad")).to_contain_text("no picture that can be read")
    page.locator("input[type=file]").set_input_files(picture)
    expect(page.locator(".photos img")).to_have_count(1)
    handheld.device.shots("handheld-sign-photo")
    handheld.sign("fay")
    event = handheld.outbox()[-1]
    [sha] = event["event"]["with"]["photos"]
    handheld.go(f"/h/event/{event['id']}")
    expect(page.locator("figure")).to_contain_text("waits to be sent")
    expect(page.locator(".queue")).to_have_text("2 to send")
    handheld.go("/h/outbox")
    expect(page.locator("#screen")).to_contain_text("One picture waits to be sent")

    pieces: list[int] = []

    def cut(route: Route) -> None:
        pieces.append(len(route.request.post_data_buffer or b""))
        route.abort("connectionreset") if len(pieces) == 2 else route.continue_()

    handheld.device.context.route(BLOBS, cut)
    handheld.device.offline(False)
    handheld.until(lambda: bool(kept(handheld.casino, sha)))
    sent = kept(handheld.casino, sha)
    assert hashlib.sha256(sent).hexdigest() == sha
    shown = Image.open(io.BytesIO(sent))
    assert max(shown.size) == 1600
    assert dict(shown.getexif()) == {}
    assert sum(pieces) - pieces[1] == len(sent), "what had come was not sent again"
    handheld.until(lambda: handheld.run("photos.js", "shown", [sha])[0]["state"] == "sent")
    handheld.go(f"/h/event/{event['id']}")
    expect(page.locator("figure")).to_contain_text("with the server")

    handheld.device.context.route(BLOBS, lambda route: route.fulfill(status=413, json=TOO_LARGE))
    handheld.device.guard.allow("status of 413")
    handheld.step("notify", [], whom="surveillance")
    handheld.heading("Sign")
    page.locator("input[type=file]").set_input_files(smaller(picture))
    expect(page.locator(".photos img")).to_have_count(1)
    handheld.sign("fay")
    event = handheld.outbox()[-1]
    [sha] = event["event"]["with"]["photos"]
    handheld.until(lambda: handheld.run("photos.js", "shown", [sha])[0]["state"] == "refused", 45)
    handheld.go(f"/h/event/{event['id']}")
    expect(page.locator("figure")).to_contain_text("larger than the server takes")
    expect(page.locator(".note.warn")).to_contain_text("take it anew")


def test_pictures_that_another_device_took_are_on_the_items_card_when_the_server_is_reached(
    handheld: Handheld,
) -> None:
    handheld.sign_on("sam")
    page = handheld.page
    handheld.receive("D5-101", 1)
    handheld.drained()
    address = urlsplit(handheld.casino.url)
    tablet = Device(SocketHttp(str(address.hostname), int(address.port or 0)))
    assert tablet.enrol(handheld.casino.code(), "Vault tablet").status == 201
    taken = pictures.picture()
    sha = pictures.name_of(taken)
    fields = {"whom": "surveillance", "photos": [sha]}
    signer = handheld.run("signon.js", "present")[0]["person"]
    saw = {"D5-101": handheld.outbox()[-1]["id"]}
    tablet.record("notify", items=["D5-101"], by=[signer], saw=saw, **{"with": fields})
    assert tablet.push().status == 200
    assert tablet.call("PUT", f"/sync/v1/blobs/{sha}", taken).status == 201

    for cut, told in ((True, "cannot be reached now"), (False, "Notify")):
        handheld.device.offline(cut)
        handheld.go("/h/item/D5-101")
        page.get_by_text("Pictures", exact=True).click()
        expect(page.locator("details[open]")).to_contain_text(told)
    expect(page.locator("details[open] img")).to_have_js_property("complete", True)
    assert page.evaluate("document.querySelector('details[open] img').naturalWidth") > 0
    handheld.device.shots("handheld-item-pictures")
