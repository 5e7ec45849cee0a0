"""What the records of stock say: on hand, taken out, returned, received and destroyed, in the units
that each clause asks for.
"""

from __future__ import annotations

import pytest

from custody.rules import core, counts
from tests.rules.stories import Story, files, told

RECEIVED, ISSUED, RETURNED, DESTROYED = "received", "issued", "returned", "destroyed"


def story(name: str) -> Story:
    (path,) = files(name)
    found = told(path)
    assert found.surprises == []
    return found


def day(of: Story, kind: str, date: str, unit: str) -> dict[str, int]:
    """Return the terms of a gaming day that are not zero, in one unit."""
    terms = counts.reconcile(of.book, of.ledger.postings, kind, date)
    return {name: term[unit] for name, term in terms.items() if term.get(unit)}


def test_dice_are_kept_in_sticks_and_in_single_dice() -> None:
    """MD-02.13-M.1.a-d: received, on hand, removed from and returned to storage, in both."""
    dice = story("md-dice-reconciliation-day")
    sticks = day(dice, "dice", "2026-12-02", "sticks")
    singles = day(dice, "dice", "2026-12-02", "dice")
    assert day(dice, "dice", "2026-12-01", "sticks")[RECEIVED] == 20
    assert (sticks[ISSUED], sticks[RETURNED]) == (6, 1)
    assert {name: count * 5 for name, count in sticks.items()} == singles
    hand = counts.on_hand(dice.book, dice.ledger.postings, "dice", "vault")
    assert hand == {"sticks": 15, "dice": 75}


@pytest.mark.parametrize(
    ("name", "date", "drilled"),
    [
        ("md-dice-reconciliation-day", "2026-12-03", 5),
        ("md-dice-lost-and-reopened", "2026-12-02", 9),
    ],
)
def test_what_is_destroyed_is_counted_in_single_dice(name: str, date: str, drilled: int) -> None:
    """MD-02.13-M.1.e, MD-02.13-M.2: a set of five, and one of four after a die was lost; the
    equation closes.
    """
    singles = day(story(name), "dice", date, "dice")
    assert singles[DESTROYED] == drilled
    assert "remainder" not in singles


@pytest.mark.parametrize(
    ("name", "kind", "unit", "date", "terms"),
    [
        # MD-02.16-O.1.a-c, MD-02.16-O.2
        ("md-cards-blackjack", "cards", "decks", "2026-12-01", {RECEIVED: 12, ISSUED: 8}),
        ("md-cards-blackjack", "cards", "decks", "2026-12-09", {DESTROYED: 6}),
        # MD-02.19-Q.1.a-c, MD-02.19-Q.2
        ("md-tiles", "tiles", "sets", "2026-12-01", {RECEIVED: 4, ISSUED: 3}),
        ("md-tiles", "tiles", "sets", "2026-12-02", {DESTROYED: 1}),
        # MD-03.11-M.3
        ("md-coupons", "coupons", "coupons", "2026-04-07", {ISSUED: 200, RETURNED: 78}),
        ("md-coupons", "coupons", "coupons", "2026-04-07", {"distributed": 120, "voided": 2}),
    ],
)
def test_the_terms_of_a_day_are_those_that_the_clause_lists(
    name: str, kind: str, unit: str, date: str, terms: dict[str, int]
) -> None:
    found = day(story(name), kind, date, unit)
    assert {term: found.get(term) for term in terms} == terms


def test_more_decks_are_drawn_than_the_tables_take_and_the_form_asks_for_it() -> None:
    """MD-02.16-C.3: what is drawn includes the reserve of the pit stand."""
    cards = story("md-cards-blackjack")
    spare = counts.on_hand(cards.book, cards.ledger.postings, "cards", "pit1")
    assert spare == {"decks": 2}
    draft = {"step": "issue", "items": ["DK-009"], "to": "pit1", "by": [], "with": {}}
    empty = {"from": None, "into": None, "where": None, "kind": None, "at": 1796040000000}
    asked = core.form(cards.book, cards.ledger, {**draft, **empty})
    assert "MD-02.16-C.3" in {line["clause"] for line in asked["clauses"]}


def test_the_duplicates_of_a_pit_are_missed_where_security_leaves_them() -> None:
    """MD-02.13-K.3: whoever collects the pit's envelopes takes the duplicates too."""
    papers = story("form-dice-reports")
    missed = [one for one in papers.ledger.exceptions if one["clause"] == "MD-02.13-K.3"]
    assert [(one["kind"], one["items"], bool(one["closed"])) for one in missed] == [
        ("form-gap", ["FR-DDR/000002/duplicate"], True)
    ]


def test_a_split_form_goes_two_ways() -> None:
    """MD-02.19-P.4: the duplicate stays with its replacement set, security keeps the original."""
    papers = story("form-tiles-split").ledger
    assert papers.get("item", "TF-001/original")["place"] == "sec"
    assert papers.get("item", "TF-001/duplicate")["place"] == papers.get("item", "TS-11")["place"]
