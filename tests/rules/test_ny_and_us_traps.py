"""The traps that a rulebook for New York or the federal standards can fall into, each with the
story that walks around it; and every core rule of theirs with the story that exercises it.
"""

from __future__ import annotations

import csv
import json
import re
from importlib.resources import files as resources
from typing import Any

import pytest

from tests.rules.stories import files

OK, REFUSED, DUE, NOT_DUE = "ok", "refused", "due", "not due"

NY, US542, US543 = "NY-5322.", "US-542.12-", "US-543.10-"

TRAPS: list[Any] = [
    (1, "dice count from collection", "ny-dice-destruction", DUE, NY + "13-k"),
    (1, "cards count from the earlier gathering", "ny-cards-gathered", DUE, NY + "15-n"),
    (1, "US 542 counts from play", "us542-period", DUE, US542 + "f.3"),
    (2, "a house's hold stops no clock of New York", "ny-dice-destruction", DUE, NY + "13-k"),
    (2, "cards of an investigation stay intact", "us543-investigation", REFUSED, US543 + "c.3"),
    (3, "what is released goes at once", "ny-cards-examined", OK, "destroy by sam"),
    (4, "no bar on who looks at the day's end", "ny-dice-envelopes", OK, "inspect by fay"),
    (5, "two signatures mean two people", "ny-dice-tampering", REFUSED, NY + "13-e.1.ii"),
    (8, "what waits stays in the equation", "ny-dice-stores", OK, "reconcile"),
    (9, "a reserve label names no pit", "ny-dice-envelopes", OK, "pack by asa"),
    (10, "a damaged card has its own envelope", "ny-cards-damaged", REFUSED, NY + "15-f"),
    (11, "before play the deck goes, not the card", "ny-cards-unsuitable", REFUSED, NY + "15-c.1"),
    (11, "and the commission is told", "ny-cards-unsuitable", OK, "notify by fay"),
    (14, "New York waives no signature", "ny-dice-envelopes", REFUSED, NY + "13-h-p2"),
    (15, "security is no witness of the draw", "ny-cards-draw", REFUSED, NY + "15-b"),
    (16, "hours go by whether players touch", "ny-cards-clocks", DUE, NY + "15-e.1-2"),
    (17, "no pair signs the receipt of cards", "ny-cards-draw", OK, "receive by sam"),
    (18, "sampling is never a default", "ny-cards-no-sampling", REFUSED, NY + "15-l.3.iii"),
    (18, "two pools share no deck", "ny-cards-sampling", REFUSED, NY + "15-l.1.ii-p2"),
    (21, "a secondary store feeds no pit", "ny-dice-stores", REFUSED, NY + "13-a-p4"),
    (21, "returns count against the primary", "ny-dice-stores", REFUSED, NY + "13-j-p2"),
    (22, "a machine's receipt, not a hand's count", "ny-preshuffle-rules", REFUSED, NY + "16-b.4"),
    (22, "back into the same container", "ny-preshuffle-rules", REFUSED, NY + "16-g"),
    (24, "three months end with their gaming day", "us542-plastic", DUE, US542 + "g"),
    (25, "no evidence goes without a report", "ny-dice-tampering", REFUSED, NY + "13-e-p2"),
]


def lines(story: str) -> list[dict[str, Any]]:
    (path,) = files(story)
    return [
        json.loads(line)
        for line in path.read_text("utf-8").splitlines()[1:]
        if line and not line.startswith("#")
    ]


def shows(line: dict[str, Any], verdict: str, what: str) -> bool:
    if verdict == REFUSED:
        return line["expect"] == REFUSED and line.get("clause") == what
    if verdict == DUE:
        return line.get("ask") == DUE and what in line["expect"]
    if line.get("ask"):
        return bool(line["ask"] == what)
    return bool(line["expect"] == OK and f"{line['step']} by {line['by'][0]}" == what)


@pytest.mark.parametrize(
    ("trap", "what", "story", "verdict", "sign"),
    TRAPS,
    ids=[f"trap {trap}: {what}" for trap, what, *_ in TRAPS],
)
def test_a_story_walks_around_a_trap(
    trap: int, what: str, story: str, verdict: str, sign: str
) -> None:
    assert any(shows(line, verdict, sign) for line in lines(story)), (trap, what)


def rules() -> list[str]:
    """Return the core gates, roles, deadlines and counts of what lies on the floor."""
    text = resources("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8")
    return [
        row["id"]
        for row in csv.DictReader(text.splitlines())
        if row["regime"] in ("NY", "US542", "US543")
        and row["scope"] == "core"
        and row["check"] in ("gate", "role", "deadline", "count")
        and row["id"] not in RECORDS
    ]


# What a page of the desk shows, or a review there, and no step of the floor.
RECORDS = ("NY-5322.15-m.6", "US-542.12-e.2", "US-542.12-j.3")
ALL = "\n".join(path.read_text("utf-8") for path in files("ny-*", "us542-*", "us543-*"))


@pytest.mark.parametrize("clause", rules())
def test_a_story_exercises_every_core_rule(clause: str) -> None:
    assert re.search(re.escape(clause) + r"(?![\w.-])", ALL), clause
