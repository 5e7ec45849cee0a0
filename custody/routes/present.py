"""Make of the ledger's values what the templates show: words for steps and states, names for
people, lines for places.

Nothing is decided here. What a page says about rules comes with the event, the exception or the
rulebook.
"""

from collections.abc import Iterable
from typing import Any

from custody.routes import times, vocabulary
from custody.routes.words import words
from custody.rules import codes

Value = dict[str, Any]
DONE = "done"
HIDDEN_FIELDS = frozenset({"fact", "photos", "event"})


class Names:
    """The names behind the ids of one page: people and devices."""

    def __init__(self, people: dict[str, Value], devices: dict[str, Value]) -> None:
        self.people, self.devices = people, devices

    def person(self, id_: str) -> str:
        return str(self.people.get(id_, {}).get("name") or id_)

    def job(self, id_: str) -> str:
        return vocabulary.job(str(self.people.get(id_, {}).get("job") or ""))

    def device(self, id_: str) -> str:
        return (
            vocabulary.word("device", id_)
            if id_ == "desk"
            else str(self.devices.get(id_, {}).get("name") or id_)
        )


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
        "place_line": place_line(line),
        "at": line.get("at"),
        "offset": line.get("offset", 0),
        "received": entry["received"],
        "late": _late(line, entry["received"]),
        "people": [_signer(one, names) for one in line.get("by") or []],
        "who": ", ".join(names.person(_signer_id(one)) for one in line.get("by") or []),
        "clauses": sorted(clauses),
        "fields": fields(line.get("with") or {}),
        "note": line.get("note") or entry.get("why") or "",
        "fact": fact,
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


def place_line(line: Value) -> str:
    """Write where a step led: "vault → pit1", "at CR1", "into EV-000017"."""
    start, end, into = line.get("from"), line.get("to"), line.get("into")
    parts = [f"{start} → {end}" if start and end else str(end or start or line.get("where") or "")]
    if into:
        parts.append(words("items.into", into=into))
    return " ".join(part for part in parts if part)


def _late(line: Value, received: int) -> str:
    if "at" not in line or received - line["at"] < 60_000:
        return ""
    return times.span(received - line["at"])


def _signer_id(signer: Value) -> str:
    return str(signer.get("person") or signer.get("name") or "")


def _signer(signer: Value, names: Names) -> Value:
    id_ = _signer_id(signer)
    job = names.job(id_) if "person" in signer else str(signer.get("agency") or "")
    return {
        "id": id_,
        "name": names.person(id_),
        "job": job,
        "how": vocabulary.word("how", signer.get("how")),
    }


def _strike(entry: Value, names: Names) -> Value:
    line = entry["event"]
    who = ", ".join(names.person(_signer_id(one)) for one in line.get("by") or [])
    return {
        "who": who,
        "reason": (line.get("with") or {}).get("reason", ""),
        "at": line["at"],
        "offset": line["offset"],
    }


def fields(given: Value) -> list[tuple[str, str]]:
    """Write the fields of a step as label and text, in the order of the event."""
    shown = [
        (name, value)
        for name, value in given.items()
        if name not in HIDDEN_FIELDS and value not in (None, "", [])
    ]
    return [(vocabulary.word("field", name), written(value)) for name, value in shown]


def written(value: object) -> str:
    """Write a field's value.

    Lists with commas, yes and no, words of the vocabulary, text as it is.
    """
    if isinstance(value, bool):
        return words("words.yes") if value else words("words.no")
    if isinstance(value, list):
        sign = (
            " \N{MULTIPLICATION SIGN} "
            if value and all(isinstance(one, str) and "." in one for one in value)
            else ", "
        )
        return sign.join(written(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(
            f"{vocabulary.plain(str(key))}: {written(one)}" for key, one in value.items()
        )
    return (
        vocabulary.word("value", value)
        if isinstance(value, str) and value.islower()
        else str(value)
    )


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


def place_words(place: Value) -> str:
    """Write what a place is: "A table, craps, pit1"."""
    named = [vocabulary.word("place_type", place.get("type")), place_details(place)]
    return ", ".join(one for one in named if one)


def place_details(place: Value) -> str:
    """Write what sets a place apart from others of its type: "craps, pit1"."""
    words_ = [vocabulary.word("value", place.get(name)).lower() for name in ("use", "game")]
    return ", ".join(one for one in [*words_, str(place.get("pit") or "")] if one)


def amount(units: dict[str, int]) -> str:
    """Write an amount in the units of its kind: `{"sticks": 9, "dice".

    45}` -> "Sticks 9, Dice 45".
    """
    return ", ".join(f"{vocabulary.word('unit', unit)} {n}" for unit, n in units.items())
