"""A physical count of what comes in lots: by the quantity of each lot, or by serials."""

from . import codes_errors, lots, serials, stock
from . import found as whole
from .exception_kinds import GAP, VARIANCE
from .shapes import Any, Json


def variances(book: Json, facts: Any, event: Json, clause: Any) -> Json:
    """Return the exceptions and postings of a count: one for each lot that differs."""
    result: Json = {"raised": [], "postings": []}
    expected = _expected(book, facts, event["kind"], event["where"])
    found = _found(facts, event["with"].get("found"))
    for lot in sorted(set(list(expected) + list(found))):
        there = found.get(lot) or {"count": 0, "spans": None}
        due = expected.get(lot) or {"count": 0, "spans": []}
        if due["count"] != there["count"] or _lacks(due, there):
            _vary(result, facts, lot, due, there, event, clause)
    return result


def _expected(book: Json, facts: Any, kind: str, place: str) -> Json:
    """How many of each lot the record has at a place, and which."""
    known: Json = {}
    for code in facts.at(place):
        value = facts.get("item", code)
        if lots.is_range(value) and value["kind"] == kind and stock.position(book, value):
            entry = known.setdefault(value["lot"], {"count": 0, "spans": []})
            entry["count"] += value["pieces"]
            entry["spans"].append(value["span"])
    return known


def _found(facts: Any, found: Any) -> Json:
    """What was counted: `{lot: quantity}`, `{serials: quantity}`, or a list of serials."""
    counted: Json = {}
    for text in sorted(found) if found else []:
        value = facts.get("item", text)
        quantity = found[text] if isinstance(found, dict) else None
        if lots.is_lot(value):
            _add(counted, text, whole.whole(facts, text) if quantity is None else quantity, None)
            continue
        for lot, span in _spans(facts, text):
            _add(counted, lot, span[1] - span[0] + 1 if quantity is None else quantity, span)
            quantity = 0 if quantity is not None else None
    return counted


def _spans(facts: Any, text: str) -> list[Any]:
    try:
        run = serials.read(text)
    except codes_errors.CodeRangeError:
        return []
    return [[lot, [first, last]] for first, last, lot in lots.holders(facts, run)]


def _add(counted: Json, lot: str, quantity: Any, span: Any) -> None:
    entry = counted.setdefault(lot, {"count": 0, "spans": None})
    entry["count"] += quantity if isinstance(quantity, int) else 0
    if span is not None:
        entry["spans"] = (entry["spans"] or []) + [span]


def _lacks(due: Json, there: Json) -> list[list[int]]:
    """The serials that are recorded and were not among those counted one by one."""
    if there["spans"] is None:
        return []
    missing: list[list[int]] = []
    seen = serials.joined(there["spans"])
    for span in serials.joined(due["spans"]):
        missing.extend(serials.without(span, seen))
    return missing


def _vary(
    result: Json, facts: Any, lot: str, due: Json, there: Json, event: Json, clause: Any
) -> None:
    difference = there["count"] - due["count"]
    values = {
        "place": event["where"],
        "expected": due["count"],
        "found": there["count"],
        "difference": difference,
        "event": event["id"],
    }
    root = lots.index(facts, lot)
    if root is not None:
        values["missing"] = [serials.code(root, a, b) for a, b in _lacks(due, there)]
    entry = {"kind": VARIANCE, "clause": clause, "items": [lot], "values": values}
    if event["kind"] in lots.BY_NUMBER and values.get("missing"):
        entry["kind"] = GAP
    result["raised"].append(entry)
    value = facts.get("item", lot)
    if value is not None and difference:
        amount = stock.units(dict(value, pieces=difference))
        line = stock.line(event["kind"], event["where"], "variance", amount, event)
        result["postings"].append(dict(line, design=lots.design(value)))
