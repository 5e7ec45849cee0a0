"""Which backings are in circulation for poker on a gaming day (MD-02.15-G)."""

from __future__ import annotations

from typing import Any

from custody.rules import backings
from custody.rules.facts import Book

DAY = "2026-12-01"


def room(*decks: dict[str, Any]) -> Book:
    """Return the facts of a poker room: a store, a pit, a table of poker and one of blackjack."""
    facts = Book(["destroyed"])
    facts.put("place", "store", {"type": "storage", "use": "poker"})
    facts.put("place", "pit", {"type": "pit_stand"})
    facts.put("place", "PK1", {"type": "table", "game": "poker"})
    facts.put("place", "BJ1", {"type": "table", "game": "blackjack"})
    for number, more in enumerate(decks):
        attributes = {"games": more.pop("games", ["poker"]), "back": more.pop("back", None)}
        value = {"kind": "cards", "state": "reserve", "place": "pit", "attributes": attributes}
        facts.put("item", f"PD-{number}", dict(value, **more))
    return facts


def backs(*decks: dict[str, Any]) -> list[str]:
    return backings.in_circulation(room(*decks), "poker", DAY, "PK1")


def test_decks_in_the_pit_and_at_a_table_of_the_game_are_in_circulation() -> None:
    at_table = {"back": "red", "place": "PK1", "state": "in_play"}
    assert backs({"back": "blue"}, at_table, {"back": "blue"}) == ["blue", "red"]


def test_decks_in_the_store_of_another_game_or_without_a_known_backing_are_not() -> None:
    stored = {"back": "blue", "place": "store", "state": "stored"}
    assert backs(stored, {"back": "red", "games": ["blackjack"]}, {}) == []


def test_a_deck_that_was_used_counts_on_the_day_of_its_use_alone() -> None:
    today = {"back": "blue", "state": "sealed", "packed": {"day": DAY}}
    earlier = {"back": "red", "state": "removed", "removal": {"day": "2026-11-30"}}
    assert backs(today, earlier) == ["blue"]
