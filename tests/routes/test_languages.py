"""The desk in Spanish and in English: as the browser was told, as the person has it, as it asks."""

import pytest
from flask import Flask, Response
from werkzeug.exceptions import BadRequest

from custody.ledger import people
from custody.ledger.core import Ledger
from custody.routes import errors, vocabulary
from tests.routes import cast
from tests.routes.conftest import Open, page, text

NAMES = {"red", "dice maker"}  # what people wrote, and no word of the vocabulary
ADMIN = [{"person": "ada", "how": "password"}]
SPANISH = {"Accept-Language": "es-US,es;q=0.9,en;q=0.5"}
PAGES = {
    "/": "Hoy",
    "/due": "Vencimientos",
    "/exceptions": "Excepciones",
    "/silence": "Silencios",
    "/stock": "En existencia",
    "/stock?at=2026-12-01T12:00": "En existencia",
    "/items/D5-001": "D5-001",
    "/items/D5-001?at=2026-12-01T12:00": "D5-001",
    "/envelopes": "Sobres",
    "/reconcile": "Conciliación",
    "/counts": "Recuentos",
    "/coupons": "Cupones",
    "/seals": "Precintos y formularios",
    "/destruction": "Destrucción",
    "/receipts?event=3": "Recibo del evento 3",
    "/steps": "Registrar un paso",
    "/labels": "Etiquetas",
    "/clauses": "Cláusulas",
    "/approvals": "Aprobaciones",
}


def test_the_browsers_language_is_taken_where_nobody_chose_one(app: Flask) -> None:
    client = app.test_client()
    tree = page(client.get("/sign-in", headers=SPANISH))
    assert tree.css_first("html").attributes["lang"] == "es"
    assert tree.css_first("h1").text() == "Iniciar sesión"
    assert (
        page(client.get("/sign-in", headers={"Accept-Language": "fr"})).css_first("h1").text()
        == "Sign in"
    )


@pytest.mark.parametrize("address", PAGES)
def test_every_page_speaks_spanish(desk: Open, address: str) -> None:
    browser = desk("pam")
    answer = browser.client.get(address, headers=SPANISH)
    assert answer.status_code == 200
    assert page(answer).css_first("h1").text().strip() == PAGES[address]
    assert "Iniciar" not in text(answer, "nav")
    assert "Excepciones" in text(answer, "nav")


@pytest.mark.parametrize("person", ["pam", "ada", "cora"])
def test_no_word_of_the_field_is_left_as_the_record_has_it(
    desk: Open, disputed: str, person: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state, a kind or a field without a Spanish word would be written as its identifier."""
    bare: set[str] = set()
    plain = vocabulary.plain
    monkeypatch.setattr(vocabulary, "plain", lambda id_: bare.add(id_) or plain(id_))
    browser = desk(person)
    more = ("/items/EV-001", f"/items/{disputed}", "/devices", "/people", "/places", "/events")
    more += ("/steps/access?kind=dice", "/steps/cancel?kind=dice", "/clauses/MD-02.13-M.2")
    for address in (*PAGES, *more):
        browser.client.get(address, headers=SPANISH)
    assert sorted(bare - NAMES) == []


def test_a_persons_own_language_goes_before_the_browsers(desk: Open, ledger: Ledger) -> None:
    value = {**cast.PEOPLE["pam"], "language": "es"}
    people.save_person(ledger, "pam", value, ADMIN)
    assert text(desk("pam").get("/"), "h1") == "Hoy"


def test_who_sits_at_a_browser_chooses_its_language_and_stays_where_they_were(desk: Open) -> None:
    browser = desk("pam")
    button = page(browser.get("/stock")).css_first("button[name=language]")
    assert (button.attributes["value"], button.text()) == ("es", "Español")
    sent = browser.post("/language", language="es", back="/stock?kind=dice")
    assert (sent.status_code, sent.location) == (303, "/stock?kind=dice")
    assert text(browser.get("/stock"), "h1") == "En existencia"
    browser.post("/language", language="en", back="/")
    assert text(browser.get("/stock"), "h1") == "On hand"


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/\\x", ""])
def test_a_language_never_leads_to_another_site(desk: Open, back: str) -> None:
    assert desk("pam").post("/language", language="es", back=back).location == "/"


def test_a_language_that_is_none_changes_nothing(desk: Open) -> None:
    browser = desk("pam")
    assert "Set-Cookie" not in browser.post("/language", language="xx", back="/").headers
    assert text(browser.get("/"), "h1") == "Today"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/people/nobody", "Aquí no se conoce nada con el nombre nobody."),
        ("/events/999", "Aquí no se conoce nada con el nombre 999."),
        ("/no-such-page", "No hay ninguna página en esta dirección."),
    ],
)
def test_what_is_not_there_is_said_in_the_persons_language_and_in_the_desks_frame(
    desk: Open, address: str, told: str
) -> None:
    answer = desk("ada").client.get(address, headers=SPANISH)
    assert answer.status_code == 404
    assert told in text(answer, "[role=alert]")
    assert text(answer, "h1") == "No está aquí"
    assert "Excepciones" in text(answer, "nav")


def test_a_clause_is_marked_as_english_on_a_spanish_page_and_sorted_in_spanish(desk: Open) -> None:
    browser = desk("pam")
    shown = page(browser.client.get("/clauses/MD-02.13-M.2", headers=SPANISH))
    told = [one.text() for one in shown.css("dd")]
    assert "Conciliación" in told
    assert "reconciliation" not in told
    english = [one.text() for one in shown.css("[lang=en]")]
    assert any("Daily reconciliation" in one for one in english)


def test_an_error_without_words_of_its_own_is_not_said_in_the_servers_english(app: Flask) -> None:
    with app.test_request_context("/stock", headers=SPANISH):
        answer = errors.refuse(BadRequest())
    assert isinstance(answer, Response)
    assert answer.status_code == 400
    assert "No se pudo responder" in answer.get_data(as_text=True)
