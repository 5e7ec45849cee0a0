"""The desk's pages of approvals, records and clauses."""

from __future__ import annotations

import pytest

from custody.ledger import keeping, overlays
from custody.ledger.core import Ledger
from custody.ledger.reading import approving
from custody.routes import rights
from custody.rulebooks import coverage, loader
from tests.routes import cast
from tests.routes.conftest import Open, page, text
from tests.rulebooks.test_overlay import BY, GOOD
from tests.rulebooks.test_overlay_adds import ADDS

ENTRY = {
    "value": "waived",
    "clause": "MD-02.13-K.2",
    "reference": "IC-7",
    "approved_on": "2026-11-01",
    "in_force": "2026-12-01",
    "document": "b" * 64,
}


def test_the_register_says_what_runs_and_on_what_it_rests(desk: Open) -> None:
    answer = desk("cora").get("/approvals")
    assert answer.status_code == 200
    rows = {row.css_first("th").text().strip(): row.text() for row in page(answer).css("tbody tr")}
    assert "Alternative 1" in rows["Distribution and inspection of dice"]
    assert "As founded" in rows["Distribution and inspection of dice"]
    assert "Strictest reading" in rows["Signature of the collector"]
    assert "Not approved" in rows["annex"]
    assert "MD-03.16-D" in rows["annex"]


def test_an_entry_made_at_the_desk_runs_and_shows_its_paper(desk: Open) -> None:
    browser = desk("ada")
    answer = browser.post("/approvals/control/collector_signature", **ENTRY)
    assert answer.status_code == 303, answer.text
    shown = text(browser.get("/approvals/control/collector_signature"))
    assert "Waived" in shown
    assert "IC-7, approved 2026-11-01, in force from 2026-12-01" in shown
    assert "bbbbbbbbbbbbbbbb" in shown


def test_a_mistake_in_an_entry_is_422_beside_its_field_and_keeps_what_was_typed(
    desk: Open, ledger: Ledger
) -> None:
    size = ledger.size()
    answer = desk("ada").post(
        "/approvals/control/collector_signature", **{**ENTRY, "document": "letter"}
    )
    assert answer.status_code == 422
    assert "SHA-256" in text(answer, "#w-document")
    assert page(answer).css_first("#f-reference").attributes["value"] == "IC-7"
    assert ledger.size() == size


def test_an_entry_is_ended_at_the_desk(desk: Open) -> None:
    browser = desk("ada")
    browser.post("/approvals/control/collector_signature", **ENTRY)
    ended = browser.post(
        "/approvals/control/collector_signature",
        end="control:collector_signature:1",
        last="2026-12-01",
    )
    assert ended.status_code == 303
    assert "ran until 2026-12-01" in text(browser.get("/approvals/control/collector_signature"))


def test_what_is_not_in_the_register_is_404(desk: Open) -> None:
    answer = desk("ada").get("/approvals/control/colour")
    assert answer.status_code == 404
    assert "Nothing called colour is approved here" in text(answer)


def test_an_overlay_is_loaded_at_the_desk_or_refused_with_file_and_line(desk: Open) -> None:
    browser = desk("ada")
    wrong = GOOD.replace("hours = 12", "hours = 30").encode()
    refused = browser.upload("/approvals/overlay", file=(wrong, "operator.toml"))
    assert refused.status_code == 422
    assert "operator.toml, line 24: 30 hours would loosen MD-02.13-O.1" in text(refused)
    loaded = browser.upload("/approvals/overlay", file=(GOOD.encode(), "operator.toml"))
    assert loaded.status_code == 303
    assert "harbor@3, in force from 2026-12-05" in text(browser.get("/approvals"))


@pytest.mark.parametrize(
    ("job", "like"), [("night_floorperson", "floorperson"), ("duty_manager", "shift_manager")]
)
def test_a_job_of_the_overlay_has_the_desk_of_the_job_beside_or_below_it(
    desk: Open, ledger: Ledger, job: str, like: str
) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    desk("ada").post("/people/sue", name="Sue Hart", job=job, language="en")
    browser = desk("sue")
    may = rights.of(like, {})
    assert browser.get("/").status_code == 200
    assert browser.get("/stock").status_code == (200 if rights.STOCK in may else 403)
    assert browser.get("/people").status_code == 403
    assert rights.of(job, {}) == frozenset()


def test_clauses_show_how_they_are_met_where_and_what_tries_them(desk: Open) -> None:
    shown = text(desk("fay").get("/clauses/MD-02.13-O.1"))
    assert "Clock" in shown
    assert "md.toml" in shown
    assert "md-dice-rotation" in shown


