"""What holds in every story of decks and sets, whatever it is about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from custody.rules import counts, refold, stock
from tests.rules.stories import files, told

STORIES = files("md-cards-*", "md-preshuffle*", "md-tiles*", "md-envelope-broken-seal")
KINDS = ("cards", "tiles")


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_ends_as_its_lines_say(path: Path) -> None:
    assert told(path).surprises == []


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_stock_ledger_is_what_the_items_are(path: Path) -> None:
    story = told(path)
    terms = counts.stock_terms(story.book)
    booked = Counter[Any]()
    for line in story.ledger.postings:
        if line["kind"] in KINDS and line["term"] in terms:
            for unit, number in line["units"].items():
                booked[line["kind"], line["term"], line["place"], unit] += number
    held = Counter[Any]()
    for (of, _), value in story.ledger.records.items():
        if of == "item" and value is not None and value["kind"] in KINDS:
            for (term, place), units in _spots(story.book, value):
                for unit, number in units.items():
                    held[value["kind"], term, place, unit] += number
    assert {k: n for k, n in held.items() if n} == {k: n for k, n in booked.items() if n}


def _spots(book: dict[str, Any], value: dict[str, Any]) -> list[Any]:
    """Where an item lies, and where the tiles lie that went out of it."""
    spots = [(stock.position(book, value), stock.units(value))]
    if value["kind"] == "tiles":
        for entry in value.get("taken", []):
            if not entry["ended"]:
                spots.append((["awaiting", entry["place"]], {"tiles": len(entry["pieces"])}))
    return [spot for spot in spots if spot[0] is not None]


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_an_item_folded_again_from_nothing_is_the_same(path: Path) -> None:
    story = told(path)
    for code, tips in story.ledger.branches.items():
        for event_id, value in tips:
            assert refold.state(story.book, story.ledger, code, event_id) == value, code


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_equation_of_each_gaming_day_closes(path: Path) -> None:
    story = told(path)
    for kind in KINDS:
        for day in sorted({line["day"] for line in story.ledger.postings}):
            terms = counts.reconcile(story.book, story.ledger.postings, kind, day)
            assert not any(terms["remainder"].values()), (kind, day, terms)
