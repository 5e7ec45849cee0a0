"""The traps that a rulebook for Maryland's cards and tiles can fall into, each with the story that
walks around it.

A story shows a trap by the verdicts that it expects: a refusal under a clause, or a deadline that
is in the list of what is due, or is not.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.rules.stories import files, told

REFUSED, DUE = "refused", "due"

TRAPS: list[Any] = [
    (1, "the clock starts with the first collection", "md-cards-collector-required", DUE, "P"),
    (2, "an operator's hold stops no clock of cards", "md-cards-destruction", DUE, "P"),
    (2, "only the regulator's hold stops the clock of tiles", "md-tiles-holds", DUE, "R.1"),
    (3, "a release starts a clock of five days", "md-cards-destruction", DUE, "P.1"),
    (5, "one person does not sign twice", "md-cards-opening", REFUSED, "F.2"),
    (8, "what is held stays in the equation", "md-cards-destruction", REFUSED, "N.9"),
    (9, "a reserve label gives the number of decks", "md-cards-reserve", REFUSED, "L.1-3"),
    (9, "a reserve label of tiles gives neither", "md-tiles-envelopes", REFUSED, "J"),
    (10, "a damaged card stays in its deck", "md-cards-damaged-card", REFUSED, "I.3.f"),
    (10, "a replacement deck is no deck", "md-cards-damaged-card", REFUSED, "I.3.g"),
    (10, "enveloping is daily for table games", "md-cards-damaged-card", DUE, "I.4"),
    (10, "tampering never goes this way", "md-cards-damage-or-tampering", REFUSED, "I.7"),
    (11, "card or deck before play", "md-cards-unsuitable", REFUSED, "G.1"),
    (12, "one damaged tile takes the set out", "md-tiles-damaged", REFUSED, "G.1"),
    (12, "a floorperson is enough before play", "md-tiles-damaged", REFUSED, "C.3.a"),
    (12, "sets are not mixed", "md-tiles-rebuild-gates", REFUSED, "O"),
    (13, "a single tile has its own clock", "md-tiles-replacement-sets", DUE, "R.1"),
    (14, "tiles know no waiver", "md-tiles-collector-never-waived", REFUSED, "K.1"),
    (14, "a waiver ends no collection", "md-cards-collector-waived", REFUSED, "M.1"),
    (16, "game and dealing method set the hours", "md-cards-rotation", DUE, "T.1.a"),
    (16, "midi baccarat is an event", "md-cards-rotation", REFUSED, "T.4"),
    (17, "the pair signs the receipt of cards", "md-cards-receipt", REFUSED, "A.4"),
    (17, "the pair signs the receipt of tiles", "md-tiles-receipt", REFUSED, "A.3"),
    (18, "sampling is never a default", "md-cards-no-sampling", REFUSED, "N.1.b"),
    (18, "a suspect deck is in every sample", "md-cards-wrong-count", REFUSED, "N.2.a-b"),
    (18, "other games are inspected whole", "md-cards-sampling", REFUSED, "N.2.c-d"),
    (22, "a batch goes together or not at all", "md-preshuffle-gates", REFUSED, "R.3"),
    (22, "a sealed package is not split", "md-cards-issue", REFUSED, "E"),
    (24, "months end with their gaming day", "md-cards-four-months", DUE, "H"),
]


@pytest.mark.parametrize(
    ("trap", "what", "story", "verdict", "section"),
    TRAPS,
    ids=[f"trap {trap}: {what}" for trap, what, *_ in TRAPS],
)
def test_a_story_walks_around_a_trap(
    trap: int, what: str, story: str, verdict: str, section: str
) -> None:
    (path,) = files(story)
    assert told(path).surprises == []
    assert section in _sections(path.read_text("utf-8"), verdict), (trap, what)


def _sections(text: str, verdict: str) -> set[str]:
    """Return the sections of the clauses that a story names with this verdict."""
    clauses: set[str] = set()
    for line in text.splitlines()[1:]:
        if not line.startswith("#"):
            entry = json.loads(line)
            if verdict == DUE and entry.get("ask") == DUE:
                clauses |= set(entry["expect"])
            if verdict == REFUSED and entry.get("expect") == REFUSED:
                clauses.add(entry.get("clause") or "")
    return {clause.split("-", 2)[2] for clause in clauses if clause.count("-") > 1}
