"""Make of the ledger's values what the templates show: words for steps and states, names for
people, lines for places.

Nothing is decided here. What a page says about rules comes with the event, the exception or the
rulebook.
"""

import re
from collections.abc import Iterable
from typing import Any

from custody.routes import context, times, vocabulary
from custody.routes.names import Names
from custody.routes.words import words
from custody.rules import codes, instants

Value = dict[str, Any]
VALUE = "value"  # the unit of what coupons are worth
STROKES = re.compile(r"[ML0-9 ]{1,6000}")  # what a handheld draws, and all that is drawn again
HASH = re.compile(r"[0-9a-f]{64}")  # of an event or of what an act changed: no word
HIDDEN_FIELDS = frozenset({"fact", "photos", "event"})


def event(
    entry: Value, names: Names, raised: Iterable[Value] = (), clauses: Iterable[str] = ()
) -> Value:
    """Make one event of a life: who, when by both clocks, where, what, and what came of it."""
    line = entry["event"] or {}
    fact = (line.get("with") or {}).get("fact")
    return {
        "position": entry["position"],
        "id": entry["id"],
        "run": entry["run"],
        "seq": entry["seq"],
        "branch": entry["branch"],
        "device_name": names.device(entry["device"]),
        "step_word": vocabulary.word("step", line.get("step"))
        if line
        else words("items.unreadable"),
        "place_line": place_line(line, names, entry.get("before")),
        "at": line.get("at"),
        "offset": line.get("offset", 0),
        "received": entry["received"],
        "late": _late(line, entry["received"]),
        "people": [_signer(one, names) for one in line.get("by") or []],
        "who": ", ".join(names.person(_signer_id(one)) for one in line.get("by") or []),
        "clauses": sorted(clauses),
        "fields": _entered(line, names) + _unticked(entry.get("unticked", [])),
        "note": line.get("note") or entry.get("why") or "",
        "fact": fact,
        "photos": _photos(line),
        "apart": entry.get("apart", False),
        "struck": bool(entry.get("strikes")),
        "strikes": [_strike(one, names) for one in entry.get("strikes", [])],
        "exceptions": [
            exception(one, names) for one in raised if one["position"] == entry["position"]
        ],
        "items": expanded(line.get("items") or []),
    }


def expanded(items: list[str]) -> list[str]:
    """Write runs of codes out, so that each can be followed.

    A run that is none stays as it came.
    """
    try:
        return list(codes.expand_all(items))
    except codes.CodeError:
        return items


def place_line(line: Value, names: Names, before: str | None = None) -> str:
    """Write where a step was and led: "vault → pit1", "CR1", "into EV-000017".

    `before` is where the items were: the place of a step that names none, and the start of one
    that moves them from there.
    """
    start, end, where = (names.place(line.get(name)) for name in ("from", "to", "where"))
    start = start or ("" if where else names.place(before))
    parts = [f"{start} → {end}" if start and end and start != end else end or start or where]
    if line.get("into"):
        parts.append(words("items.into", into=line["into"]))
    return " ".join(part for part in parts if part)


def _photos(line: Value) -> list[Any]:
    photos = (line.get("with") or {}).get("photos")
    return photos if isinstance(photos, list) else []


def _late(line: Value, received: int) -> str:
    if "at" not in line or received - line["at"] < 60_000:
        return ""
    return times.span(received - line["at"])


def _signer_id(signer: Value) -> str:
    return str(signer.get("person") or signer.get("name") or "")


def _signer(signer: Value, names: Names) -> Value:
    id_ = _signer_id(signer)
    job = names.job(id_) if "person" in signer else str(signer.get("agency") or "")
    how = vocabulary.word("how", signer.get("how"))
    drawn = _drawn(signer.get("signature"))
    return {"id": id_, "name": names.person(id_), "job": job, "how": how, "drawn": drawn}


def _drawn(signature: object) -> str:
    """Return an outside signer's drawn strokes as the path of an SVG, "" for anything else."""
    fits = isinstance(signature, str) and STROKES.fullmatch(signature)
    return str(signature) if fits else ""


def _strike(entry: Value, names: Names) -> Value:
    line = entry["event"]
    who = ", ".join(names.person(_signer_id(one)) for one in line.get("by") or [])
    return {
        "who": who,
        "reason": (line.get("with") or {}).get("reason", ""),
        "at": line["at"],
        "offset": line["offset"],
    }


