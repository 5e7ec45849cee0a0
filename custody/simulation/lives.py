"""Lives of dice sticks, from the supplier's box to the shredder, as the steps that record them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from custody.rules import codes
from custody.simulation import house

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
INSTRUMENTS = ["micrometer", "balancing_caliper", "steel_square", "magnet"]
Fields = dict[str, Any]


class Step(NamedTuple):
    """`after` is milliseconds from the start of the life; `claims` the codes that it claims."""

    step: str
    after: int
    by: tuple[str, ...]
    claims: tuple[str, ...]
    fields: Fields


def life(number: int) -> Iterator[Step]:
    """Yield the thirteen steps of the n-th stick, numbers from 1; none breaks a rule of Maryland's.

    It is received and played on one day, collected the next morning and destroyed after that.
    """
    stick, envelope = codes.make("DS", number), codes.make("EV", number)
    pit, table, seal = house.pit(number), house.table(number), f"S{number:08}"
    both, one = (envelope, stick), (stick,)
    floor, pair = ("floor", "guard"), ("floor", "dealer")
    tested = {"when": "before_play", "instruments": INSTRUMENTS, "result": "pass"}
    packed = {"purpose": "used", "table": table, "seal": seal, "label": True}
    made = {"kind": "dice", "form": "stick", "attributes": {"size": 5, "games": ["craps"]}}
    steps: tuple[tuple[str, tuple[str, ...], tuple[str, ...], Fields, Fields], ...] = (
        ("receive", floor, one, {"to": "dock", **made}, {"seals": "intact"}),
        ("store", floor, one, {"to": "vault"}, {}),
        ("issue", (*floor, "manager"), one, {"to": pit}, {}),
        ("issue", ("floor",), one, {"to": table}, {}),
        ("inspect", pair, one, {}, tested),
        ("play", pair, one, {"where": table}, {"vessel": "cup"}),
        ("remove", ("late", "dealer"), one, {}, {"reason": "end_of_day"}),
        ("inspect", ("late",), one, {}, {"when": "end_of_day", "result": "pass"}),
        ("pack", ("dealer", "late"), one, {"to": pit, "into": envelope}, packed),
        ("collect", ("guard",), both, {}, {}),
        ("deliver", ("guard",), both, {"to": "security"}, {}),
        ("open", ("guard",), both, {}, {"seal": seal, "seal_state": "intact"}),
        ("destroy", ("guard", "chief"), one, {"where": "shredder"}, {"method": "shredded"}),
    )
    for n, (step, by, claims, fields, told) in enumerate(steps):
        yield Step(step, 2 * n * MINUTE, by, claims, {**fields, "with": told})
