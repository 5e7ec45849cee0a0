"""On hand, envelopes, and a gaming day's reconciliation."""

import pytest

from custody.ledger import desk as signing
from custody.ledger.core import Ledger
from tests.routes.conftest import Enrol, Open, page, text


def rows(answer: object, selector: str = "tbody tr") -> list[str]:
    return [" ".join(r.text(separator=" ").split()) for r in page(answer).css(selector)]  # type: ignore[arg-type]


def test_on_hand_shows_sticks_and_dice_by_place_and_the_sites_sum(desk: Open) -> None:
    answer = desk("bea").get("/stock")
    assert rows(answer) == [
        "CR1 A table, craps, pit1 Dice Sticks 1, Dice 5",
        "pit1 A pit stand Dice Sticks 1, Dice 5",
        "vault A store, primary store Dice Sticks 8, Dice 40",
    ]
    assert rows(answer, "tfoot tr") == ["Site Dice Sticks 10, Dice 50"]


def test_what_a_person_carries_is_at_no_place_and_still_on_hand(desk: Open, ledger: Ledger) -> None:
    signing.record_at_desk(ledger, {"step": "collect", "items": ["EV-001"]}, [{"person": "sam"}])
    answer = desk("bea").get("/stock")
    assert rows(answer)[0] == "Carried by a person Dice Sticks 1, Dice 5"
    assert rows(answer, "tfoot tr") == ["Site Dice Sticks 10, Dice 50"]


def test_a_place_shows_the_items_that_are_there_now(desk: Open) -> None:
    answer = desk("bea").get("/stock/vault?kind=dice")
    assert "8 items here" in text(answer, "h2")
    assert "D5-003" in text(answer, "tbody")
    assert "D5-001" not in text(answer, "tbody")


def test_an_empty_place_says_so(desk: Open) -> None:
    assert "Nothing is here" in text(desk("bea").get("/stock/annex"))


def test_a_place_that_is_not_approved_is_marked(desk: Open) -> None:
    assert "Not approved" in text(desk("bea").get("/stock/annex"), ".title")


def test_an_unknown_place_is_404(desk: Open) -> None:
    assert desk("bea").get("/stock/nowhere").status_code == 404


def test_envelopes_are_listed_and_filtered_by_state(desk: Open) -> None:
    browser = desk("sue")
    assert rows(browser.get("/envelopes")) == ["EV-001 Used Sealed pit1 1"]
    part = browser.get("/envelopes?state=collected", part=True)
    assert "No envelope here" in part.text
    assert "<html" not in part.text


def test_a_day_reconciles_term_by_term(desk: Open) -> None:
    answer = desk("bea").get("/reconcile?day=2026-12-01&kind=dice")
    found = {
        row.css_first("th").text(separator=" ").split()[0]: row
        for row in page(answer).css("tbody tr")
    }
    sums = {name: [cell.text() for cell in row.css("td")] for name, row in found.items()}
    assert sums["Opening"] == ["0", "0"]
    assert sums["Received"] == ["10", "50"]
    assert sums["Issued"] == ["3", "15"]
    assert sums["Closing"] == ["10", "50"]
    assert sums["Remainder"] == ["0", "0"]
    assert "No remainder" in text(answer, ".note.good")


def test_a_remainder_is_shown_and_never_forced_to_zero(desk: Open) -> None:
    answer = desk("bea").get("/reconcile?day=2026-12-01&kind=dice&place=vault")
    assert "Remainder:" in text(answer, ".note.bad")


def test_a_term_opens_the_events_behind_it(desk: Open) -> None:
    browser = desk("bea")
    sums = page(browser.get("/reconcile?day=2026-12-01&kind=dice"))
    link = next(a for a in sums.css("tbody a") if a.text() == "Issued")
    answer = browser.get(str(link.attributes["href"]))
    assert answer.status_code == 200
    assert rows(answer) == ["Issue D5-001 , D5-002 , D5-003 vault 2026-12-01 08:00 -05:00 3 15"]


def test_a_day_whose_handhelds_have_not_reported_is_provisional(
    desk: Open, handheld: Enrol, clock: object
) -> None:
    clock.now -= 24 * 3_600_000  # type: ignore[attr-defined]
    handheld("Pit 1 tablet")
    clock.now += 24 * 3_600_000  # type: ignore[attr-defined]
    assert "provisional" in text(desk("bea").get("/reconcile"), ".note.warn")


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "20261201", "2026-12-01T00:00"])
def test_what_is_no_day_is_422_and_says_what_is(desk: Open, day: str) -> None:
    browser = desk("bea")
    whole = browser.get(f"/reconcile?day={day}&kind=dice")
    assert whole.status_code == 422
    assert "YYYY-MM-DD" in text(whole, "[role=alert]")
    part = browser.get(f"/reconcile?day={day}&kind=dice", part=True)
    assert part.status_code == 422
    assert "<html" not in part.text


def test_a_term_that_is_none_is_404(desk: Open) -> None:
    assert desk("bea").get("/reconcile/nonsense?day=2026-12-01").status_code == 404
