"""Each core gate, role, deadline and count has a story that notices when its rule is taken out."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

import pytest

from custody.rulebooks import coverage, loader
from custody.rules import rehearsal
from tests.rules.stories import SCENARIOS

INNER = ("signers", "fields", "needs", "checklist")
JUDGED = ("gate", "role", "deadline", "count")
# What no entry of a rulebook does by itself, and where it is tried instead.
ELSEWHERE = {
    "MD-02.13-F.2.a.iii": "its parent F.2.a asks for the same pit manager",
    "MD-02.13-M.1.a-d": "tests/rules/test_inventories.py",
    "MD-02.13-M.1.e": "tests/rules/test_inventories.py",
    "MD-02.13-M.2": "tests/rules/test_inventories.py",
    "MD-02.16-C.3": "tests/rules/test_inventories.py",
    "MD-02.16-O.1.a-c": "tests/rules/test_inventories.py",
    "MD-02.16-O.2": "tests/rules/test_inventories.py",
    "MD-02.19-Q.1.a-c": "tests/rules/test_inventories.py",
    "MD-02.19-Q.2": "tests/rules/test_inventories.py",
    "NY-5322.13-j.1-3": "tests/rulebooks/test_regimes_at_the_desk.py",
    "NY-5322.15-m.1-3": "tests/rulebooks/test_regimes_at_the_desk.py",
    "NY-5322.15-m.6": "tests/rulebooks/test_regimes_at_the_desk.py",
    "US-542.12-e.2": "tests/rulebooks/test_pages.py",
    "US-542.12-j.3": "tests/rulebooks/test_regimes_at_the_desk.py",
}


class Told(NamedTuple):
    """A scenario: its text, its setting, the clauses of its verdicts and those of its notes."""

    text: str
    scene: dict[str, Any]
    verdicts: set[str]
    notes: set[str]


def judged() -> list[str]:
    rows = coverage.rows(coverage.CORE)
    return [row.clause["id"] for row in rows if row.clause["check"] in JUDGED]


@cache
def stories() -> list[Told]:
    """Return every scenario, the shortest first."""
    found = []
    for path in sorted(SCENARIOS.rglob("*.jsonl")):
        text = path.read_text("utf-8")
        lines = [line.strip() for line in text.splitlines()]
        notes = {c for line in lines if line.startswith("#") for c in coverage._tried(line)}
        verdicts = {c for line in lines if line[:1] == "{" for c in coverage._tried(line)}
        found.append(Told(text, rehearsal.setting(text), verdicts, notes))
    return sorted(found, key=lambda story: len(story.text))


@cache
def whole(regime: str) -> str:
    return json.dumps(loader.rulebook(regime))


def without(regime: str, clause: str) -> str:
    """Return a rulebook without what cites a clause or one below it; "" where nothing does."""
    book = json.loads(whole(regime))
    gone = 0
    for entry in [*book["step"], *book.get("rule", [])]:
        for part in set(INNER) & set(entry):
            kept = [one for one in entry[part] if not cites(one, clause)]
            gone += len(entry[part]) - len(kept)
            entry[part] = kept
    for part in ("clock", "count"):
        kept = [one for one in book.get(part, []) if not cites(one, clause)]
        gone += len(book.get(part, [])) - len(kept)
        book[part] = kept
    return json.dumps(book) if gone else ""


def cites(part: dict[str, Any], clause: str) -> bool:
    named = part.get("clause") or []
    named = named if isinstance(named, list) else [named]
    return any(one == clause or one.startswith((f"{clause}.", f"{clause}-")) for one in named)


def notices(story: Told, rulebook: str) -> bool:
    played = rehearsal.play(story.text, json.loads(rulebook), loader.site(story.scene))
    return not all(check["ok"] for check in played["checks"])


@pytest.mark.parametrize("clause", [one for one in judged() if one not in ELSEWHERE])
def test_a_story_notices_when_the_rule_of_a_clause_is_taken_out(clause: str) -> None:
    regime = coverage.clauses()[clause]["regime"]
    rulebook = without(regime, clause)
    assert rulebook, "no entry of the rulebook does anything for this clause"
    told = [one for one in stories() if clause in one.verdicts]
    told += [one for one in stories() if clause in one.notes - one.verdicts]
    assert any(notices(story, rulebook) for story in told)


def test_what_no_entry_does_by_itself_is_tried_where_it_is_said_to_be() -> None:
    tried = coverage.read_tests(SCENARIOS.parent)
    assert set(judged()) >= set(ELSEWHERE)
    for clause, where in ELSEWHERE.items():
        if where.startswith("tests/"):
            tests = tried[clause]["tests"]
            assert any(test.startswith(where) for test in tests), clause


def test_no_core_clause_is_named_by_a_note_alone() -> None:
    tried = coverage.read_tests(SCENARIOS.parent)
    verdicts = {clause for story in stories() for clause in story.verdicts}
    core = [row.clause["id"] for row in coverage.rows(coverage.CORE, tried)]
    assert [one for one in core if one not in verdicts and not tried[one].get("tests")] == []
