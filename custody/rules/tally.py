"""A physical count against the books: what is missing, what was not expected, and by how much."""

from . import codes_errors, codes_range, lot_counts, lots, papers, stock
from .shapes import Any, Json


def variances(book: Json, facts: Any, event: Json) -> Json:
    """Return the exceptions and postings of a count: one exception for each item missing, or found
    and not expected.

    A second count of the same place on one gaming day takes the first one's difference back.
    """
    if event["step"] != "count" or not event["where"]:
        return {"raised": [], "postings": []}
    found = difference(book, facts, event)
    counted = (facts.get("task", "count:" + str(event["kind"])) or {}).get("places", {})
    before = counted.get(event["where"]) or {}
    again = before.get("variance", []) if before.get("day") == event["day"] else []
    postings = [stock.reversed_line(line) for line in again] + found["lines"]
    return {"raised": found["raised"], "postings": postings}


def difference(book: Json, facts: Any, event: Json) -> Json:
    """Return what a count found: `raised`, and `lines`, the postings of counted minus expected."""
    kind = event["kind"]
    result: Json = {"raised": [], "lines": []}
    clause = _clause(book, kind)
    if kind in lots.KINDS:
        counted = lot_counts.variances(book, facts, event, clause)
        gone = papers.missing(facts, event, clause)
        return {"raised": counted["raised"] + gone, "lines": counted["postings"]}
    expected = _expected(book, facts, kind, event["where"])
    codes, number = _found(facts, kind, event["with"].get("found"))
    if number is not None:
        _by_number(result, facts, expected, number, event, clause)
        return result
    for code in expected:
        if code not in codes:
            _vary(result, facts.get("item", code), code, -1, event, clause)
    for code in sorted(codes):
        if code not in expected:
            _vary(result, facts.get("item", code), code, 1, event, clause)
    return result


def _clause(book: Json, kind: Any) -> Any:
    for rule in book["counts"]:
        if kind in rule["kinds"]:
            return rule.get("variance")
    return None


def _expected(book: Json, facts: Any, kind: Any, place: str) -> list[str]:
    codes = []
    for code in facts.at(place):
        value = facts.get("item", code)
        if value is not None and value["kind"] == kind and stock.position(book, value) is not None:
            codes.append(code)
    return codes


def _found(facts: Any, kind: Any, found: Any) -> Any:
    """Return the codes that were counted, and how many there are where some have no code of their
    own (None where all have).
    """
    amounts = found if isinstance(found, dict) else {}
    names = [name for name in found or [] if amounts.get(name, 1) != 0]
    try:
        named = codes_range.expand_all(names)
    except codes_errors.CodeRangeError:
        named = []
    items = {code: True for code in named if (facts.get("item", code) or {}).get("kind") == kind}
    designs = [name for name in names if name in amounts and facts.get("item", name) is None]
    if designs:
        return items, sum([amounts[name] for name in designs]) + len(items)
    return dict.fromkeys(named, True), None


def _by_number(
    result: Json, facts: Any, expected: list[str], number: int, event: Json, clause: Any
) -> None:
    """A count by design says how many, not which; pieces count where all sets have as many."""
    missing = number - len(expected)
    if missing == 0:
        return
    values = {"expected": len(expected), "found": number, "place": event["where"]}
    result["raised"].append(
        {"kind": "count-variance", "clause": clause, "items": [], "values": values}
    )
    each = [stock.units(facts.get("item", code)) for code in expected]
    if each and all(units == each[0] for units in each):
        amount = {unit: missing * each[0][unit] for unit in each[0]}
        line = stock.line(event["kind"], event["where"], "variance", amount, event)
        result["lines"].append(line)


def _vary(result: Json, value: Any, code: str, sign: int, event: Json, clause: Any) -> None:
    values = {"place": event["where"], "difference": sign, "event": event["id"]}
    entry = {"kind": "count-variance", "clause": clause, "items": [code], "values": values}
    result["raised"].append(entry)
    if value is not None:
        units = stock.units(value)
        amount = {unit: sign * units[unit] for unit in units}
        line = stock.line(event["kind"], event["where"], "variance", amount, event)
        result["lines"].append(line)
