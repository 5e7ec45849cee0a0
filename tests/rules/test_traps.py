"""The 25 traps into which a rulebook of these regimes can fall, each with the stories that walk
around it.

A story shows a trap by a verdict that it expects: a refusal under a clause, a deadline that is due,
an exception, a step that must be allowed (`OK`, "step by person"), or a balance that is asked for.
test_stories.py plays the stories, under both interpreters.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.rules.stories import files

OK, REFUSED, DUE, RAISED, ASKED = "ok", "refused", "due", "exceptions", "asked"
MD, PLAY, NY = "MD-02.", "MD-03.", "NY-5322."
US542, US543 = "US-542.12-", "US-543.10-"

TRAPS: list[Any] = [
    (1, "dice of Maryland count from collection", "md-dice-reserve-ways-out", OK, "collect by sam"),
    (1, "cards count from the first collection", "md-cards-collector-required", DUE, MD + "16-P"),
    (1, "New York's dice count from collection", "ny-dice-destruction", DUE, NY + "13-k"),
    (1, "its cards from the earlier gathering", "ny-cards-gathered", DUE, NY + "15-n"),
    (1, "25 CFR 542 counts from play", "us542-period", DUE, US542 + "f.3"),
    (2, "either hold stops the clock of dice", "md-dice-investigation-hold", DUE, MD + "13-N.1"),
    (2, "a house's hold stops none of cards", "md-cards-destruction", DUE, MD + "16-P"),
    (2, "nor of tiles", "md-tiles-holds", DUE, MD + "19-R.1"),
    (2, "nor of anything in New York", "ny-dice-destruction", DUE, NY + "13-k"),
    (2, "543 keeps cards intact besides", "us543-investigation", REFUSED, US543 + "c.3"),
    (3, "a release starts five days", "md-cards-destruction", DUE, MD + "16-P.1"),
    (3, "and none at all in New York", "ny-preshuffle-demanded", REFUSED, NY + "15-n-p2"),
    (4, "the inspector does not look again", "md-dice-alternative-1", REFUSED, MD + "13-H.1-p2"),
    (4, "New York bars nobody", "ny-dice-envelopes", OK, "inspect by fay"),
    (5, "one person is not two", "md-one-person", REFUSED, MD + "13-A.1"),
    (5, "nor a pair of lines", "md-cards-opening", REFUSED, MD + "16-F.2"),
    (5, "nor in New York", "ny-dice-tampering", REFUSED, NY + "13-e.1.ii"),
    (6, "reserve is inspected again", "md-dice-reserve", REFUSED, MD + "13-F.1.d.ii"),
    (6, "sealed is good while sealed", "md-dice-alternative-2", OK, "issue by fay"),
    (6, "and was nowhere else", "md-dice-alternative-2-signers", REFUSED, MD + "13-F.2.g"),
    (6, "a day later it is stale", "md-dice-alternative-2-signers", REFUSED, MD + "13-L.2"),
    (7, "a lost die ends its set", "md-dice-out-of-use", REFUSED, MD + "13-O.2.b"),
    (7, "that are counted singly", "md-dice-lost-and-reopened", ASKED, "reconcile"),
    (8, "what waits is carried forward", "md-dice-reconciliation-day", ASKED, "reconcile"),
    (8, "in New York too", "ny-dice-stores", ASKED, "reconcile"),
    (9, "dice of a reserve name their pit", "md-dice-reserve", REFUSED, MD + "13-J"),
    (9, "cards their number", "md-cards-reserve", REFUSED, MD + "16-L.1-3"),
    (9, "tiles neither", "md-tiles-envelopes", REFUSED, MD + "19-J"),
    (9, "New York wants management", "ny-dice-envelopes", OK, "pack by asa"),
    (10, "a damaged card stays in its deck", "md-cards-damaged-card", REFUSED, MD + "16-I.3.f"),
    (10, "which is a deck no more", "md-cards-damaged-card", REFUSED, MD + "16-I.3.g"),
    (10, "and put away daily", "md-cards-damaged-card", DUE, MD + "16-I.4"),
    (10, "tampering goes another way", "md-cards-damage-or-tampering", REFUSED, MD + "16-I.7"),
    (10, "New York gives it an envelope", "ny-cards-damaged", REFUSED, NY + "15-f"),
    (11, "Maryland: card or deck before play", "md-cards-unsuitable", REFUSED, MD + "16-G.1"),
    (11, "New York: the deck", "ny-cards-unsuitable", REFUSED, NY + "15-c.1"),
    (11, "and the commission is told", "ny-cards-unsuitable", OK, "notify by fay"),
    (12, "one damaged tile takes the set out", "md-tiles-damaged", REFUSED, MD + "19-G.1"),
    (12, "a floorperson is enough before", "md-tiles-damaged", REFUSED, PLAY + "31-C.3.a"),
    (12, "sets are not mixed", "md-tiles-rebuild-gates", REFUSED, MD + "19-O"),
    (13, "a single tile has its own clock", "md-tiles-replacement-sets", DUE, MD + "19-R.1"),
    (13, "replacement sets lie apart", "md-tiles-replacement-sets", REFUSED, MD + "19-P.5"),
    (13, "and are counted apart", "md-tiles-replacement-sets", ASKED, "on_hand"),
    (14, "tiles know no waiver", "md-tiles-collector-never-waived", REFUSED, MD + "19-K.1"),
    (14, "a waiver ends no collection", "md-cards-collector-waived", REFUSED, MD + "16-M.1"),
    (14, "nor that of dice", "md-dice-collector-waiver", REFUSED, MD + "13-K.1"),
    (14, "New York waives nothing", "ny-dice-envelopes", REFUSED, NY + "13-h-p2"),
    (15, "security witnesses no draw", "ny-cards-draw", REFUSED, NY + "15-b"),
    (16, "game and dealing set the hours", "md-cards-rotation", DUE, MD + "16-T.1.a"),
    (16, "midi baccarat is an event", "md-cards-rotation", REFUSED, MD + "16-T.4"),
    (16, "sic bo has no hours", "md-dice-sic-bo-and-pai-gow", DUE, MD + "13-O.3"),
    (16, "New York asks who touches", "ny-cards-clocks", DUE, NY + "15-e.1-2"),
    (17, "dice need the pair to the shelf", "md-dice-receipt", REFUSED, MD + "13-A.4"),
    (17, "cards to the inspection", "md-cards-receipt", REFUSED, MD + "16-A.4"),
    (17, "tiles too", "md-tiles-receipt", REFUSED, MD + "19-A.3"),
    (
        17,
        "accounting hears of coupons",
        "md-coupons-invoice-and-accounting",
        REFUSED,
        PLAY + "11-F-p2",
    ),
    (17, "New York names no pair", "ny-cards-draw", OK, "receive by sam"),
    (18, "sampling is no default", "md-cards-no-sampling", REFUSED, MD + "16-N.1.b"),
    (18, "a suspect deck is in each", "md-cards-wrong-count", REFUSED, MD + "16-N.2.a-b"),
    (18, "other games are not drawn", "md-cards-sampling", REFUSED, MD + "16-N.2.c-d"),
    (18, "nor in New York", "ny-cards-no-sampling", REFUSED, NY + "15-l.3.iii"),
    (18, "its two pools share no deck", "ny-cards-sampling", REFUSED, NY + "15-l.1.ii-p2"),
    (19, "a request alone is reported", "md-dice-tampering-and-requests", REFUSED, MD + "13-G.2"),
    (20, "both parts are handed over", "md-dice-tampering-and-requests", REFUSED, MD + "13-H.2.c"),
    (20, "the duplicate goes to security", "form-dice-reports", REFUSED, MD + "13-H.2.d"),
    (20, "and is missed if left behind", "form-dice-reports", RAISED, "form-gap"),
    (20, "so does a batch's copy", "form-preshuffle", REFUSED, MD + "16-R.14"),
    (20, "a duplicate goes to security alone", "form-dice-reports", REFUSED, MD + "13-H.2.d"),
    (20, "the copy of a batch's form too", "form-preshuffle", REFUSED, MD + "16-R.14"),
    (20, "a part left behind is missed", "form-dice-reports", RAISED, "form-gap"),
    (20, "a tile's form has two parts", "md-tiles-replacement-sets", REFUSED, MD + "19-P.3"),
    (21, "a secondary store feeds no pit", "ny-dice-stores", REFUSED, NY + "13-a-p4"),
    (21, "returns count to the primary", "ny-dice-stores", REFUSED, NY + "13-j-p2"),
    (21, "Maryland keeps chips apart", "md-dice-receipt", REFUSED, MD + "11-C.2"),
    (21, "the cage serves New York", "ny-tiles", OK, "return by mia"),
    (22, "a batch goes together", "md-preshuffle-gates", REFUSED, MD + "16-R.3"),
    (22, "a package is not split", "md-cards-issue", REFUSED, MD + "15-E"),
    (22, "a machine's receipt", "ny-preshuffle-rules", REFUSED, NY + "16-b.4"),
    (22, "back into the same container", "ny-preshuffle-rules", REFUSED, NY + "16-g"),
    (
        23,
        "the ledger before the hand-over",
        "md-coupons-requisition-and-issue",
        REFUSED,
        PLAY + "11-I",
    ),
    (23, "expired ones never carry over", "md-coupons-carry-over", DUE, PLAY + "11-L.3"),
    (23, "mailed ones reconcile", "md-coupons-printed-and-mailed", ASKED, "reconcile"),
    (23, "marketing's are counted", "md-coupons-count", DUE, PLAY + "11-N"),
    (23, "one serial on two handhelds", "md-coupons-two-handhelds", RAISED, "concurrent-claim"),
    (24, "four months, not 120 days", "md-months-and-gaming-days", DUE, MD + "15-H"),
    (24, "three months of a leap year", "md-months-and-gaming-days", DUE, MD + "19-Q.3"),
    (24, "once a month", "md-months-and-gaming-days", DUE, PLAY + "11-N"),
    (24, "seven days, to the minute", "md-months-and-gaming-days", DUE, MD + "16-P"),
    (24, "by the house's own gaming day", "ny-months-and-gaming-days", DUE, NY + "13-j-p3"),
    (24, "plastic cards under 542", "us542-plastic", DUE, US542 + "g"),
    (25, "no evidence goes unreported", "ny-dice-tampering", REFUSED, NY + "13-e-p2"),
    (25, "told late, from when it was", "md-dice-fact-late", DUE, MD + "13-O.1"),
]


def lines(story: str) -> list[dict[str, Any]]:
    (path,) = files(story)
    return [
        json.loads(line)
        for line in path.read_text("utf-8").splitlines()[1:]
        if line and not line.startswith("#")
    ]


def shows(line: dict[str, Any], verdict: str, sign: str) -> bool:
    if verdict == REFUSED:
        return bool(line.get("expect") == REFUSED and (line.get("clause") or "").startswith(sign))
    if verdict in (DUE, RAISED):
        return bool(line.get("ask") == verdict and sign in line["expect"])
    if verdict == ASKED:
        return bool(line.get("ask") == sign)
    return bool(line.get("expect") == OK and f"{line.get('step')} by {line['by'][0]}" == sign)


@pytest.mark.parametrize(
    ("story", "verdict", "sign"),
    [trap[2:] for trap in TRAPS],
    ids=[f"trap {trap}: {what}" for trap, what, *_ in TRAPS],
)
def test_a_story_walks_around_a_trap(story: str, verdict: str, sign: str) -> None:
    assert any(shows(line, verdict, sign) for line in lines(story) if "sync" not in line)


def test_every_trap_has_its_story() -> None:
    assert sorted({trap for trap, *_ in TRAPS}) == list(range(1, 26))
