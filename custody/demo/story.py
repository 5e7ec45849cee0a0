"""What has happened in the demonstration casino during the last days, as steps in order of time.

It ends now: sets are in play, last night's envelopes await collection, one envelope is due for
destruction today and one since this morning (MD-02.13-N.1), and two handhelds out of touch have
claimed the same stick. What else there is, and a count that is due, stands in `goods`.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, NamedTuple

from custody.demo import goods
from custody.demo.when import at, gaming_day
from custody.rules import codes

DAYS = 8  # before today; an envelope of the first night is overdue by now
KEPT_DAYS = 3  # from collection to the usual day of destruction
PIT_1, PIT_2, SECURITY = "Pit 1 tablet", "Pit 2 tablet", "Security handheld"
# Numbers of the sticks: one set a night, the two deliveries, and what is left in the vault.
CRAPS, THREES, SPARE = range(1, 49), range(101, 113), range(30, 49)
INSTRUMENTS = ["micrometer", "balancing_caliper", "steel_square", "magnet"]
Steps = Iterator["Step"]


class Step(NamedTuple):
    """`by`, `to` and `where` are handles of the cast. `blind`: out of touch with the others."""

    at: datetime.datetime
    device: str
    step: str
    by: tuple[str, ...]
    fields: dict[str, Any]
    blind: bool = False


class Night(NamedTuple):
    """One table's set of one gaming day, and the envelope that it ends in."""

    day: int
    table: str
    pit: str
    device: str
    stick: str
    envelope: str
    seal: str


def tell(now: datetime.datetime) -> list[Step]:
    """Return every step up to `now` (with a zone), in order."""
    today = gaming_day(now)
    nights = list(_nights())
    told = [*_receipt(today), *(Step(*one) for one in goods.before(today, -DAYS + 1))]
    for night in nights:
        told += [*_play(today, night), *_end_of_day(today, night)]
    for day in range(-DAYS, 0):
        told += [*_round(today, day, nights), *_destruction(today, day, nights)]
    told += _this_morning(today, now)
    return sorted((step for step in told if step.at < now), key=lambda step: step.at)


def _nights() -> Iterator[Night]:
    places = (("cr1", "pit1", PIT_1), ("cr2", "pit1", PIT_1), ("cr3", "pit2", PIT_2))
    number = 0
    for day in range(-DAYS, 0):
        for table, pit, device in places:
            number += 1
            stick, envelope = codes.make("DS", number), codes.make("EV", number)
            yield Night(day, table, pit, device, stick, envelope, f"S{4000 + number}")


def _receipt(today: datetime.date) -> Steps:
    for size, games, colour, numbers, invoice in (
        (5, ["craps"], "red", CRAPS, "INV-20418"),
        (3, ["sic_bo", "pai_gow"], "white", THREES, "INV-20419"),
    ):
        items = [codes.make("DS", number) for number in numbers]
        attributes = {"size": size, "games": games, "colour": colour, "lot": f"L{numbers[0]:04}"}
        checked = {"supplier": "dice maker", "invoice": invoice, "seals": "intact"}
        yield Step(
            *(at(today, -DAYS, "06:20"), SECURITY, "receive", ("fay", "sam")),
            {
                **{"kind": "dice", "form": "stick", "attributes": attributes, "items": items},
                **{"to": "dock", "with": {**checked, "invoiced": len(items)}},
            },
        )
        stored = {"items": items, "to": "vault"}
        yield Step(at(today, -DAYS, "06:50"), SECURITY, "store", ("fay", "sam"), stored)


def _play(today: datetime.date, night: Night) -> Steps:
    late = 10 * ("cr1", "cr2", "cr3").index(night.table)
    set_of = {"items": [night.stick]}
    yield from (
        Step(at(today, night.day, time, late), night.device, step, by, {**set_of, **fields})
        for time, step, by, fields in (
            ("08:00", "issue", ("fay", "sam", "pam"), {"to": night.pit}),
            ("09:20", "issue", ("fay",), {"to": night.table}),
            ("09:24", "inspect", ("fay", "dee"), {"with": before_play()}),
            ("09:28", "play", ("fay", "dee"), {"where": night.table, "with": {"vessel": "cup"}}),
        )
    )


def before_play() -> dict[str, Any]:
    return {"when": "before_play", "instruments": INSTRUMENTS, "result": "pass"}


