"""Fixtures of the desk's tests.

A casino in a folder of its own, and browsers signed in as its people.
"""

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from selectolax.lexbor import LexborHTMLParser
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, encode_multipart

from custody import config
from custody.app import create_app
from custody.ledger import devices
from custody.ledger.core import Ledger, open_ledger
from tests.routes import cast
from tests.support.device import Device, FlaskHttp

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}


class Desk:
    """A browser at a desk, signed in as a person or as nobody."""

    def __init__(self, app: Flask, person: str | None = None) -> None:
        self.client = app.test_client()
        if person:
            answer = self.post("/sign-in", user=person, password=cast.PASSWORD)
            assert answer.status_code == 303, answer.text

    def get(self, address: str, *, part: bool = False) -> TestResponse:
        return self.client.get(address, headers=HTMX if part else {})

    def post(
        self, address: str, *, part: bool = False, token: str | None = None, **form: object
    ) -> TestResponse:
        """Send a form from this site, with the token that the page would carry."""
        headers = {"Sec-Fetch-Site": "same-origin", **(HTMX if part else {})}
        data = {**form, "form_token": self.token() if token is None else token}
        return self.client.post(address, data=data, headers=headers)

    def upload(self, address: str, **files: tuple[bytes, str]) -> TestResponse:
        """Send a form with files, each its content and its name."""
        parts = {
            name: FileStorage(io.BytesIO(content), named)
            for name, (content, named) in files.items()
        }
        boundary, body = encode_multipart({**parts, "form_token": self.token()})
        kind = f"multipart/form-data; boundary={boundary}"
        headers = {"Sec-Fetch-Site": "same-origin"}
        return self.client.post(address, data=body, content_type=kind, headers=headers)

    def token(self) -> str:
        """Return the form token of this browser, as a page shows it."""
        tree = page(self.client.get("/sign-in", follow_redirects=True))
        found = tree.css_first("input[name=form_token]")
        assert found is not None
        return str(found.attributes["value"])


def page(answer: TestResponse) -> LexborHTMLParser:
    """Return an answer's page, to be asked by selector."""
    return LexborHTMLParser(answer.text)


def text(answer: TestResponse, selector: str = "main") -> str:
    """Return the words under a selector, blanks folded; "" when nothing matches."""
    found = page(answer).css(selector)
    return " ".join(" ".join(node.text(separator=" ").split()) for node in found)


Open = Callable[..., Desk]


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The casino's folder as its two days left it; copied for each test."""
    folder = tmp_path_factory.mktemp("casino") / "data"
    cast.found(folder)
    return folder


@pytest.fixture
def clock() -> cast.Clock:
    return cast.Clock(cast.instant(cast.NOW))


@pytest.fixture
def ledger(founded: Path, tmp_path: Path, clock: cast.Clock) -> Iterator[Ledger]:
    folder = tmp_path / "data"
    shutil.copytree(founded, folder)
    opened = open_ledger(config.load(folder), clock)
    yield opened
    opened.close()


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    made = create_app(ledger.config, ledger)
    made.testing = True
    return made


@pytest.fixture
def desk(app: Flask) -> Open:
    """Open a desk: `desk("sue")` signed in, `desk()` as nobody."""
    return lambda person=None: Desk(app, person)


Enrol = Callable[[str], Device]


@pytest.fixture
def handheld(app: Flask, ledger: Ledger, clock: cast.Clock) -> Enrol:
    """Enrol a handheld at the casino: `handheld("Pit 1 tablet")`."""

    def enrol(name: str) -> Device:
        device = Device(FlaskHttp(app), clock)
        assert device.enrol(devices.new_code(ledger, "ada"), name).status == 201
        device.pull()
        return device

    return enrol


@pytest.fixture
def disputed(handheld: Enrol) -> str:
    """The code of a stick that two handhelds moved without knowing of each other."""
    one, other = handheld("Pit 1 tablet"), handheld("Vault reader")
    saw = one.saw("D5-004")
    one.record("issue", items=["D5-004"], to="pit1", by=["fay", "sam", "pam"], saw=saw)
    other.record("issue", items=["D5-004"], to="CR2", by=["gus", "sue"], saw=saw)
    for device in (one, other):
        assert device.push().status == 200
    return "D5-004"
