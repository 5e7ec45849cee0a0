"""The coupon ledger: lots, days, months and quarters, in coupons and value."""

import pytest

from custody.ledger.core import Ledger
from tests.routes import cast, lots
from tests.routes.conftest import Open, page, text


@pytest.fixture
def story(ledger: Ledger, clock: cast.Clock) -> None:
    lots.play(ledger, clock, lots.COUPONS)


def rows(answer: object, section: str) -> list[str]:
    found = page(answer).css(f"section[aria-labelledby={section}] tbody tr")  # type: ignore[arg-type]
    return [" ".join(row.text(separator=" ").split()) for row in found]


def test_without_coupons_every_page_says_so(desk: Open) -> None:
    browser = desk("bea")
    assert "No coupons yet" in text(browser.get("/coupons"))
    assert "No line in the ledger" in text(browser.get("/coupons/day"))
    assert "No count yet" in text(browser.get("/coupons/totals"))


def test_a_lot_shows_how_many_are_in_which_state(desk: Open, story: None) -> None:
    row = rows(desk("bea").get("/coupons"), "h-lots")[0]
    for told in ("CL-01", "MP-000001 … MP-000500", "$10.00", "2027-09-30"):
        assert told in row
    for state in ("In the store 300", "Distributed 119", "Voided 2", "Redeemed 1", "Returned 78"):
        assert state in row


def test_a_lot_shows_its_ranges_and_why_one_is_void(desk: Open, story: None) -> None:
    found = rows(desk("bea").get("/coupons/lots/CL-01"), "h-ranges")
    assert len(found) == 6
    assert found[0].startswith("MP-000001..MP-000006 6 $60.00 Distributed")
    assert "MP-000007 1 $10.00 Redeemed BJ1" in found[1]
    assert "torn while counting out" in found[3]


def test_the_ledger_of_a_lot_says_who_signed_with_which_licence(desk: Open, story: None) -> None:
    found = rows(desk("bea").get("/coupons/lots/CL-01"), "h-lines")
    issue = next(row for row in found if "Issued 200" in row)
    for told in ("$2,000.00", "Bea Long", "L-2001", "Mel Dale", "L-3001"):
        assert told in issue
    void = next(row for row in found if "Voided 2" in row)
    assert "torn while counting out" in void
    assert [row for row in found if "Redeemed 1" in row]
    assert len(found) == 7


def test_a_day_closes_in_coupons_and_in_value(desk: Open, story: None) -> None:
    answer = desk("bea").get("/coupons/day?day=2026-12-02")
    terms = rows(answer, "h-terms")
    for told in (
        "Opening 0 $0.00",
        "Received 500 $5,000.00",
        "Issued 200 $2,000.00",
        "Given out 120 $1,200.00",
        "Returned 78 $780.00",
        "Voided 2 $20.00",
        "Redeemed 1 $10.00",
        "Closing 378 $3,780.00",
    ):
        assert told in terms
    assert "Every coupon is accounted for" in text(answer, ".note.good")
    assert "MD-03.11-K.1-3" in text(answer, ".cites")
    asked = text(answer, "section[aria-labelledby=h-asked]")
    for told in ("200", "$10.00", "0 not issued yet", "L-3001", "L-2001"):
        assert told in asked


def test_a_coupon_that_is_lost_stays_in_sight_and_does_not_balance_by_force(
    desk: Open, story: None, ledger: Ledger
) -> None:
    answer = desk("bea").get("/reconcile?day=2026-12-02&kind=coupons")
    shown = text(answer, "tbody")
    assert "Given out" in shown
    assert "$1,200.00" in shown
    assert "No remainder" in text(answer, ".note.good")


def test_the_quarter_says_what_was_redeemed_by_its_clause(desk: Open, story: None) -> None:
    answer = desk("bea").get("/coupons/totals?year=2026")
    assert rows(answer, "h-quarters") == [
        "Quarter 1 0 $0.00",
        "Quarter 2 0 $0.00",
        "Quarter 3 0 $0.00",
        "Quarter 4 1 $10.00",
    ]
    assert "MD-03.11-O" in text(answer, "section[aria-labelledby=h-quarters]")
    months = rows(answer, "h-months")
    assert len(months) == 1
    assert months[0].startswith("2026-12 500 $5,000.00 200 $2,000.00 120 $1,200.00")


def test_the_monthly_count_shows_when_it_is_due_and_that_it_was_made(
    desk: Open, story: None
) -> None:
    browser = desk("iris")
    before = rows(browser.get("/coupons/totals"), "h-counts")
    assert any("cstore next by 2027-01-0" in row for row in before)
    sent = browser.post("/counts", kind="coupons", where="cstore", found="CL-01 378")
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    assert "Agrees" in text(browser.get(sent.location), ".note.good")
    after = rows(browser.get("/coupons/totals"), "h-counts")
    assert any("Iris Vale" in row for row in after)


def test_a_count_of_coupons_names_the_lot_that_differs(desk: Open, story: None) -> None:
    browser = desk("iris")
    sent = browser.post("/counts", kind="coupons", where="cstore", found="CL-01 377")
    found = rows(browser.get(sent.location), "h-lines")
    assert found[0].startswith("CL-01 378 377 1 missing")


def test_coupons_that_leave_while_they_are_counted_are_no_shortage(
    desk: Open, story: None, ledger: Ledger, clock: cast.Clock
) -> None:
    began = clock.now
    more = {**lots.NEEDED, "quantity": 10}
    steps = [
        {**lots.COUPONS[2], "at": "2026-12-02T14:05", "with": more},
        {**lots.COUPONS[3], "at": "2026-12-02T14:10", "items": ["MP-000201..MP-000210"]},
    ]
    for step in steps:
        cast.take(ledger, clock, step)
    clock.now += 60_000
    browser = desk("iris")
    form = {"kind": "coupons", "where": "cstore", "found": "CL-01 378", "opened": str(began)}
    found = browser.get(browser.post("/counts", **form).location)
    assert rows(found, "h-lines")[0].startswith("CL-01 368 378 Moved meanwhile")
    assert text(found, ".note.bad") == ""


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/coupons/day?day=soon", "is not a day"),
        ("/coupons/day?day=2026-02-30", "is not a day"),
        ("/coupons/totals?year=last", "is not a year"),
        ("/coupons/totals?year=²", "is not a year"),
    ],
)
def test_what_is_no_day_or_year_is_422(desk: Open, address: str, told: str) -> None:
    answer = desk("bea").get(address)
    assert answer.status_code == 422
    assert told in text(answer, "[role=alert], .wrong")


def test_a_lot_that_is_none_is_404(desk: Open, story: None) -> None:
    assert desk("bea").get("/coupons/lots/CL-99").status_code == 404
    assert desk("bea").get("/coupons/lots/D5-001").status_code == 404


@pytest.mark.parametrize(
    "address", ["/coupons", "/coupons/day", "/coupons/totals", "/coupons/lots/CL-01"]
)
def test_whoever_has_no_stock_to_read_sees_no_coupons(desk: Open, address: str) -> None:
    assert desk("fay").get(address).status_code == 403
    assert desk("bea").client.put(address).status_code == 405


def test_marketing_reads_the_ledger_and_signs_at_the_desk(desk: Open, story: None) -> None:
    assert desk("mel").get("/coupons").status_code == 200
    assert desk("max").get("/coupons").status_code == 403