def _entered(line: Value, names: Names) -> list[tuple[str, str]]:
    """Write the fields of an event; what is an instant by their types, by the event's own clock."""
    given, offset = line.get("with") or {}, line.get("offset")
    if offset is not None:
        timed = instants.of(context.site()["book"], line.get("step"))
        known = ((name, part) for name, part in timed.items() if name in given)
        given = {**given, **{name: _by_clock(given[name], part, offset) for name, part in known}}
    return fields(given, names)


def _by_clock(value: object, part: str, offset: int) -> object:
    """Write an instant by a clock so many minutes east of UTC: `value`, or the part of it."""
    if part:
        return (
            {**value, part: _by_clock(value.get(part), "", offset)}
            if isinstance(value, dict)
            else value
        )
    return times.written(value, offset) if type(value) is int else value


def fields(given: Value, names: Names) -> list[tuple[str, str]]:
    """Write fields as label and text, in the order in which they are given."""
    empty: tuple[object, ...] = (None, "", [])
    kept = [
        (name, value)
        for name, value in given.items()
        if name not in HIDDEN_FIELDS and value not in empty
    ]
    return [(vocabulary.word("field", name), _field(name, value, names)) for name, value in kept]


def _unticked(lines: list[str]) -> list[tuple[str, str]]:
    """Write what a person was to check and nobody ticked: silence is no confirmation."""
    return [(words("items.unticked"), _checked(lines))] if lines else []


def _checked(lines: list[str]) -> str:
    return ", ".join(vocabulary.word("check", line) for line in lines)


def _field(name: str, value: object, names: Names) -> str:
    if name == "checked" and isinstance(value, list):
        return _checked(value)
    return _written(value, names)


def _written(value: object, names: Names) -> str:
    """Write a field's value: lists with commas, yes and no, words and names, text as it is."""
    if isinstance(value, bool):
        return words("words.yes") if value else words("words.no")
    if isinstance(value, list):
        inches = value and all(isinstance(one, str) and "." in one for one in value)
        sign = " \N{MULTIPLICATION SIGN} " if inches else ", "
        return sign.join(_written(one, names) for one in value)
    if isinstance(value, dict):
        parts = [
            f"{vocabulary.plain(str(key))}: {_written(one, names)}" for key, one in value.items()
        ]
        return ", ".join(parts)
    return _named(value, names)


def _named(value: object, names: Names) -> str:
    if not isinstance(value, str):
        return str(value)
    if value in names.places or value in names.people:
        return names.place(value) if value in names.places else names.person(value)
    if value in names.devices:
        return names.device(value)
    is_word = value.islower() and not HASH.fullmatch(value)
    return vocabulary.word("value", value) if is_word else value


def exception(one: Value, names: Names) -> Value:
    """Make one exception as lists show it: its title and who sent what raised it."""
    return {
        **one,
        "title": vocabulary.word("exception", one["kind"]),
        "open": one["resolved"] is None,
        "device_name": names.device(one["device"]),
    }


def kind_words(item: Value) -> str:
    """Write what an item is: "Dice stick, 5, red", "Envelope, used"."""
    attributes = item.get("attributes") or {}
    details = [
        attributes.get("size"),
        attributes.get("colour"),
        vocabulary.word("purpose", item.get("purpose")),
    ]
    kind, form = (
        vocabulary.word("kind", item.get("kind")),
        vocabulary.word("form", item.get("form")),
    )
    name = kind if form.lower() == kind.lower() else f"{kind}, {form.lower()}"
    return ", ".join([name, *[str(one) for one in details if one]])


def place_words(place: Value, names: Names) -> str:
    """Write what a place is: "A table, craps, Pit 1 stand"."""
    named = [vocabulary.word("place_type", place.get("type")), place_details(place, names)]
    return ", ".join(one for one in named if one)


def place_details(place: Value, names: Names) -> str:
    """Write what sets a place apart from others of its type: "craps, Pit 1 stand"."""
    words_ = [vocabulary.word("value", place.get(name)).lower() for name in ("use", "game")]
    return ", ".join(one for one in [*words_, names.place(place.get("pit"))] if one)


def amount(units: dict[str, int]) -> str:
    """Write an amount in its kind's units: `{"sticks": 9, "dice": 45}` -> "Sticks 9, Dice 45"."""
    return ", ".join(
        f"{vocabulary.word('unit', unit)} {quantity(unit, n)}" for unit, n in units.items()
    )


def quantity(unit: str, n: int) -> str:
    """Write a number in its unit; a value is whole cents: ("value", -123450) -> "-$1,234.50"."""
    if unit != VALUE:
        return str(n)
    sign = "-" if n < 0 else ""
    return f"{sign}${abs(n) // 100:,}.{abs(n) % 100:02}"
