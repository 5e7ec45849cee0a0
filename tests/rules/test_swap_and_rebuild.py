"""Steps that change what they only name: the deck that gives a card, the sets of a rebuild."""

from __future__ import annotations

from typing import Any

import pytest

from custody.rules import counts, refold
from tests.rules.scenes import Ledger
from tests.rules.stories import files, told

SWAP = {"card": "7 of hearts", "surveillance_told": True, "backs_match": True}
PAIRS = ["pairs", "shading", "backs", "sides"]


@pytest.fixture
def floor() -> Ledger:
    """Two blackjack decks in play, two in the reserve."""
    ledger = Ledger()
    ledger.store.put("place", "BJ1", {"type": "table", "game": "blackjack", "pit": "pit1"})
    decks = ["DK-1", "DK-2", "DK-3", "DK-4"]
    made = {"kind": "cards", "form": "deck", "attributes": {"games": ["blackjack"], "back": "red"}}
    ledger.step("receive", decks, "fay sam", to="dock", seals="intact", **made)
    ledger.step("store", decks, "fay sam", to="vault")
    ledger.step("issue", decks, "fay sam pam", to="pit1")
    for deck in decks[:2]:
        ledger.step("issue", deck, "pam dee", to="BJ1")
        look = {"when": "before_play", "checks": ["sorted", "backs"], "result": "pass"}
        ledger.step("inspect", deck, "dee pam", **look)
        ledger.step("play", deck, "dee fay", where="BJ1", vessel="hand")
    return ledger


def swap(ledger: Ledger, deck: str, spare: str, **more: Any) -> dict[str, Any]:
    event = ledger.draft("swap", deck, "pam dee", **{**SWAP, **more})
    event["with"]["from"] = spare
    return event


def test_a_swap_that_did_not_see_the_spare_deck_is_not_concurrent_about_it(floor: Ledger) -> None:
    event = swap(floor, "DK-1", "DK-3")
    event["saw"] = {"DK-1": floor.item("DK-1")["last"][0]}
    floor.record(event)
    assert floor.open_kinds("DK-3") == []
    assert floor.item("DK-3")["replacement"] == {
        "missing": ["7 of hearts"],
        "damaged": ["7 of hearts"],
    }


def test_two_devices_that_take_the_same_card_from_a_spare_deck_break_a_rule(floor: Ledger) -> None:
    first, second = swap(floor, "DK-1", "DK-3"), swap(floor, "DK-2", "DK-3")
    for event in (first, second):
        event["saw"] = {code: floor.item(code)["last"][0] for code in event["items"]}
    floor.record(first)
    floor.record(second)
    assert floor.open_kinds("DK-2") == ["rule-broken"]
    assert len(floor.item("DK-3")["replacement"]["missing"]) == 2


def test_a_swap_that_was_entered_wrongly_leaves_the_spare_deck_whole(floor: Ledger) -> None:
    before = floor.item("DK-3")
    wrong = floor.record(swap(floor, "DK-1", "DK-3"))
    assert floor.reasons("issue", "DK-3", "pam dee", to="BJ1")[0]["clause"] == "MD-02.16-I.3.g"
    floor.step("correct", "DK-1", "pam", event=wrong, reason="another deck was meant")
    after = floor.item("DK-3")
    assert "replacement" not in after
    assert {**after, "last": None, "times": None} == {**before, "last": None, "times": None}
    floor.step("issue", "DK-3", "pam dee", to="BJ1")


def test_what_a_set_gave_comes_back_when_the_rebuild_was_entered_wrongly() -> None:
    (path,) = files("md-tiles-rebuild-gates")
    story = told(path)
    store, book = story.ledger, story.book
    made = next(key for key in store.claimed if store.get("event", key)["step"] == "rebuild")
    for code, left, back in (("TS-01", 0, 31), ("TS-02", 30, 31), ("TR-01", 32, None)):
        tip = store.tips(code)[0][0]
        assert store.get("item", code)["pieces"] == left
        without = refold.state(book, store, code, tip, [made])
        assert (without["pieces"] if without else None) == back
    tiles = counts.on_hand(book, store.postings, "tiles", None)
    assert tiles == {
        "sets": 4,
        "tiles": 128,
        "new": 2,
        "used": 0,
        "replacement": 1,
        "reconstructed": 1,
    }
