"""Pictures on the desk's pages: safe copies, and what is told of those that are not there."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from PIL import Image

from custody.ledger.upstream.names import EXTENSION
from tests.routes.conftest import Enrol, Open, page, text
from tests.support.device import Device
from tests.support.pictures import name_of, picture

PICTURE = picture("JPEG", (640, 480))
NAME = name_of(PICTURE)
OTHER = "a" * 64


@pytest.fixture
def device(handheld: Enrol) -> Device:
    """A handheld that moved a stick, with one picture here and one awaited."""
    made = handheld("Pit 1 tablet")
    told = {"photos": [NAME, OTHER, "no hash", 7]}
    by = ["fay", "sam", "pam"]
    saw = made.saw("D5-004")
    made.record("issue", items=["D5-004"], to="pit1", by=by, saw=saw, **{"with": told})
    assert made.push().status == 200
    assert made.call("PUT", f"/sync/v1/blobs/{NAME}", PICTURE).status == 201
    return made


def test_an_event_shows_its_pictures_and_which_are_awaited(desk: Open, device: Device) -> None:
    opened = desk("iris")
    answer = opened.get("/items/D5-004")
    shown = page(answer).css(".pictures img")
    assert [node.attributes["src"] for node in shown] == [f"/pictures/{NAME}/small"]
    assert shown[0].attributes["alt"] == "Picture 1 of this event"
    assert "Picture awaited from its device" in text(answer, ".pictures")
    assert "no hash" not in text(answer, ".pictures")


def test_what_is_shown_is_a_copy_and_what_is_saved_the_original(desk: Open, device: Device) -> None:
    opened = desk("iris")
    copy = opened.get(f"/pictures/{NAME}/large")
    assert copy.content_type == "image/jpeg"
    assert Image.open(io.BytesIO(copy.data)).size == (640, 480)
    assert copy.data != PICTURE
    original = opened.get(f"/pictures/{NAME}/original")
    assert original.data == PICTURE
    assert original.headers["Content-Disposition"] == f'attachment; filename="{NAME}"'


def test_one_that_came_and_is_no_picture_is_told(desk: Open, handheld: Enrol) -> None:
    made, content = handheld("Pit 1 tablet"), b"no picture"
    told = {"photos": [name_of(content)]}
    by = ["fay", "sam", "pam"]
    saw = made.saw("D5-004")
    made.record("issue", items=["D5-004"], to="pit1", by=by, saw=saw, **{"with": told})
    made.push()
    assert made.call("PUT", f"/sync/v1/blobs/{name_of(content)}", content).status == 422
    assert "What came is no picture" in text(desk("sue").get("/items/D5-004"), ".pictures")


@pytest.mark.parametrize("address", [f"/pictures/{OTHER}/small", "/pictures/x/small"])
def test_one_that_is_not_here_is_not_found(desk: Open, device: Device, address: str) -> None:
    assert desk("sue").get(address).status_code == 404
    assert desk("sue").get(f"/pictures/{NAME}/huge").status_code == 404


def test_nobody_looks_without_signing_in(desk: Open, device: Device) -> None:
    assert desk().get(f"/pictures/{NAME}/small").status_code == 303
    assert desk("sue").get(f"/pictures/{NAME}/original").status_code == 403


def test_a_site_node_asks_its_upstream_for_one(app: Flask, desk: Open, device: Device) -> None:
    asked: list[str] = []

    class Node:
        def fetch_picture(self, name: str) -> bool:
            asked.append(name)
            return False

    app.extensions[EXTENSION] = Node()
    opened = desk("sue")
    assert "Ask the upstream" in text(opened.get("/items/D5-004"), ".pictures")
    assert opened.get(f"/pictures/{OTHER}/large").status_code == 404
    assert asked == [OTHER]
