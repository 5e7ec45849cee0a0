"""Parts of an item: a tile out of its set, a card out of its deck, tracked until destroyed."""

from . import failing, with_fields
from .shapes import Any, Json


def named_pieces(found: Json, group: Json, need: Json) -> Any:
    """`pieces` names what goes out, and the item has it still."""
    names = found["with"].get("pieces")
    if names in (None, [], ""):
        return None
    if not isinstance(names, list):
        return {"field": "pieces"}

    def lacks(value: Json) -> bool:
        gone = value["attributes"].get("missing", [])
        twice = len(dict.fromkeys(names, True)) != len(names)
        return twice or len(names) >= value["pieces"] or any(name in gone for name in names)

    return failing.of(group, lacks)


def taken(found: Json, group: Json, need: Json) -> Any:
    """`pieces` names what was taken out before and is not destroyed yet."""
    names = found["with"].get("pieces")
    return failing.of(group, lambda v: any(name not in waiting(v) for name in names or [None]))


def waiting(value: Json) -> list[str]:
    """Return the names of what was taken out of an item and is not destroyed yet."""
    return [
        name for entry in value.get("taken", []) if not entry["ended"] for name in entry["pieces"]
    ]


def since(value: Json) -> Any:
    """Return from when the oldest part that waits for destruction counts, None where none does."""
    starts = [
        e["since"] for e in value.get("taken", []) if not e["ended"] and e["since"] is not None
    ]
    return min(starts) if starts else None


CHECKS: Json = {"named_pieces": named_pieces, "taken": taken}

CODES = {"named_pieces": "pieces-unnamed", "taken": "pieces-not-taken"}


def goes(value: Json, event: Json) -> bool:
    """Whether only a part of a deck or set goes into an envelope."""
    return value["kind"] in ("cards", "tiles") and with_fields.part(event.get("with") or {})


def take(value: Json, event: Json, since: Any) -> None:
    """Take `pieces` out; `since` is when the days until they must be destroyed began."""
    names = [
        name
        for name in event["with"]["pieces"]
        if name not in value["attributes"].get("missing", [])
    ]
    entry = {
        "pieces": names,
        "at": event["at"],
        "day": event["day"],
        "place": event["to"] or value["place"],
        "into": event["into"],
        "since": since,
        "ended": None,
    }
    value["taken"] = with_fields.added(value.get("taken"), entry)
    if value["kind"] == "tiles":
        missing = value["attributes"].get("missing", []) + names
        value["attributes"] = dict(value["attributes"], missing=missing)
        value["pieces"] = max(0, value["pieces"] - len(names))
    else:
        _short(value, names)


def _short(value: Json, names: list[str]) -> None:
    """A card that was replaced already leaves the deck whole."""
    extra = list(value.get("extra", []))
    short = list(value.get("short", []))
    for name in names:
        if name in extra:
            extra.remove(name)
        else:
            short.append(name)
    value["extra"], value["short"] = extra, short


def ended(value: Json, event: Json) -> None:
    """What was taken out before is destroyed; the item itself stays as it is."""
    names = event["with"]["pieces"]
    kept = []
    for entry in value.get("taken", []):
        hit = not entry["ended"] and any(name in names for name in entry["pieces"])
        left = [name for name in entry["pieces"] if name not in names]
        if hit and left:
            kept.append(dict(entry, pieces=left))
            entry = dict(entry, pieces=[name for name in entry["pieces"] if name in names])
        kept.append(dict(entry, ended=event["at"]) if hit else entry)
    value["taken"] = kept


def moves(old: Any, new: Json) -> list[list[Any]]:
    """Return `[term, place, tiles]` of parts taken out or destroyed: stock and flow lines."""
    before, after = _lying(old), _lying(new)
    lines = []
    for place in sorted(set(before) | set(after)):
        change = after.get(place, 0) - before.get(place, 0)
        if change:
            lines.append(["awaiting", place, change])
        if change < 0:
            lines.append(["destroyed", place, -change])
    return lines


def _lying(value: Any) -> Json:
    found: Json = {}
    for entry in (value or {}).get("taken", []):
        if not entry["ended"]:
            found[entry["place"]] = found.get(entry["place"], 0) + len(entry["pieces"])
    return found