def _end_of_day(today: datetime.date, night: Night) -> Steps:
    late = 10 * ("cr1", "cr2", "cr3").index(night.table)
    look = {"when": "end_of_day", "result": "pass"}
    packed = {"purpose": "used", "table": night.table, "seal": night.seal, "label": True}
    set_of = {"items": [night.stick]}
    yield from (
        Step(at(today, night.day, time, late), night.device, step, by, {**set_of, **fields})
        for time, step, by, fields in (
            ("03:40", "remove", ("gus", "dan"), {"with": {"reason": "end_of_day"}}),
            ("03:43", "inspect", ("gus",), {"with": look}),
            (
                "03:46",
                "pack",
                ("dan", "gus"),
                {"to": night.pit, "into": night.envelope, "with": packed},
            ),
        )
    )


def _round(today: datetime.date, day: int, nights: list[Night]) -> Steps:
    """Collect the envelopes of a gaming day; last night's are still in the pits."""
    if day == -1:
        return
    items = [night.envelope for night in nights if night.day == day]
    route = {"route": "night round"}
    yield Step(
        at(today, day, "04:40"), SECURITY, "collect", ("sam",), {"items": items, "with": route}
    )
    yield Step(
        at(today, day, "04:55"), SECURITY, "deliver", ("sam",), {"items": items, "to": "sec"}
    )


def _destruction(today: datetime.date, day: int, nights: list[Night]) -> Steps:
    """Drill the dice some days on, but for an envelope of the first night and of the second."""
    for night in nights:
        left = (night.day, night.table) in ((-DAYS, "cr2"), (1 - DAYS, "cr1"))
        if left or night.day + KEPT_DAYS + 1 != day:
            continue
        late = 12 * ("cr1", "cr2", "cr3").index(night.table)
        found = {"seal": night.seal, "seal_state": "intact"}
        drilled = {"method": "drilled", "hole": "0.25"}
        opened = {"items": [night.envelope], "with": found}
        cancelled = {"items": [night.stick], "where": "shred", "with": drilled}
        yield Step(at(today, day, "11:00", late), SECURITY, "open", ("kit",), opened)
        yield Step(at(today, day, "11:05", late), SECURITY, "cancel", ("kit", "sue"), cancelled)


def _this_morning(today: datetime.date, now: datetime.datetime) -> Steps:
    """Spread today's steps over what there is of today, however early it is."""
    start = at(today, 0, "06:00")

    def share(part: float) -> datetime.datetime:
        return start + (now - start) * part

    sets = [codes.make("DS", number) for number in range(25, 30)]
    three = codes.make("DS", 101)
    reserve = {"items": sets[:4], "to": "pit1"}
    yield Step(share(0.10), PIT_1, "issue", ("fay", "sam", "pam"), reserve)
    yield Step(
        share(0.14),
        PIT_2,
        "issue",
        ("gus", "kit", "pam"),
        {"items": [sets[4], three], "to": "pit2"},
    )
    for n, (stick, table, device, by) in enumerate(
        (
            (sets[0], "cr1", PIT_1, ("fay", "dee")),
            (sets[1], "cr2", PIT_1, ("fay", "dee")),
            (sets[4], "cr3", PIT_2, ("gus", "dan")),
            (three, "sb1", PIT_2, ("gus", "dan")),
        )
    ):
        part = 0.20 + 0.08 * n
        vessel = "shaker" if table == "sb1" else "cup"
        set_of = {"items": [stick]}
        yield Step(share(part), device, "issue", by[:1], {**set_of, "to": table})
        yield Step(share(part + 0.02), device, "inspect", by, {**set_of, "with": before_play()})
        played = {**set_of, "where": table, "with": {"vessel": vessel}}
        yield Step(share(part + 0.04), device, "play", by, played)
    spare = {"items": [sets[2]]}
    yield Step(share(0.70), PIT_1, "issue", ("fay",), {**spare, "to": "cr2"})
    # The pit 2 tablet was out of touch, and somebody typed the wrong code.
    wrong = {**spare, "to": "cr3"}
    yield Step(share(0.72), PIT_2, "issue", ("gus",), wrong, blind=True)
    for when, what, who, given in goods.this_morning():
        yield Step(share(when), PIT_1, what, who, given)
