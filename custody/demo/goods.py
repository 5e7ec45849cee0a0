"""What the demonstration casino keeps besides its dice: decks, tiles, coupons and seals, and an old
delivery of dice that nobody has counted for a quarter (MD-02.13-M.3).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

from custody.demo.when import at
from custody.rules import codes

Told = Iterator[tuple[datetime.datetime, str, str, tuple[str, ...], dict[str, Any]]]
DESK = "desk"
OLD = -100  # the gaming day of the delivery that is due to be counted
OLD_STICKS = [codes.make("DS", number) for number in range(201, 207)]
DECKS = [codes.make("DK", number) for number in range(1, 25)]
SETS = [codes.make("TS", number) for number in range(1, 5)]
LOT, SEALS = codes.make("CP", 1), codes.make("SL", 1)
INTACT = {"box": "BOX-1", "seals": "intact"}


def before(today: datetime.date, day: int) -> Told:
    """Tell what lies in the stores when the last days begin: everything came by the desk."""
    dice = {"size": 5, "games": ["craps"], "colour": "green", "lot": "L0090"}
    yield from _delivery(today, OLD, "dice", "stick", dice, OLD_STICKS, "vault")
    backs = {"games": ["blackjack"], "back": "red", "plastic": False}
    yield from _delivery(today, day, "cards", "deck", backs, DECKS, "cards")
    yield from _delivery(today, day, "tiles", "set", {"tiles": 32}, SETS, "tiles")
    yield from _coupons(today, day)
    numbers = {"first": "000001", "last": "000200", "colour": "red"}
    came = {"kind": "seals", "form": "lot", "attributes": numbers, "items": [SEALS]}
    yield at(today, day, "07:30"), DESK, "receive", ("sam",), {**came, "to": "sec"}
    some = {"items": [f"{SEALS}/000001..{SEALS}/000020"], "to": "pit1"}
    yield at(today, day, "07:40"), DESK, "issue", ("sam", "fay"), some


def _delivery(
    today: datetime.date,
    day: int,
    kind: str,
    form: str,
    attributes: dict[str, Any],
    items: list[str],
    store: str,
) -> Told:
    came = {"kind": kind, "form": form, "attributes": attributes, "items": items, "to": "dock"}
    checked = {**INTACT, "invoice": f"INV-{kind[:2].upper()}-{-day}", "invoiced": len(items)}
    yield at(today, day, "07:00"), DESK, "receive", ("fay", "sam"), {**came, "with": checked}
    put = {"items": items, "to": store}
    yield at(today, day, "07:20"), DESK, "store", ("fay", "sam"), put


def _coupons(today: datetime.date, day: int) -> Told:
    """A lot of coupons, of which marketing asked for some, gave out most and voided two."""
    expires = today + datetime.timedelta(days=60)
    lot = {"type": "match_play", "denomination": 1000, "first": "MP-000001", "last": "MP-000500"}
    lot |= {"expires": expires.isoformat(), "restrictions": "table games against the house"}
    came = {"kind": "coupons", "form": "lot", "attributes": lot, "items": [LOT], "to": "dock"}
    checked = {**INTACT, "invoice": "INV-CP-1", "invoiced": 500}
    wanted = {"needed_for": str(today + datetime.timedelta(days=day + 1)), "denomination": 1000}
    handed = {"first": "MP-000001", "last": "MP-000120", "quantity": 120}
    torn = {"serials": ["MP-000121", "MP-000122"], "reason": "torn while counting out"}
    back = {"serials": ["MP-000007", "MP-000019"], "table": "bj1"}
    for later, time, step, by, fields in (
        (0, "09:00", "receive", ("al", "max"), {**came, "with": checked}),
        (0, "09:30", "store", ("al",), {"items": [LOT], "to": "coupons"}),
        (
            *(0, "10:05", "requisition", ("mel", "al")),
            {"kind": "coupons", "with": {**wanted, "quantity": 200}},
        ),
        (1, "08:00", "issue", ("al", "mel"), {"items": ["MP-000001..MP-000200"], "to": "mkt"}),
        (1, "10:00", "distribute", ("max",), {"items": [LOT], "to": "player", "with": handed}),
        (1, "10:30", "mark_void", ("max", "mel"), {"items": [LOT], "with": torn}),
        (1, "14:00", "redeem", ("dee",), {"items": [LOT], "to": "drop", "with": back}),
        (
            *(1, "23:00", "return", ("mel", "al")),
            {"items": ["MP-000123..MP-000200"], "to": "coupons"},
        ),
    ):
        yield at(today, day + later, time), DESK, step, by, fields


def this_morning() -> Iterator[tuple[float, str, tuple[str, ...], dict[str, Any]]]:
    """Tell today's opening of a blackjack table and a tiles table, as shares of the day so far."""
    shoe, tiles = DECKS[:6], SETS[:1]
    yield 0.40, "issue", ("fay", "sam", "pam"), {"items": [*DECKS[:8], *tiles], "to": "pit1"}
    yield 0.42, "issue", ("pam", "dee"), {"items": shoe, "to": "bj1"}
    checks = {"when": "before_play", "checks": ["sorted", "backs"], "result": "pass"}
    yield 0.44, "inspect", ("dee", "fay"), {"items": shoe, "with": checks}
    played = {"items": shoe, "where": "bj1", "with": {"vessel": "shoe"}}
    yield 0.46, "play", ("dee", "fay"), played
    yield 0.48, "issue", ("pam", "dan"), {"items": tiles, "to": "pt1"}
    checks = {**checks, "checks": ["pairs", "shading", "backs", "sides"]}
    yield 0.50, "inspect", ("dan", "fay"), {"items": tiles, "with": checks}
    yield 0.52, "play", ("dan", "fay"), {"items": tiles, "where": "pt1"}
