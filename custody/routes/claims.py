"""A concurrent claim side by side: what each device recorded, and what it knew when it did."""

from typing import Any

from custody.ledger.core import DESK
from custody.ledger.reading import disputes
from custody.routes import context, item_moments, present, times, vocabulary
from custody.routes.names import Names
from custody.routes.words import words

Value = dict[str, Any]
CLOSE = 2_000  # a clock this near to the server's is right


def shown(exception: Value) -> list[Value]:
    """Make the claims of an exception as `exceptions/_sides.html` shows them; [] where none met."""
    names = context.names()
    return [
        {"codes": one["codes"], "sides": [_side(side, names) for side in one["sides"]]}
        for one in disputes.of_exception(context.ledger(), exception)
    ]


def _side(side: Value, names: Names) -> Value:
    value = side["value"]
    return {
        "tip": side["tip"],
        "first": side["first"],
        "state_word": vocabulary.word("state", (value or {}).get("state"))
        or words("items.no_state"),
        "facts": item_moments.facts(value, names) if value else [],
        "events": [
            {**present.event(one, names), "knew": _knew(one, names)} for one in side["entries"]
        ],
    }


def _knew(entry: Value, names: Names) -> list[Value]:
    """What the device knew, as facts: its last event of the item, its chain, contact and clock."""
    knew = entry["knew"]
    told = [
        (words("claims.saw"), _saw(knew["saw"], names)),
        (words("claims.missed"), _missed(knew["missed"])),
        (words("claims.head"), _head(entry["run"], knew["head"])),
        (words("claims.contact"), _contact(entry)),
        (words("claims.clock"), _clock(knew["off"])),
    ]
    return [{"label": label, "value": value} for label, value in told]


def _missed(number: int) -> str:
    return words("claims.missed_n", n=number) if number else words("claims.missed_none")


def _head(run: int, seq: int) -> str:
    return words("items.chain", run=run, seq=seq) if seq else words("claims.head_none", run=run)


def _saw(saw: Value | None, names: Names) -> str:
    if saw is None:
        return words("items.knew_nothing")
    event = present.event(saw, names)
    step = " ".join(one for one in (event["step_word"], event["place_line"]) if one)
    return words("claims.saw_event", step=step, n=saw["position"])


def _contact(entry: Value) -> str:
    """How long before the event the device was last in touch, and how long after it told of it."""
    contact, event = entry["knew"]["contact"], entry["event"] or {}
    if entry["device"] == DESK:
        return words("claims.desk")
    if contact is None or "at" not in event:
        return words("claims.never")
    before = words("claims.before", span=times.span(max(0, event["at"] - contact)))
    return words("claims.told", before=before, span=times.span(entry["received"] - event["at"]))


def _clock(off: int | None) -> str:
    if off is None:
        return words("claims.clock_unknown")
    if abs(off) < CLOSE:
        return words("claims.clock_right")
    return words("claims.clock_ahead" if off > 0 else "claims.clock_behind", span=_seconds(off))


def _seconds(off: int) -> str:
    return times.span(off) if abs(off) >= 60_000 else f"{abs(off) // 1000} s"
