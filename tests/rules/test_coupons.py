"""Coupons: the ledger's sums and forms, and the traps of regimes.md that are about them."""

from __future__ import annotations

from custody.rules import clocks, counts, coupon_ledger, days, lots
from tests.rules.scenes import MINUTE
from tests.rules.test_lots import DAY, Coupons, given

DAY_MS = 24 * 60 * MINUTE


def test_the_daily_form_shows_what_came_went_and_is_left_with_serials_and_voids() -> None:
    """MD-03.11-K.1-3, MD-03.11-K.4-6."""
    ledger = given()
    ledger.step("mark_void", "CL-01", "mel", serials=["MP-000101..MP-000103"], reason="torn")
    ledger.step("return", "MP-000150..MP-000200", "mel amy", to="cstore")
    form = coupon_ledger.form(
        ledger.book, ledger.store, ledger.store.postings, ["CL-01"], DAY, "mkt"
    )
    numbers = {name: form[name]["coupons"] for name in form if isinstance(form[name], dict)}
    assert numbers == {
        "opening": 0,
        "received": 200,
        "distributed": 100,
        "returned": 51,
        "voided": 3,
        "remaining": 46,
        "difference": 0,
    }
    assert form["remaining"]["value"] == 46_000
    assert form["serials"] == ["MP-000104..MP-000149"]
    assert form["void"] == [["MP-000101..MP-000103", "torn"]]


def test_a_quarter_is_a_calendar_quarter_and_its_report_the_value_redeemed_in_it() -> None:
    """MD-03.11-O."""
    assert coupon_ledger.quarter("2026-05-31") == ["2026-04-01", "2026-06-30"]
    assert coupon_ledger.quarter("2026-12-31") == ["2026-10-01", "2026-12-31"]
    assert coupon_ledger.quarter("2027-01-01") == ["2027-01-01", "2027-03-31"]
    ledger = given()
    ledger.step("redeem", "MP-000001..MP-000003", "dee", to="drop", table="BJ1")
    first, last = coupon_ledger.quarter(DAY)
    found = coupon_ledger.redeemed(ledger.store.postings, first, last)
    assert found == {"coupons": 3, "value": 3000}
    assert coupon_ledger.redeemed(ledger.store.postings, "2027-01-01", "2027-03-31")["value"] == 0


def test_the_equation_is_by_denomination_and_shows_what_was_redeemed_beyond_what_was_given() -> (
    None
):
    ledger = given()
    ledger.step("redeem", "MP-000001..MP-000002", "abe", where="acct", box="B-1")
    ledger.step("redeem", "MP-000300..MP-000399", "abe", where="acct", box="B-1")
    found = coupon_ledger.by_design(ledger.store.postings, DAY, DAY)
    entry = found["match_play:1000"]
    assert (entry["issued"]["coupons"], entry["distributed"]["coupons"]) == (200, 100)
    assert (entry["redeemed"]["coupons"], entry["over"]) == (102, 2)


def test_a_balance_can_be_asked_by_denomination() -> None:
    ledger = given()
    for design, number in (("match_play:1000", 300), ("match_play:500", 0)):
        hand = counts.on_hand(ledger.book, ledger.store.postings, "coupons", "cstore", design)
        assert hand["coupons"] == number


def test_trap_23_the_ledger_comes_before_the_hand_over() -> None:
    ledger = Coupons()
    reasons = ledger.reasons("distribute", "CL-01", "mel", to="player", first="MP-000001")
    assert [r["clause"] for r in reasons if r["code"] == "not-issued"] == ["MD-03.11-I"]


def test_trap_23_leftovers_need_an_approved_area_and_stand_on_the_next_days_form() -> None:
    for controls, clauses in (({}, ["MD-03.11-L.1"]), ({"carry_over": "approved"}, [])):
        ledger = Coupons(**controls)
        ledger.issue("MP-000001..MP-000010", 10)
        found = clocks.due(ledger.book, ledger.store, ["CL-01"], ledger.now + DAY_MS)
        assert [entry["clause"] for entry in found if entry["status"] == "due"] == clauses
        form = coupon_ledger.form(
            ledger.book,
            ledger.store,
            ledger.store.postings,
            ["CL-01"],
            days.name(days.number(DAY) + 1),
            "mkt",
        )
        assert form["opening"]["coupons"] == 10
        assert form["serials"] == ["MP-000001..MP-000010"]


def test_trap_23_a_push_moves_nothing() -> None:
    ledger = given()
    before = lots.value_of(ledger.store, "MP-000007")
    reasons = ledger.reasons("redeem", "CL-01", "dee", to="BJ1", serials=["MP-000007"], table="BJ1")
    assert [r["code"] for r in reasons] == ["not-into-drop"]
    assert lots.value_of(ledger.store, "MP-000007") == before


def test_trap_23_the_monthly_count_covers_what_marketing_holds() -> None:
    ledger = Coupons(carry_over="approved")
    ledger.issue("MP-000001..MP-000010", 10)
    later = ledger.now + 40 * DAY_MS
    places = [
        entry["place"]
        for entry in clocks.due_counts(ledger.book, ledger.store, "coupons", None, later)
        if entry["status"] == "due"
    ]
    assert sorted(places) == ["cstore", "mkt"]
    ledger.step("return", "MP-000001..MP-000010", "mel amy", to="cstore")
    found = clocks.due_counts(ledger.book, ledger.store, "coupons", "mkt", later)
    assert found == []
