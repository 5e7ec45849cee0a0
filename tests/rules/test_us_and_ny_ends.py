"""What is gone does not come back, and what is held stays, under every regime but Maryland's."""

from __future__ import annotations

from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import core, memory

NOON = 1796144400000
ITEMS: dict[str, Any] = {
    "dice": ("stick", {"size": 5, "games": ["craps"]}),
    "cards": ("deck", {"games": ["blackjack"], "plastic": True}),
    "tiles": ("set", {"tiles": 32}),
}
KINDS = {"NY": ("dice", "cards", "tiles"), "US542": ("dice", "cards", "tiles"), "US543": ("cards",)}
PLACES: dict[str, Any] = {
    "vault": {"type": "storage", "use": "primary"},
    "pit1": {"type": "pit_stand"},
    "BJ1": {"type": "table", "game": "blackjack", "pit": "pit1"},
    "shred": {"type": "destruction"},
    "sec": {"type": "security"},
    "comm": {"type": "commission"},
}
PEOPLE = {
    "mia": "shift_manager",
    "fay": "floorperson",
    "dee": "dealer",
    "sam": "security_officer",
    "cora": "compliance_representative",
}
ORDERS = (["mia", "sam", "cora", "fay", "dee"], ["dee", "fay", "sam"], ["sam", "fay", "cora"])
STEPS: dict[str, Any] = {
    "store": {"to": "vault"},
    "issue": {"to": "pit1"},
    "inspect": {"with": {"when": "before_play", "result": "pass", "checks": ["sorted", "backs"]}},
    "play": {"where": "BJ1"},
    "remove": {"with": {"reason": "end_of_day"}},
    "pack": {
        "into": "EV-1",
        "to": "pit1",
        "with": {"purpose": "used", "table": "BJ1", "seal": "S-1", "label": True},
    },
    "collect": {},
    "deliver": {"to": "shred"},
    "open": {"with": {"seal": "S-1"}},
    "examine": {"with": {"result": "pass", "tables": ["BJ1"], "checks": ["sorted"]}},
    "return": {"to": "vault"},
    "repack": {"with": {"seal": "S-2"}},
    "cancel": {"where": "shred", "with": {"method": "drilled", "hole": "0.25"}},
    "destroy": {"where": "shred", "with": {"method": "shredded"}},
    "hand_over": {"to": "comm"},
    "hold": {},
    "release": {},
}
WHEN_HELD = ("release", "hand_over", "hold")  # the regulator takes over what the house holds


def verdicts(regime: str, kind: str, state: str, steps: list[str]) -> dict[str, list[bool]]:
    site = {"zone": "America/New_York", "day_starts": "06:00", "regime": regime}
    controls = {"reuse": ["cards"], "tile_rebuild": "approved"}
    book = core.load(loader.rulebook(regime), loader.site({**site, "controls": controls}))
    store = memory.new(book)
    for person, job in PEOPLE.items():
        store.put("person", person, {"job": job})
    for place, value in PLACES.items():
        store.put("place", place, value)
    store.put("item", "X-1", item(kind, state))
    return {step: [refused(book, store, step, by) for by in ORDERS] for step in steps}


def item(kind: str, state: str) -> dict[str, Any]:
    form, attributes = ITEMS[kind]
    place = {"held": "sec", "with_commission": "comm"}.get(state, "shred")
    value = {"code": "X-1", "kind": kind, "form": form, "attributes": attributes, "state": state}
    value |= {"place": place, "in": None, "holder": None, "pieces": 32, "times": {"receive": 1}}
    return value | {"hold": {"by": "operator", "was": "at_security"} if state == "held" else None}


def refused(book: Any, store: Any, step: str, by: list[str]) -> bool:
    draft = {"step": step, "items": ["X-1"], "at": NOON, "by": by, "with": {}, **STEPS[step]}
    return bool(core.judge(book, store, draft)["reasons"])


CASES = [(regime, kind) for regime, kinds in KINDS.items() for kind in kinds]


@pytest.mark.parametrize(("regime", "kind"), CASES)
@pytest.mark.parametrize("state", ["destroyed", "cancelled", "lost"])
def test_what_is_gone_does_not_come_back(regime: str, kind: str, state: str) -> None:
    found = verdicts(regime, kind, state, list(STEPS))
    allowed = {step for step, each in found.items() if not all(each)}
    assert allowed <= ({"destroy"} if state == "cancelled" and regime != "US543" else set())


@pytest.mark.parametrize(("regime", "kind"), CASES)
def test_what_is_held_goes_nowhere_but_by_its_release(regime: str, kind: str) -> None:
    found = verdicts(regime, kind, "held", list(STEPS))
    allowed = {step for step, each in found.items() if not all(each)}
    assert {"release"} <= allowed <= set(WHEN_HELD)


@pytest.mark.parametrize(("regime", "kind"), CASES)
def test_what_the_commission_has_only_the_commission_gives_back(regime: str, kind: str) -> None:
    found = verdicts(regime, kind, "with_commission", [s for s in STEPS if s != "release"])
    assert [step for step, each in found.items() if not all(each)] == []
