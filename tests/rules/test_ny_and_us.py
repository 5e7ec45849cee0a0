"""What holds in every story of New York and of the two federal standards, whatever it is about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from custody.rules import counts, refold, stock
from tests.rules.stories import files, told

STORIES = files("ny-*", "us542-*", "us543-*")
KINDS = ("dice", "cards", "tiles")


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
                if unit != "tiles":
                    booked[line["kind"], line["term"], line["place"], unit] += number
    held = Counter[Any]()
    for (of, _), value in story.ledger.records.items():
        spot = stock.position(story.book, value) if of == "item" and value else None
        if spot is not None and value["kind"] in KINDS:
            for unit, number in stock.units(value).items():
                if unit != "tiles":
                    held[value["kind"], spot[0], spot[1], unit] += number
    assert {k: n for k, n in held.items() if n} == {k: n for k, n in booked.items() if n}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_an_item_folded_again_from_nothing_is_the_same(path: Path) -> None:
    story = told(path)
    for code, tips in story.ledger.branches.items():
        for event_id, value in tips:
            if value["kind"] in ("seals", "coupons"):
                continue  # ranges are folded along their cuts (test_lots)
            assert refold.state(story.book, story.ledger, code, event_id) == value, code


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_equation_of_each_gaming_day_closes(path: Path) -> None:
    story = told(path)
    for kind in KINDS:
        for day in sorted({line["day"] for line in story.ledger.postings}):
            terms = counts.reconcile(story.book, story.ledger.postings, kind, day)
            assert not any(terms["remainder"].values()), (kind, day, terms)


def test_the_receipt_of_a_batch_stays_at_the_table_and_goes_back_into_its_container() -> None:
    (path,) = files("ny-preshuffle-rules")
    story = told(path)
    forms = [
        value
        for (of, key), value in story.ledger.records.items()
        if of == "task" and key.startswith("form:")
    ]
    by_receipt = {form["receipt"]: form for form in forms}
    first = by_receipt["R-1"]
    assert first["machine"] == "reader 7"
    assert first["delivered"]["table"] == "MB1"
    assert first["original"] == {"state": "with_batch", "place": "NX-1", "holder": None}
    assert first["duplicate"]["state"] == "none"
