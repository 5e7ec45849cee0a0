"""Cases at the desk: received by a number, shown as what is left, counted by design and code."""

import pytest

from custody.ledger import desk as signing
from custody.ledger.core import Ledger
from custody.ledger.reading import counting, life
from tests.routes.conftest import Open, page, text

DESIGN = "05012345678900"
STICKS = {"size": 5, "games": ["craps"], "design": DESIGN}


@pytest.fixture
def cases(ledger: Ledger) -> Ledger:
    """Twenty sticks in a case, of which three are in the pit stand."""
    made = {"kind": "dice", "form": "stick", "attributes": STICKS}
    told = {"invoiced": 20, "invoice": "I9", "box": "B9", "seals": "intact"}
    step(
        ledger, "fay sam", step="receive", items=["CASE-1*20"], to="dock", **made, **{"with": told}
    )
    step(ledger, "fay sam", step="store", items=["CASE-1"], to="vault")
    step(ledger, "fay sam pam", step="issue", items=["CASE-1*3"], to="pit1")
    return ledger


def step(ledger: Ledger, by: str, **draft: object) -> int:
    signers = [{"person": person} for person in by.split()]
    return signing.record_at_desk(ledger, draft, signers).position


def test_the_rest_of_a_case_is_one_line_of_its_place(cases: Ledger, desk: Open) -> None:
    shown = text(desk("bea").get("/stock/vault?kind=dice"), "tbody")
    assert "CASE-1/004..CASE-1/020" in shown
    assert "CASE-1/001" not in shown


def test_a_day_reconciles_by_design(cases: Ledger, desk: Open) -> None:
    browser = desk("bea")
    asked = f"/reconcile?kind=dice&design={DESIGN}"
    found = {
        row.css_first("th").text(separator=" ").split()[0]: [td.text() for td in row.css("td")]
        for row in page(browser.get(asked)).css("tbody tr")
    }
    assert found["Received"] == ["20", "100"]
    assert found["Issued"] == ["3", "15"]
    assert found["Closing"] == ["20", "100"]
    behind = browser.get(f"/reconcile/issued?kind=dice&design={DESIGN}")
    assert len(page(behind).css("tbody tr")) == 1


def test_a_count_by_design_shows_each_design_that_differs(cases: Ledger) -> None:
    counted = {"found": {DESIGN: 16, "D5": 8}, "blind": True}
    position = step(cases, "iris", step="count", kind="dice", where="vault", **{"with": counted})
    lines = counting.one(cases, position)["lines"]
    assert [[line["code"], line["expected"], line["found"]] for line in lines] == [[DESIGN, 17, 16]]


def test_a_count_by_code_shows_the_case_that_is_short(cases: Ledger) -> None:
    counted = {"found": [*[f"D5-{n:03d}" for n in range(3, 11)], "CASE-1*16"], "blind": True}
    position = step(cases, "iris", step="count", kind="dice", where="vault", **{"with": counted})
    lines = counting.one(cases, position)["lines"]
    assert [[line["code"], line["expected"], line["found"]] for line in lines] == [
        ["CASE-1", 17, 16]
    ]


def test_a_cases_page_shows_where_its_pieces_are(cases: Ledger, desk: Open) -> None:
    rows = page(desk("bea").get("/items/CASE-1")).css("section[aria-labelledby=h-pieces] tbody tr")
    assert [" ".join(row.text(separator=" ").split()) for row in rows] == [
        "CASE-1/001..CASE-1/003 3 In reserve pit1",
        "CASE-1/004..CASE-1/020 17 In the store vault",
    ]


def test_a_piece_has_the_life_of_its_range_from_the_receipt_on(cases: Ledger) -> None:
    found = life.of_item(cases, "CASE-1/002")
    assert found["code"] == "CASE-1/001..CASE-1/003"
    assert [entry["event"]["step"] for entry in found["entries"]] == ["receive", "store", "issue"]
    assert all(entry["clauses"] for entry in found["entries"])
