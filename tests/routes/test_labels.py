"""Labels and photos at the desk: what is printed can be read back."""

import io
import re

import pypdfium2
import pytest
from PIL import Image
from werkzeug.test import TestResponse

from custody.documents import labels, photo
from custody.documents.errors import ZbarMissingError
from custody.documents.label_spec import Label
from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from custody.rules import codes
from tests.routes.conftest import Desk, Open, page, text

NEW = {"prefix": "DS", "count": "24", "size": "", "format": "png", "dpi": "203"}
KNOWN = {"size": "", "format": "png", "dpi": "300"}


def send(browser: Desk, picture: bytes, name: str = "label.png") -> TestResponse:
    return browser.upload("/photo", photo=(picture, name))


def test_labels_for_a_delivery_carry_new_codes_that_can_be_read_back(desk: Open) -> None:
    answer = desk("bea").post("/labels/reserve", **{**NEW, "count": "2"})
    assert answer.status_code == 200
    assert answer.mimetype == "image/png"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="labels.png"'
    found = {one["code"] for one in photo.read(answer.data)}
    assert found == {codes.make("DS", 1), codes.make("DS", 2)}


def test_a_reserved_code_is_never_given_out_again_and_the_log_says_who(
    desk: Open, ledger: Ledger
) -> None:
    browser = desk("bea")
    for _ in range(2):
        assert browser.post("/labels/reserve", **{**NEW, "format": "zpl"}).status_code == 200
    answer = browser.post("/labels/reserve", **{**NEW, "count": "1"})
    assert [one["code"] for one in photo.read(answer.data)] == [codes.make("DS", 49)]
    event = entries.one(ledger, ledger.size() - 1)["event"]
    assert event["with"]["what"] == "codes-reserved"
    assert event["by"][0]["person"] == "bea"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"count": "0"}, "from 1 to 2000"),
        ({"count": "2001"}, "from 1 to 2000"),
        ({"count": "many"}, "from 1 to 2000"),
        ({"count": "²"}, "from 1 to 2000"),
        ({"prefix": "XX"}, "Choose a kind"),
        ({"format": "doc"}, "PDF, PNG or ZPL"),
        ({"size": "1x1"}, "Choose a size"),
        ({"dpi": "72"}, "203 or 300"),
    ],
)
def test_a_mistake_is_422_and_reserves_nothing(
    desk: Open, ledger: Ledger, changed: dict[str, str], told: str
) -> None:
    size = ledger.size()
    answer = desk("bea").post("/labels/reserve", **{**NEW, **changed})
    assert answer.status_code == 422
    assert told in text(answer)
    assert ledger.size() == size


def test_labels_for_known_codes_come_in_the_size_of_their_kind(desk: Open) -> None:
    browser = desk("bea")
    for code in ("D5-001", "EV-001", "vault"):
        answer = browser.post("/labels/print", codes=code, **KNOWN)
        assert answer.status_code == 200, code
        assert [one["code"] for one in photo.read(answer.data)] == [code]
    answer = browser.post("/labels/print", codes="D5-001..D5-003", **{**KNOWN, "format": "pdf"})
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF")


def test_a_label_of_an_envelope_never_prints_the_number_of_its_seal(desk: Open) -> None:
    answer = desk("bea").post("/labels/print", codes="EV-001", **{**KNOWN, "format": "pdf"})
    printed = pypdfium2.PdfDocument(answer.data)[0].get_textpage().get_text_range()
    assert "EV-001" in printed
    assert "S-0001" not in printed


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("", "Give at least one code"),
        ("D5-001 D5-777", "Not known: D5-777"),
        ("S-0001", "Not known: S-0001"),
        ("D5-009..D5-001", "D5-009"),
    ],
)
def test_codes_that_cannot_be_printed_are_422(desk: Open, named: str, told: str) -> None:
    answer = desk("bea").post("/labels/print", codes=named, **KNOWN)
    assert answer.status_code == 422
    assert told in text(answer, ".wrong")


def test_the_page_is_filled_with_the_code_it_was_asked_for(desk: Open) -> None:
    answer = desk("bea").get("/labels?codes=D5-001&places=vault")
    assert page(answer).css_first("textarea").text() == "D5-001\nvault"


def test_a_photo_of_a_label_leads_to_its_item(desk: Open) -> None:
    browser = desk("bea")
    label = browser.post("/labels/print", codes="D5-001", **KNOWN)
    answer = send(browser, label.data)
    assert answer.status_code == 200
    link = page(answer).css_first("tbody a.code")
    assert link.attributes["href"] == "/items/D5-001"
    assert "Sealed" in text(answer, "tbody")


def test_a_code_that_is_not_known_here_is_shown_and_not_guessed(desk: Open) -> None:
    code = codes.make("DS", 1)
    answer = send(desk("bea"), labels.render([Label(code, "51x25")], "png"))
    assert f"{code} not known here" in text(answer, "tbody")
    assert page(answer).css("tbody a") == []


def test_the_label_of_a_reserved_code_is_printed_again_before_anything_bears_it(desk: Open) -> None:
    browser, code = desk("bea"), codes.make("DS", 1)
    assert browser.post("/labels/print", codes=code, **KNOWN).status_code == 422
    browser.post("/labels/reserve", **{**NEW, "count": "1"})
    again = browser.post("/labels/print", codes=code, **KNOWN)
    assert again.status_code == 200
    answer = send(browser, again.data)
    assert f"{code} reserved, not received yet" in text(answer, "tbody")
    beyond = browser.post("/labels/print", codes=codes.make("DS", 2), **KNOWN)
    assert beyond.status_code == 422


def blank() -> bytes:
    written = io.BytesIO()
    Image.new("L", (400, 300), 255).save(written, "PNG")
    return written.getvalue()


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        (b"%PDF-1.7 no picture", "no picture"),
        (b"", "no picture"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "no picture"),
        (blank(), "No code"),
        (b"x" * (photo.MOST_BYTES + 1), "MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_422_and_says_what_would_do(
    desk: Open, picture: bytes, told: str
) -> None:
    answer = send(desk("bea"), picture)
    assert answer.status_code == 422
    assert told in text(answer, ".wrong")


def test_no_file_is_422(desk: Open) -> None:
    assert "Choose a picture" in text(desk("bea").post("/photo"), ".wrong")


def test_a_server_without_zbar_names_the_package_to_install(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> photo.Decoder:
        raise ZbarMissingError("no zbar")

    monkeypatch.setattr(photo, "zbar", missing)
    browser = desk("bea")
    assert "libzbar0" in text(browser.get("/photo"), "[role=alert]")
    answer = send(browser, blank())
    assert answer.status_code == 503
    assert "libzbar0" in text(answer, "[role=alert]")


def test_what_is_far_too_large_is_413_in_a_sentence(desk: Open) -> None:
    answer = send(desk("bea"), b"x" * (26 * 1024 * 1024))
    assert answer.status_code == 413
    assert re.search("larger than this page takes", text(answer))


def test_an_envelopes_label_is_the_regimes_form_with_boxes_to_sign_in(desk: Open) -> None:
    answer = desk("bea").post("/labels/print", codes="EV-001", **{**KNOWN, "format": "pdf"})
    printed = pypdfium2.PdfDocument(answer.data)[0].get_textpage().get_text_range()
    for told in ("Used dice", "CR1", "2026-12-02 04:00", "Runs the game", "MD-02.13-H.3.a.i"):
        assert told in printed, told
    assert "Dee Wood" not in printed, "wet signatures are written by hand"
