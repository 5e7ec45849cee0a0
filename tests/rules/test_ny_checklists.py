"""What only a person can check in New York is a line of the form, under its clause."""

from __future__ import annotations

from typing import Any

import pytest

from custody.rules import core
from tests.rules.stories import files, told

NOON = 1796144400000  # 2026-12-01T12:00 in New York


def lines(story: str, draft: dict[str, Any]) -> list[tuple[str, str]]:
    """Return line and clause of the checklist that a step has at the end of a story."""
    (path,) = files(story)
    end = told(path)
    whole = {"at": NOON, "by": [], "with": {}, "items": [], **draft}
    form = core.form(end.book, end.ledger, whole)
    return [(line["line"], line["clause"]) for line in form["clauses"]]


def receipt(kind: str, form: str) -> dict[str, Any]:
    return {"step": "receive", "kind": kind, "form": form, "items": ["X-1"], "to": "dock"}


USED = {"step": "pack", "items": ["N5-05"], "into": "NV-9", "with": {"purpose": "used"}}
AFTER = {"step": "examine", "items": ["NK-02"], "with": {"result": "pass"}}


@pytest.mark.parametrize(
    ("story", "draft", "line", "clause"),
    [
        ("ny-dice-stores", receipt("dice", "stick"), "dice.logo", "NY-5322.11-a.9"),
        ("ny-tiles-rules", receipt("tiles", "set"), "ny.tile_feature", "NY-5322.12-b.3"),
        ("ny-tiles-rules", receipt("tiles", "set"), "ny.set_packaged", "NY-5322.12-c"),
        ("ny-cards-draw", receipt("cards", "deck"), "ny.deck_packaged", "NY-5322.14-g"),
        ("ny-cards-draw", receipt("cards", "batch"), "ny.package_receipt", "NY-5322.16-c.2.iv"),
        ("ny-dice-stores", USED, "ny.container_clear", "NY-5322.13-b-p2"),
        ("ny-cards-examined", AFTER, "inspector.trained", "NY-5322.15-l.7"),
    ],
)
def test_a_form_asks_for_what_a_person_checks(
    story: str, draft: dict[str, Any], line: str, clause: str
) -> None:
    assert (line, clause) in lines(story, draft)


def test_a_line_is_asked_only_of_what_it_is_about() -> None:
    assert "ny.tile_feature" not in dict(lines("ny-dice-stores", receipt("dice", "stick")))
    assert "ny.package_receipt" not in dict(lines("ny-cards-draw", receipt("cards", "deck")))
