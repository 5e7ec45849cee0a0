"""People at the desk of an administrator."""

import pytest

from custody.ledger import credentials
from custody.ledger.core import Ledger
from custody.ledger.reading import entries, records
from tests.routes import cast
from tests.routes.conftest import Open, page, text

NEW = {"id": "p20", "name": "Nia Cole", "job": "dealer", "language": "es", "supervises": ""}


def test_a_person_is_added_with_a_job_as_an_event_without_the_name(
    desk: Open, ledger: Ledger
) -> None:
    browser = desk("ada")
    sent = browser.post("/people", **NEW)
    assert sent.status_code == 303
    assert "Nia Cole is added." in text(browser.get(sent.location), ".note.good")
    assert records.known(ledger, "person", "p20")["job"] == "dealer"
    entry = entries.one(ledger, ledger.size() - 1)
    assert entry["event"]["step"] == "administer"
    assert entry["event"]["by"][0]["person"] == "ada"
    assert "Nia" not in entry["body"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"name": ""}, "Give a name"),
        ({"job": ""}, "Choose a job"),
        ({"id": "two words"}, "no blanks"),
        ({"id": ""}, "no blanks"),
        ({"id": "fay"}, "Somebody has this sign-in name"),
        ({"job": "wizard"}, "wizard"),
    ],
)
def test_a_mistake_is_422_keeps_what_was_typed_and_changes_nothing(
    desk: Open, ledger: Ledger, changed: dict[str, str], told: str
) -> None:
    size = ledger.size()
    answer = desk("ada").post("/people", **{**NEW, **changed})
    assert answer.status_code == 422
    assert told in text(answer)
    kept = page(answer).css_first("input[name=license]")
    assert kept is not None
    assert ledger.size() == size


def test_a_change_keeps_badge_and_pin(desk: Open, ledger: Ledger) -> None:
    browser = desk("ada")
    assert browser.post("/people/fay/badge", badge="B-77001").status_code == 303
    assert browser.post("/people/fay/pin", pin="480215").status_code == 303
    browser.post("/people/fay", name="Fay Moss", job="pit_manager", supervises="craps, sic_bo")
    value = records.known(ledger, "person", "fay")
    assert value["job"] == "pit_manager"
    assert value["supervises"] == ["craps", "sic_bo"]
    assert value["badge"]
    assert value["pin"]["rounds"] == credentials.PIN_ROUNDS
    assert "B-77001" not in str(value)
    assert "480215" not in str(value)


@pytest.mark.parametrize("pin", ["12345", "123456", "111111", "abcdef", ""])
def test_a_weak_pin_is_422_and_is_not_shown_again(desk: Open, ledger: Ledger, pin: str) -> None:
    answer = desk("ada").post("/people/fay/pin", pin=pin)
    assert answer.status_code == 422
    assert text(answer, ".wrong")
    assert not page(answer).css_first("input[name=pin]").attributes.get("value")
    assert records.known(ledger, "person", "fay")["pin"] is None


def test_a_badge_of_somebody_else_is_422(desk: Open) -> None:
    browser = desk("ada")
    browser.post("/people/fay/badge", badge="B-77001")
    answer = browser.post("/people/gus/badge", badge="B-77001")
    assert answer.status_code == 422
    assert "Fay Moss" in text(answer, ".wrong")
    assert browser.post("/people/gus/badge", badge=" ").status_code == 422


def test_a_link_is_shown_once_and_sets_a_password(desk: Open) -> None:
    browser = desk("ada")
    answer = browser.post("/people/carl/link")
    link = text(answer, ".note.good .code")
    assert link.startswith("http://localhost/welcome/")
    assert "welcome" not in text(browser.get("/people/carl"), ".note.good")
    opened = desk().get(link.removeprefix("http://localhost"))
    assert "carl" in text(opened, "p")


def test_a_job_without_a_desk_gets_no_link(desk: Open) -> None:
    assert desk("ada").post("/people/dee/link").status_code == 422


def test_revoking_asks_first_and_can_be_taken_back(desk: Open, ledger: Ledger) -> None:
    browser = desk("ada")
    assert browser.post("/people/fay/revoke").status_code == 422
    assert browser.post("/people/fay/revoke", sure="yes").status_code == 303
    assert records.known(ledger, "person", "fay")["active"] is False
    assert "Revoked" in text(browser.get("/people/fay"), ".title")
    assert browser.post("/people/fay/restore").status_code == 303
    assert records.known(ledger, "person", "fay")["active"] is True


def test_nobody_revokes_themselves(desk: Open, ledger: Ledger) -> None:
    assert desk("ada").post("/people/ada/revoke", sure="yes").status_code == 422
    assert records.known(ledger, "person", "ada")["active"] is True


def test_an_unknown_person_is_404(desk: Open) -> None:
    browser = desk("ada")
    assert browser.get("/people/nobody").status_code == 404
    for act in ("", "/badge", "/pin", "/link", "/revoke", "/restore"):
        form = {"name": "x", "job": "dealer", "badge": "b", "pin": "480215", "sure": "yes"}
        assert browser.post(f"/people/nobody{act}", **form).status_code == 404, act


def test_the_list_says_how_each_person_signs_on(desk: Open) -> None:
    browser = desk("ada")
    browser.post("/people/fay/badge", badge="B-77001")
    rows = {
        row.css_first("td.code").text(): " ".join(row.text(separator=" ").split())
        for row in page(browser.get("/people")).css("tbody tr")
    }
    assert set(rows) == set(cast.PEOPLE)
    assert rows["fay"].endswith("Floorperson MD-1234 badge")
    assert rows["gus"].endswith("nothing yet")


def test_a_spanish_reader_gets_sentences_and_words_in_spanish(desk: Open) -> None:
    desk("ada").post("/people/sue", name="Sue Hart", job="security_supervisor", language="es")
    answer = desk("sue").get("/")
    assert page(answer).css_first("html").attributes["lang"] == "es"
    assert "Falta una firma" in text(answer, "section[aria-labelledby=h-wrong]")
