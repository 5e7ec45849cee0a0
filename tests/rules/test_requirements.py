"""What a rulebook asks of like things is found once in a book, as it would be found anew."""

from __future__ import annotations

from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import book, requirements

SITE = {"regime": "MD", "zone": "America/New_York", "day_starts": "06:00"}
DAY = "2026-11-30"
WORDS = {"kind": "dice", "game": ["craps"], "look": "before_play", "result": "pass", "room": "pit"}


def loaded(control: str) -> dict[str, Any]:
    setting = {**SITE, "controls": {"dice_inspection": control}}
    return dict(book.load(loader.rulebook("MD"), loader.site(setting)))


@pytest.fixture
def first() -> dict[str, Any]:
    return loaded("alternative_1")


def clauses(parts: list[dict[str, Any]]) -> list[Any]:
    return [part["entry"]["clause"] for part in parts]


def test_the_same_is_asked_of_things_that_no_entry_tells_apart(first: dict[str, Any]) -> None:
    once = requirements.of(first, "inspect", WORDS, DAY)
    assert once
    assert requirements.of(first, "inspect", {**WORDS, "purpose": "used"}, DAY) is once


def test_what_is_kept_is_what_would_be_found_anew(first: dict[str, Any]) -> None:
    kept = clauses(requirements.of(first, "inspect", WORDS, DAY))
    entry = book.select(first, "inspect", WORDS, DAY)
    assert kept[0] == entry["clause"]
    assert clauses(requirements.of(first, "inspect", {**WORDS, "kind": "cards"}, DAY)) != kept


def test_books_share_nothing(first: dict[str, Any]) -> None:
    requirements.of(first, "inspect", WORDS, DAY)
    other = loaded("alternative_2")
    assert other["required"] == {}
    asked = requirements.of(other, "inspect", WORDS, DAY)
    assert asked[0]["entry"] is not requirements.of(first, "inspect", WORDS, DAY)[0]["entry"]


def test_an_entry_that_is_not_in_force_yet_is_not_answered_from_another_day(
    first: dict[str, Any],
) -> None:
    assert requirements.of(first, "inspect", WORDS, DAY) is not None
    assert requirements.of(first, "inspect", WORDS, "1990-01-01") is None


def test_a_table_begins_anew_when_it_is_full(
    first: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requirements, "MOST", 3)
    for day in range(1, 10):
        requirements.of(first, "inspect", WORDS, f"2026-12-{day:02}")
    assert len(first["required"]["inspect"]["known"]) <= 3


def test_the_same_jobs_in_another_order_are_judged_anew(first: dict[str, Any]) -> None:
    people = [{"id": "fay", "job": "floorperson"}, {"id": "dee", "job": "dealer"}]
    part = requirements.of(first, "inspect", WORDS, DAY)[0]
    assert requirements.signed(part, people)
    assert not requirements.signed(part, people[1:])


def test_a_field_that_holds_no_word_fails_where_an_entry_asks_for_it(
    first: dict[str, Any],
) -> None:
    with pytest.raises(TypeError):
        requirements.of(first, "inspect", {**WORDS, "look": {}}, DAY)


class Emptied(dict[Any, Any]):
    """A table that another thread always empties before it is looked at again."""

    def __setitem__(self, key: Any, value: Any) -> None:
        return


def test_a_table_that_another_thread_empties_costs_no_answer(first: dict[str, Any]) -> None:
    people = [{"id": "fay", "job": "floorperson"}, {"id": "dee", "job": "dealer"}]
    expected = clauses(requirements.of(first, "inspect", WORDS, DAY))
    first["required"]["inspect"]["known"] = Emptied()
    asked = requirements.of(first, "inspect", WORDS, DAY)
    asked[0]["signed"] = Emptied()
    assert clauses(asked) == expected
    assert requirements.signed(asked[0], people)
