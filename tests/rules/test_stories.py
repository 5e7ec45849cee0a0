"""What holds in every story, whatever it is about: its verdicts, word for word the same under both
interpreters, and the soundness of the ledger that it leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import cases, counts, lots, portal, refold, stock
from custody.rules_host.micropython import Portal
from tests.rules.stories import SCENARIOS, Story, told

STORIES = sorted(SCENARIOS.rglob("*.jsonl"))
KINDS = ("dice", "cards", "tiles")


@pytest.fixture(scope="module")
def there() -> Iterator[Portal]:
    with Portal() as door:
        yield door


def here(name: str, given: dict[str, Any]) -> Any:
    return portal.FUNCTIONS[name](portal.known({}), given)


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_has_its_verdicts_under_both_interpreters(path: Path, there: Portal) -> None:
    text = path.read_text("utf-8")
    scene = here("setting", {"text": text})["played"]
    book = loader.rulebook(scene["regime"])
    given = {"text": text, "rulebook": book, "site": loader.site(scene)}
    checks = here("rehearse", given)["played"]["checks"]
    assert checks
    assert [check["text"] for check in checks if not check["ok"]] == []
    assert there.call("rehearse", given)["played"]["checks"] == checks


def test_all_the_public_scenarios_are_here() -> None:
    assert len([path for path in STORIES if path.parent == SCENARIOS]) == 24


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_leaves_a_sound_ledger(path: Path) -> None:
    story = told(path)
    assert held(story) == booked(story), "the postings do not say where the items are"
    for code, tips in story.ledger.branches.items():
        for event_id, value in tips:
            if whole(story, value):
                again = refold.state(story.book, story.ledger, code, event_id)
                assert again == value, f"{code}, folded again from nothing, is another"
    for kind in KINDS:
        for day in sorted({line["day"] for line in story.ledger.postings}):
            terms = counts.reconcile(story.book, story.ledger.postings, kind, day)
            assert not any(terms["remainder"].values()), (kind, day, terms)


def whole(story: Story, value: Any) -> bool:
    """Whether an item stands for itself: ranges, their lots, and what has held some are folded
    along their cuts (test_lots, test_cases).
    """
    if value is None or lots.is_range(value) or value["form"] == "lot":
        return False
    records = story.ledger.records.values()
    return value["kind"] != "envelope" or not any(
        isinstance(one, dict) and cases.is_piece(one) for one in records if one and "kind" in one
    )


def booked(story: Story) -> dict[Any, int]:
    """Return what the postings say of each kind, term and place, in each unit."""
    terms, found = counts.stock_terms(story.book), Counter[Any]()
    for line in story.ledger.postings:
        if line["kind"] in KINDS and line["term"] in terms:
            for unit, number in line["units"].items():
                found[line["kind"], line["term"], line["place"], unit] += number
    return {key: number for key, number in found.items() if number}


def held(story: Story) -> dict[Any, int]:
    """Return the same, added up from where the items are."""
    found = Counter[Any]()
    for (of, _), value in story.ledger.records.items():
        if of == "item" and value is not None and value["kind"] in KINDS:
            for (term, place), units in spots(story.book, value):
                for unit, number in units.items():
                    found[value["kind"], term, place, unit] += number
    return {key: number for key, number in found.items() if number}


def spots(book: dict[str, Any], value: dict[str, Any]) -> list[Any]:
    """Where an item lies, and where the tiles lie that went out of it."""
    found = [(stock.position(book, value), stock.units(value))]
    if value["kind"] == "tiles":
        for entry in value.get("taken", []):
            if not entry["ended"]:
                found.append((["awaiting", entry["place"]], {"tiles": len(entry["pieces"])}))
    return [spot for spot in found if spot[0] is not None]
