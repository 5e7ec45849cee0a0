"""Telling the commission ends the clocks that wait for it; a table knows what its game was."""

from __future__ import annotations

from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import clocks, core, memory, tables

NOON = 1796144400000
MINUTE = 60_000
SITE = {"regime": "NY", "zone": "America/New_York", "day_starts": "06:00", "controls": {}}


def ledger() -> tuple[dict[str, Any], Any]:
    book = core.load(loader.rulebook("NY"), loader.site(SITE))
    store = memory.new(book)
    store.put("person", "fay", {"job": "floorperson"})
    store.put("person", "sam", {"job": "security_officer"})
    store.put("person", "cora", {"job": "compliance_representative"})
    store.put("place", "dock", {"type": "dock"})
    dice = {"kind": "dice", "form": "stick", "attributes": {"size": 5, "games": ["craps"]}}
    record(book, store, "e1", step="receive", to="dock", by=["fay", "sam"], at=NOON, **dice)
    suspect = dict(store.get("item", "N5-01"), suspect=True, state="issued")
    suspect["times"] = {"inspect": NOON}
    store.put("item", "N5-01", suspect)
    store.branches["N5-01"] = [["e1", suspect]]
    return book, store


def record(book: Any, store: Any, key: str, **event: Any) -> None:
    whole = {"items": ["N5-01"], "with": {}, "saw": {}, **event}
    if key != "e1":
        whole["saw"] = {"N5-01": store.tips("N5-01")[0][0]}
    memory.record(book, store, whole, key)


@pytest.mark.parametrize(
    ("told", "by", "waits"),
    [
        ({"whom": "the Commission's office"}, ["fay"], False),
        ({"whom": "on-site commission staff"}, ["fay"], False),
        ({"whom": "duty officer", "spoke_with": "cora"}, ["fay"], False),
        ({"whom": "duty officer"}, ["fay", "cora"], False),
        ({"whom": "surveillance"}, ["fay"], True),
        ({"whom": "shift manager", "spoke_with": "sam"}, ["fay"], True),
    ],
)
def test_only_a_notice_to_the_commission_ends_its_clock(
    told: dict[str, Any], by: list[str], waits: bool
) -> None:
    book, store = ledger()

    def due() -> list[str]:
        found = clocks.due(book, store, ["N5-01"], NOON + 3 * MINUTE)
        return [entry["clause"] for entry in found if entry["status"] == "due"]

    assert due() == ["NY-5322.13-e-p2"]
    record(book, store, "e2", step="notify", by=by, at=NOON + MINUTE, **{"with": told})
    assert due() == (["NY-5322.13-e-p2"] if waits else [])


def test_a_table_keeps_when_its_game_and_handling_changed() -> None:
    table: dict[str, Any] = {"type": "table", "game": "blackjack"}
    part = None
    for at, game, handled in ((10, None, None), (20, "three_card_poker", None), (30, None, None)):
        fresh = {"state": "open", "game": game or (part or {}).get("game"), "handled": handled}
        fresh["at"] = at
        fresh["changes"] = tables.changes(part, fresh)
        part = fresh
    table["table"] = part
    assert [tables.game_of(table, at) for at in (5, 19, 20, 40)] == [
        *("blackjack", "blackjack"),
        *("three_card_poker", "three_card_poker"),
    ]
    assert [tables.handled(table, at) for at in (5, 25)] == [False, True]
    assert len(table["table"]["changes"]) == 1