def test_the_list_of_clauses_counts_them_and_is_handed_out_as_csv(desk: Open) -> None:
    browser = desk("fay")
    assert "302 core clauses" in text(browser.get("/clauses?regime=MD"))
    sheet = browser.get("/clauses/coverage.csv")
    assert sheet.mimetype == "text/csv"
    assert len(sheet.text.splitlines()) == len(coverage.clauses()) + 1


def test_the_records_lead_to_inventory_and_to_each_kinds_reconciliation(desk: Open) -> None:
    """MD-02.13-M.1.a-d, MD-02.16-O.1.a-c, MD-02.19-Q.1.a-c; MD-02.13-M.2, MD-02.16-O.2,
    MD-02.19-Q.2: on hand, and the terms of the day, of each kind.
    """
    browser = desk("iris")
    links = {
        link.attributes["href"]
        for link in page(browser.get("/records")).css("tbody th a")
        if link.attributes["href"]
    }
    assert {"/stock", *(f"/reconcile?kind={k}" for k in ("dice", "cards", "tiles"))} <= links
    for kind, units in (("dice", "sticks"), ("cards", "decks"), ("tiles", "sets")):
        shown = text(browser.get(f"/reconcile?kind={kind}&day=2026-12-01")).lower()
        assert units in shown
        for term in ("issued", "returned", "destroyed", "reserve", "remainder"):
            assert term in shown, (kind, term)


def test_the_value_redeemed_in_a_quarter_is_told_and_its_report_recorded(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    """MD-03.11-O: each quarter the Commission gets the total value of coupons redeemed."""
    clock.now = cast.instant("2027-01-02T12:00")
    browser = desk("bea")
    assert "2026-Q4" in text(browser.get("/"))
    assert "Not yet" in text(browser.get("/records/redeemed_value"))
    done = browser.post("/records/redeemed_value", period="2026-Q4", found="letter 12 of January")
    assert done.status_code == 303
    assert "letter 12 of January" in text(browser.get("/records/redeemed_value?period=2026-Q4"))
    assert "2026-Q4" not in text(browser.get("/"))


def test_software_in_place_of_paper_is_approved_under_its_clause() -> None:
    """US-542.12-a: computerized alternatives count when the tribal regulator approved them."""
    rulebook = loader.rulebook("US542")
    named = {one["name"]: one for one in rulebook["approval"]}
    assert named["software"]["clause"] == ["US-542.12-a"]
    rows = approving._rules(rulebook, [], "2026-12-01")
    assert {row["subject"]: row["basis"] for row in rows}["software"] == "text"
    entry = {"id": "rule:software:1", "of": "rule", "subject": "software", "expires": "2026-12-31"}
    register = [{**entry, "in_force": "2026-12-01"}]
    for day, basis in (("2026-12-31", "approved"), ("2027-01-01", "lapsed")):
        rows = approving._rules(rulebook, register, day)
        assert {row["subject"]: row["basis"] for row in rows}["software"] == basis


@pytest.mark.parametrize(
    ("period", "found", "told"),
    [
        ("2026-13", "x", "write one such as 2026-Q4"),
        ("2026-Q5", "x", "write one such as 2026-Q4"),
        ("2026-Q4", " ", "say what was found"),
    ],
)
def test_a_period_that_is_none_is_422(desk: Open, period: str, found: str, told: str) -> None:
    answer = desk("bea").post("/records/redeemed_value", period=period, found=found)
    assert answer.status_code == 422
    assert told in text(answer)


def test_a_period_is_recorded_once(desk: Open) -> None:
    browser = desk("bea")
    browser.post("/records/redeemed_value", period="2026-Q4", found="letter")
    again = browser.post("/records/redeemed_value", period="2026-Q4", found="letter")
    assert again.status_code == 422
    assert "recorded already" in text(again)


def test_who_reads_and_signs_nothing_cannot_record_a_review(desk: Open, ledger: Ledger) -> None:
    size = ledger.size()
    answer = desk("cora").post("/records/redeemed_value", period="2026-Q4", found="x")
    assert answer.status_code == 403
    assert ledger.size() == size


def test_a_floorperson_does_not_read_the_records(desk: Open) -> None:
    """US-542.12-e.2: documentation is limited to authorized personnel."""
    assert desk("fay").get("/records").status_code == 403


def test_months_and_quarters_have_their_bounds() -> None:
    assert keeping.bounds("quarter", "2026-Q4") == ("2026-10", "2026-12")
    assert keeping.bounds("month", "2026-02") == ("2026-02", "2026-02")


def test_a_field_of_an_overlay_stands_on_the_desks_form_under_its_own_label(
    desk: Open, ledger: Ledger
) -> None:
    overlays.load(ledger, "operator.toml", ADDS, BY)
    shown = text(desk("pam").get("/steps/inspect?items=D5-001"))
    assert "Lamp used" in shown
    assert "Findings" in shown
