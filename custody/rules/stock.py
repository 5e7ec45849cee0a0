"""The double-entry stock ledger: postings from the old and the new state of an item.

Stock terms (the `term` of a state in the vocabulary) sum to what is on hand; flow terms
(`received`,
`issued`, `returned`, `destroyed`, `lost`, `variance`) sum over a gaming day.
"""

from . import lots, parts, serial_effects, tiles
from .shapes import Any, Json, Table

# Steps that take an item apart or put it together: nothing is received or lost by them.
PARTED = ("split", "rebuild", "pack")
STORES = ("storage", "cage")


def units(value: Json) -> Json:
    """Return what an item counts in its kind's units: a stick of five is `{"sticks": 1, "dice":
    5}`.
    """
    kind = value["kind"]
    if kind == "dice":
        return {"sticks": lots.size(value), "dice": value["pieces"]}
    if kind == "cards":
        return {"decks": value["attributes"].get("decks", 1) * lots.size(value)}
    if kind == "tiles":
        return _sets(value)
    if kind == "coupons":
        worth = value["attributes"].get("denomination")
        worth = worth if isinstance(worth, int) else 0
        return {"coupons": value["pieces"], "value": value["pieces"] * worth}
    if kind in lots.BY_NUMBER:
        return {"pieces": value["pieces"]}
    return {"pieces": 1}


def _sets(value: Json) -> Json:
    """A set, its tiles, and the stock that it belongs to; what gave all its tiles is no set."""
    whole = lots.size(value) if value["pieces"] else 0
    return {"sets": whole, "tiles": value["pieces"], tiles.balance(value): whole}


def position(book: Json, value: Any) -> Any:
    """Return `[term, place]` of the stock that an item is, None for one that is no longer in
    custody.
    """
    if value is None or "serials" in value:  # nothing, or a lot
        return None
    kind = value["kind"]
    if kind == "envelope":
        return None
    if kind in lots.BY_NUMBER and (value.get("on") or value.get("event")):
        return None  # a seal that closed an envelope, a form that was written on: used
    term = book["terms"].get(value["state"])
    return None if term is None else [term, value["place"]]


def postings(book: Json, old: Any, new: Any, event: Json) -> list[Json]:
    """Return the postings of one item's change: out of the old stock, into the new, and the day's
    flows.
    """
    if new is None or new["kind"] in (None, "envelope") or "serials" in new:
        return []  # what came without a word of its kind is in nobody's stock
    was, now = position(book, old), position(book, new)
    before = units(old) if old is not None else None
    after = units(new)
    lines = _parts(old, new, event) if new["kind"] == "tiles" else []
    if was != now or before != after:
        if was is not None and before is not None:
            lines.append(_line(old, was[0], was[1], _negative(before), event))
        if now is not None:
            lines.append(_line(new, now[0], now[1], after, event))
    if lots.is_serial(new):
        for term, place in serial_effects.flows(old, new, was, now, event):
            lines.append(_line(new, term, place, dict(after), event))
    elif event.get("step") not in PARTED:
        lines.extend(_flows(old, new, was, now, [before, after], event))
    return lines


def _parts(old: Any, new: Json, event: Json) -> list[Json]:
    """Tiles that were taken out of their set, and their end, one by one."""
    return [
        _line(new, term, place, {"tiles": n}, event) for term, place, n in parts.moves(old, new)
    ]


def _flows(old: Any, new: Json, was: Any, now: Any, amounts: list[Any], event: Json) -> list[Json]:
    """`amounts` are the units of the old value and of the new."""
    before, after = amounts
    state = new["state"]
    if old is None or was is None:
        if now is None:
            return []
        return [_line(new, "received", new["place"], dict(after), event)]
    if state in ("cancelled", "destroyed"):
        return [_line(old, "destroyed", was[1], dict(before), event)]
    if state == "lost":
        return [_line(old, "lost", was[1], dict(before), event)]
    lines = []
    if old["state"] == "stored" and state in ("reserve", "issued"):
        lines.append(_line(new, "issued", old["place"], dict(after), event))
    if state == "stored" and old["state"] not in ("received", "stored"):
        lines.append(_line(new, "returned", new["place"], dict(after), event))
    if before != after:
        missing = _sum(before, _negative(after))
        if any(missing.values()):
            lines.append(_line(old, "lost", was[1], missing, event))
    return lines


def _line(value: Json, term: str, place: Any, amount: Json, event: Json) -> Json:
    coupons = value["kind"] == "coupons"
    design = lots.design(value) if coupons else value["attributes"].get("design")
    return {
        "kind": value["kind"],
        "place": place,
        "term": term,
        "design": design,
        "day": event["day"],
        "at": event["at"],
        "units": amount,
    }


def line(kind: str, place: Any, term: str, amount: Json, event: Json) -> Json:
    """Return a posting that belongs to no single item, such as a counted variance."""
    return {
        "kind": kind,
        "place": place,
        "term": term,
        "design": None,
        "day": event["day"],
        "at": event["at"],
        "units": amount,
    }


def _negative(amount: Json) -> Json:
    return {unit: -amount[unit] for unit in amount}


def _sum(one: Json, other: Json) -> Json:
    total = dict(one)
    for unit in other:
        total[unit] = total.get(unit, 0) + other[unit]
    return total


def reversed_line(entry: Json) -> Json:
    """Return the posting that takes another one back, in the gaming day of the first."""
    return dict(entry, units=_negative(entry["units"]))


def merged(lines: list[Json]) -> list[Json]:
    """Return the same sums with one line for each kind, place, term, design and day; no zeros."""
    if len(lines) < 2:
        return lines
    terms: Table = {}
    for entry in lines:
        if entry["term"] in terms or not any(entry["units"].values()):
            return _summed(lines)
        terms[entry["term"]] = True
    return lines  # as the change of a single item is


def _summed(lines: list[Json]) -> list[Json]:
    sums: Table = {}
    order = []
    for entry in lines:
        key = (
            entry["kind"],
            entry["place"],
            entry["term"],
            entry["design"],
            entry["day"],
            entry["at"],
        )
        if key in sums:
            sums[key]["units"] = _sum(sums[key]["units"], entry["units"])
        else:
            sums[key] = dict(entry)
            order.append(key)
    return [sums[key] for key in order if any(sums[key]["units"].values())]
