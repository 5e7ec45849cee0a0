"""What is known for the label of an envelope: its lines, and who signed electronically."""

from typing import Any

from custody.ledger.reading import records
from custody.routes import context, times
from custody.rules import days

Value = dict[str, Any]
SIZE = "102x76"
FIRST = ("game", "dealer", "packer", "inspector")
SECOND = (
    *("floorperson", "floorperson_or_above", "witness", "observer"),
    *("pit_manager", "management"),
)


def of(envelope: Value) -> Value:
    """Return `{"kind_inside", "fields", "signatures"}` as `documents.envelopes.label_for` takes
    them, by the names of envelopes.toml; what is not known is left out.
    """
    kinds = envelope.get("kinds") or [""]
    return {
        "kind_inside": kinds[0],
        "fields": {name: text for name, text in _fields(envelope).items() if text},
        "signatures": _signatures(envelope),
    }


def _fields(envelope: Value) -> dict[str, str]:
    names, held = context.names(), _held(envelope)
    packed = (envelope.get("packed") or {}).get("at")
    removed = [one["times"]["remove"] for one in held if "remove" in one.get("times", {})]
    looked = [one["inspection"]["at"] for one in held if _at(one.get("inspection"))]
    return {
        "table": names.place(envelope.get("table")),
        "pit_stand": names.place(envelope.get("pit")),
        "removed": _written(max(removed, default=None)),
        "collected": _written(envelope.get("times", {}).get("collect")),
        "enclosed": _written(packed),
        "at": _written(packed),
        "inspected": _written(max(looked, default=None)),
        "number": _sum(held),
        "decks": str(len(held) or ""),
        "place": names.place(envelope.get("place")),
    }


def _held(envelope: Value) -> list[Value]:
    found = records.some(context.ledger(), "item", envelope.get("contents") or [])
    return [found[code] for code in sorted(found)]


def _at(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("at"), int)


def _sum(held: list[Value]) -> str:
    pieces = [one.get("pieces") for one in held]
    known = [one for one in pieces if isinstance(one, int)]
    return str(sum(known)) if known and len(known) == len(pieces) else ""


def _written(at: int | None) -> str:
    if at is None:
        return ""
    return times.written(at, days.offset(context.site()["book"], at)).rsplit(" ", 1)[0]


def _signatures(envelope: Value) -> dict[str, str]:
    """Return the packers' names where the operator signs labels electronically; else the boxes are
    to be signed by hand.
    """
    if context.site()["book"]["controls"].get("signatures") != "electronic":
        return {}
    packed = envelope.get("packed") or {}
    signed = [f"{context.names().person(id_)}, {_written(packed['at'])}" for id_ in packed["by"]]
    if len(signed) == 1:  # where one person packs, whoever the clause asks for is that one
        return dict.fromkeys((*FIRST, *SECOND), signed[0])
    return dict.fromkeys(FIRST, signed[0]) | dict.fromkeys(SECOND, signed[1])
