"""An item as at a past instant: as known then beside as known now, and the events of either."""

from typing import Any

from flask import Response

from custody.ledger.reading import as_it_was, asof
from custody.routes import context, moments, paging, present, render, vocabulary
from custody.routes.names import Names
from custody.routes.words import words
from custody.rules import context as rules_context

Value = dict[str, Any]
SHOWN = 50  # parts of a range of serials that was cut since
COMPARED = ("state", "place", "in", "holder", "pieces", "contents", "disputed")


def page(code: str, asked: moments.Asked, found: Value) -> Response:
    """Show an item at the instant that was asked for; `found` is its life as it is now."""
    at = asked.at or 0
    sides = {known: as_it_was.of_item(context.ledger(), code, at, known) for known in asof.KNOWN}
    chosen = sides[asked.known]
    named = {known: moments.names(known, side["position"]) for known, side in sides.items()}
    names = named[asked.known]
    newest = list(reversed(_known(found, chosen)))
    entries, pages = paging.listed(newest, lambda entry: (-entry["position"],))
    shown = [present.event(one, names, _raised(found, chosen), one["clauses"]) for one in entries]
    return render.page(
        "items/as_it_was.html",
        code=code,
        words=present.kind_words(found["item"]) if found["item"] else "",
        heading=moments.heading(asked, chosen["position"]),
        moment=moments.form(asked),
        sides=[_side(sides[known], asked.known, named[known]) for known in asof.KNOWN],
        differs=_facts_of(sides[asof.THEN]) != _facts_of(sides[asof.NOW]),
        events=shown,
        paging=pages,
    )


def _known(found: Value, side: Value) -> list[Value]:
    """The events that were known, or that had happened, by the instant."""
    if side["known"] == asof.THEN:
        kept = [one for one in found["entries"] if one["position"] < side["position"]]
        return [{**one, "strikes": _before(one["strikes"], side)} for one in kept]
    return [one for one in found["entries"] if _happened(one) <= side["at"]]


def _before(some: list[Value], side: Value) -> list[Value]:
    return [one for one in some if one["position"] < side["position"]]


def _happened(entry: Value) -> int:
    event = entry["event"]
    return rules_context.effective(event) if event else int(entry["received"])


def _raised(found: Value, side: Value) -> list[Value]:
    """The exceptions as they were known: one that was closed later was open then."""
    known = _before(found["exceptions"], side)
    return [
        {**one, "resolved": None} if (one["resolved"] or -1) >= side["position"] else one
        for one in known
    ]


def _facts_of(side: Value) -> list[Value]:
    return [_compared(part) for part in side["parts"]]


def _compared(part: Value) -> Value:
    value = {**(part["value"] or {}), "disputed": len(part["tips"]) > 1}
    return {name: value.get(name) for name in COMPARED}


def _side(side: Value, chosen: str, names: Names) -> Value:
    parts = side["parts"]
    return {
        "known": side["known"],
        "chosen": side["known"] == chosen,
        "position": side["position"],
        "parts": [_part(part, names) for part in parts[:SHOWN]],
        "more": max(0, len(parts) - SHOWN),
    }


def _part(part: Value, names: Names) -> Value:
    value = part["value"]
    return {
        "code": part["code"],
        "there": value is not None,
        "disputed": len(part["tips"]) > 1,
        "facts": facts(value, names) if value else [],
        "contents": (value or {}).get("contents", []),
    }


def facts(value: Value, names: Names) -> list[Value]:
    """Make an item's state, place, holder, envelope and number as `shared/_facts.html` shows
    them.
    """
    told = [
        (words("words.state"), vocabulary.word("state", value.get("state"))),
        (words("words.place"), names.place(value.get("place"))),
        (words("items.holder"), names.person(str(value.get("holder") or ""))),
        (words("items.inside"), value.get("in") or ""),
        (vocabulary.word("field", "pieces"), value.get("pieces") or ""),
    ]
    return [{"label": label, "value": shown} for label, shown in told if shown]
