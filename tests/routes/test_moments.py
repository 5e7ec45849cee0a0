"""Items, places and balances as they were, at the desk."""

import re

import pytest

from custody.ledger import desk as signing
from custody.ledger import places
from custody.ledger.core import Ledger
from tests.routes import cast
from tests.routes.conftest import Open, page, text

LATE = {"fact": {"why": "late", "at": cast.instant("2026-12-02T10:00")}}


@pytest.fixture
def told_late(ledger: Ledger) -> str:
    """A stick of which the desk learns at 14:00 that it was issued at 10:00."""
    draft = {"step": "issue", "items": ["D5-005"], "to": "pit1", "with": LATE}
    by = [{"person": one} for one in ("fay", "sam", "pam")]
    signing.record_at_desk(ledger, draft, by)
    return "D5-005"


def sides(browser: object, address: str) -> list[str]:
    answer = browser.get(address)  # type: ignore[attr-defined]
    assert answer.status_code == 200
    found = page(answer).css(".side")
    return [" ".join(node.text(separator=" ").split()) for node in found]


def test_an_item_is_shown_as_known_then_beside_as_known_now(desk: Open, told_late: str) -> None:
    then, now = sides(desk("sue"), f"/items/{told_late}?at=2026-12-02T12:00")
    assert "As known then" in then
    assert "vault" in then
    assert "As known now" in now
    assert "pit1" in now


def test_the_events_below_are_those_of_the_knowledge_that_was_asked_for(
    desk: Open, told_late: str
) -> None:
    browser = desk("sue")
    address = f"/items/{told_late}?at=2026-12-02T12:00"
    assert "Issue" not in text(browser.get(address), ".life")
    assert "Issue" in text(browser.get(address + "&known=now"), ".life")
    assert "Then and now differ" in text(browser.get(address))


def test_what_happened_after_the_instant_is_not_there(desk: Open) -> None:
    answer = desk("sue").get("/items/D5-001?at=2026-12-01T08:12")
    assert "The log held" in text(answer, ".note.info")
    assert "CR1" in text(answer, ".side")
    assert "EV-001" not in text(answer, ".side")
    assert "Then and now differ" not in text(answer)


def test_before_it_came_an_item_was_not_in_custody(desk: Open) -> None:
    told = text(desk("sue").get("/items/D5-001?at=2026-11-30T12:00"), ".side")
    assert told.count("Not in custody") == 2


@pytest.mark.parametrize("at", ["yesterday", "2026-13-01T00:00", "2027-01-01T00:00"])
@pytest.mark.parametrize("address", ["/items/D5-001", "/stock", "/stock/vault"])
def test_a_time_that_is_none_or_still_to_come_is_said_and_the_present_shown(
    desk: Open, address: str, at: str
) -> None:
    answer = desk("sue").get(f"{address}?at={at}")
    assert answer.status_code == 422
    assert text(answer, ".moment .wrong")
    assert text(answer, ".note.info") == ""


def test_balances_of_then_stand_beside_those_of_now(desk: Open, told_late: str) -> None:
    answer = desk("bea").get("/stock?at=2026-12-02T12:00")
    rows = [" ".join(r.text(separator=" ").split()) for r in page(answer).css("tbody tr")]
    vault = next(row for row in rows if row.startswith("vault"))
    assert re.search(r"Sticks 8, Dice 40 Sticks 7, Dice 35", vault)
    pit = next(row for row in rows if row.startswith("pit1"))
    assert "Sticks 2" in pit


def test_the_items_of_a_place_are_those_that_were_there(desk: Open, told_late: str) -> None:
    browser = desk("bea")
    address = "/stock/pit1?at=2026-12-02T12:00&known="
    assert told_late not in text(browser.get(address + "then"), "tbody")
    assert told_late in text(browser.get(address + "now"), "tbody")
    told = text(browser.get("/stock/vault?at=2026-12-01T07:10"))
    assert "Nothing was here at that time" in told


def test_who_may_not_see_the_stock_does_not_see_it_as_it_was(desk: Open) -> None:
    assert desk("sam").get("/stock?at=2026-12-02T12:00").status_code == 403


def test_places_are_called_what_they_were_called_then(desk: Open, ledger: Ledger) -> None:
    value = {"type": "storage", "use": "primary", "name": "Strongroom"}
    places.save_place(ledger, "vault", value, [{"person": "ada", "how": "password"}])
    browser = desk("bea")
    for address in ("/stock", "/stock/vault"):
        told = [
            text(browser.get(f"{address}?at=2026-12-02T12:00&known={known}"))
            for known in ("then", "now")
        ]
        assert ["Strongroom" in one for one in told] == [False, True], address
    before, after = sides(browser, "/items/D5-005?at=2026-12-02T12:00")
    assert ("Strongroom" in before, "Strongroom" in after) == (False, True)
