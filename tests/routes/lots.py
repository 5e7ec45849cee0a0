"""Coupons and seals for the cast of the desk's tests: a lot of each, and a day of its life."""

from __future__ import annotations

from typing import Any

from custody.ledger import accounts, people, places
from custody.ledger.core import Ledger
from tests.routes import cast

ADMIN = [{"person": "ada", "how": "password"}]
PEOPLE: dict[str, Any] = {
    "mel": {"job": "marketing_supervisor", "name": "Mel Dale", "license": "L-3001"},
    "max": {"job": "marketing_clerk", "name": "Max Ford", "license": "L-3002"},
    "bea": {**cast.PEOPLE["bea"], "license": "L-2001"},
}
PLACES = {
    "cstore": {"type": "storage", "use": "coupons", "approved": True},
    "mkt": {"type": "marketing", "approved": True},
    "BJ1": {"type": "table", "game": "blackjack", "pit": "pit1", "approved": True},
    "acct": {"type": "accounting", "approved": True},
}
LOT = {
    "type": "match_play",
    "denomination": 1000,
    "first": "MP-000001",
    "last": "MP-000500",
    "expires": "2027-09-30",
    "restrictions": "table games against the house",
}
RECEIVED = {"invoice": "INV-12", "invoiced": 500, "box": "BOX-1", "seals": "intact"}
NEEDED = {"needed_for": "2026-12-02", "denomination": 1000, "quantity": 200}
GIVEN = {"first": "MP-000001", "last": "MP-000120", "quantity": 120}
COUPONS: list[dict[str, Any]] = [
    {
        **{"at": "2026-12-02T09:00", "step": "receive", "kind": "coupons", "form": "lot"},
        **{"attributes": LOT, "items": ["CL-01"], "to": "dock", "with": RECEIVED},
        "by": ["bea", "max"],
    },
    {
        **{"at": "2026-12-02T09:30", "step": "store", "items": ["CL-01"], "to": "cstore"},
        "by": ["bea"],
    },
    {
        **{"at": "2026-12-02T10:05", "step": "requisition", "kind": "coupons", "with": NEEDED},
        "by": ["mel", "bea"],
    },
    {
        **{"at": "2026-12-02T10:10", "step": "issue", "items": ["MP-000001..MP-000200"]},
        **{"to": "mkt", "by": ["bea", "mel"]},
    },
    {
        **{"at": "2026-12-02T10:20", "step": "distribute", "items": ["CL-01"], "to": "player"},
        **{"with": GIVEN, "by": ["max"]},
    },
    {
        **{"at": "2026-12-02T10:30", "step": "mark_void", "items": ["CL-01"]},
        "with": {"serials": ["MP-000121", "MP-000122"], "reason": "torn while counting out"},
        "by": ["max", "mel"],
    },
    {
        **{"at": "2026-12-02T11:00", "step": "redeem", "items": ["CL-01"], "to": "drop"},
        "with": {"serials": ["MP-000007"], "table": "BJ1"},
        "by": ["dee"],
    },
    {
        **{"at": "2026-12-02T13:00", "step": "return", "items": ["MP-000123..MP-000200"]},
        **{"to": "cstore", "by": ["mel", "bea"]},
    },
]
SEALS: list[dict[str, Any]] = [
    {
        **{"at": "2026-12-02T09:00", "step": "receive", "kind": "seals", "form": "lot"},
        "attributes": {"first": "T0100", "last": "T0199", "colour": "red"},
        **{"items": ["SL-RED"], "to": "sec", "with": {"invoiced": 100}, "by": ["sam"]},
    },
    {
        **{"at": "2026-12-02T09:10", "step": "issue", "items": ["SL-RED/T0100..SL-RED/T0109"]},
        **{"to": "pit1", "by": ["sam"]},
    },
    {
        **{"at": "2026-12-02T09:20", "step": "mark_void", "items": ["SL-RED/T0103"]},
        **{"with": {"reason": "torn"}, "by": ["sam"]},
    },
    {
        **{"at": "2026-12-02T10:00", "step": "remove", "items": ["D5-002"]},
        **{"with": {"reason": "end_of_day"}, "by": ["fay", "dee"]},
    },
    {
        **{"at": "2026-12-02T10:05", "step": "inspect", "items": ["D5-002"]},
        **{"with": {"when": "end_of_day", "result": "pass"}, "by": ["gus"]},
    },
    {
        **{"at": "2026-12-02T10:10", "step": "pack", "items": ["D5-002"], "to": "pit1"},
        "with": {"purpose": "used", "table": "CR1", "seal": "SL-RED/T0105", "label": True},
        **{"into": "EV-002", "by": ["dee", "fay"]},
    },
]


def play(ledger: Ledger, clock: cast.Clock, steps: list[dict[str, Any]]) -> None:
    """Add people and places, and take the steps at their times."""
    for id_, value in PEOPLE.items():
        people.save_person(ledger, id_, value, ADMIN)
    for id_, value in PLACES.items():
        places.save_place(ledger, id_, value, ADMIN)
    for id_ in ("mel", "max"):
        accounts.spend_link(ledger, accounts.new_link(ledger, id_), cast.PASSWORD)
    for step in steps:
        cast.take(ledger, clock, step)
    clock.now = cast.instant(cast.NOW)
