"""A physical count against the books: what is missing, what was not expected, and by how much."""

from . import found, lot_counts, lots, papers, stock, there
from .exception_kinds import VARIANCE
from .shapes import Any, Json


def variances(book: Json, facts: Any, event: Json) -> Json:
    """Return the exceptions and postings of a count: one exception for each code or design of which
    there are more or fewer than expected.

    A second count of the same place on one gaming day takes the first one's difference back.
    """
    if not is_one(book, event):
        return {"raised": [], "postings": []}
    made = difference(book, facts, event)
    counted = (facts.get("task", "count:" + str(event["kind"])) or {}).get("places", {})
    before = counted.get(event["where"]) or {}
    again = before.get("variance", []) if before.get("day") == event["day"] else []
    postings = [stock.reversed_line(line) for line in again] + made["lines"]
    return {"raised": made["raised"], "postings": postings}


def is_one(book: Json, event: Json) -> bool:
    """Whether a count says of which place it is and of which kind: of any other there are no books
    to hold it against.
    """
    return bool(event["where"]) and event["kind"] in book["words"]["kinds"]


def difference(book: Json, facts: Any, event: Json) -> Json:
    """Return what a count found: `raised`, and `lines`, the postings of counted minus expected."""
    kind = event["kind"]
    result: Json = {"raised": [], "lines": []}
    clause = _clause(book, kind)
    if kind in lots.KINDS:
        counted = lot_counts.variances(book, facts, event, clause)
        gone = papers.missing(facts, event, clause)
        return {"raised": counted["raised"] + gone, "lines": counted["postings"]}
    books = expected(book, facts, kind, event["where"])
    told = found.read(facts, event["with"].get("found"))
    if told["designs"]:
        for key, due, seen, values in by_design(facts, books, told):
            _design(result, key, due, seen, values, event, clause)
        return result
    for code in sorted(set(list(books) + list(told["codes"]))):
        _code(result, facts, code, books.get(code), told["codes"].get(code, 0), event, clause)
    return result


def _clause(book: Json, kind: Any) -> Any:
    for rule in book["counts"]:
        if kind in rule["kinds"]:
            return rule.get("variance")
    return None


def expected(book: Json, facts: Any, kind: Any, place: str) -> Json:
    """Return the values of the items that the books have at a place: of a case the ranges of its
    pieces, under its code.
    """
    books: Json = {}
    for code in facts.at(place):
        value = facts.get("item", code)
        if there.counted(book, value, kind, place):
            books.setdefault(there.group(value), []).append(value)
    return books


def by_design(facts: Any, books: Json, told: Json) -> list[list[Any]]:
    """Return `[design, expected, found, values expected]` of each design, "" for what has none.

    A number of a design that the books do not have counts for what has no design, if there is any.
    What is named by its code counts for its own design.
    """
    due: Json = {}
    for code in books:
        for value in books[code]:
            due.setdefault(design(value), []).append(value)
    seen: Json = {}
    for name in told["designs"]:
        key = "" if name not in due and "" in due else name
        seen[key] = seen.get(key, 0) + told["designs"][name]
    for code in told["codes"]:
        value = facts.get("item", code)
        key = design(value) if value is not None else ""
        seen[key] = seen.get(key, 0) + told["codes"][code]
    keys = sorted(set(list(due) + list(seen)))
    return [[k, _many(due.get(k, [])), seen.get(k, 0), due.get(k, [])] for k in keys]


def design(value: Json) -> str:
    """Return the design of an item, "" where it has none."""
    return str(value["attributes"].get("design") or "")


def _many(values: list[Json]) -> int:
    return sum([lots.size(value) for value in values])


def _design(
    result: Json, key: str, due: int, seen: int, values: list[Json], event: Json, clause: Any
) -> None:
    """A count by design says how many, not which; pieces count where all sets have as many."""
    if due == seen:
        return
    told = {"expected": due, "found": seen, "place": event["where"]}
    if key:
        told["design"] = key
    result["raised"].append({"kind": VARIANCE, "clause": clause, "items": [], "values": told})
    each = [_each(value) for value in values]
    if each and all(units == each[0] for units in each):
        _post(result, each[0], seen - due, key, event)


def _code(
    result: Json, facts: Any, code: str, values: Any, seen: int, event: Json, clause: Any
) -> None:
    due = _many(values or [])
    if due == seen:
        return
    told = {"place": event["where"], "difference": seen - due, "event": event["id"]}
    value = facts.get("item", code)
    if lots.is_lot(value):
        told.update({"expected": due, "found": seen})
    entry = {"kind": VARIANCE, "clause": clause, "items": [code], "values": told}
    result["raised"].append(entry)
    one = values[0] if values else facts.get("item", (lots.find(facts, code) or [code])[0])
    if one is not None:
        _post(result, _each(one), seen - due, design(one), event)


def _each(value: Json) -> Json:
    """What one piece of an item counts in the kind's units."""
    units = stock.units(value)
    return {unit: units[unit] // lots.size(value) for unit in units}


def _post(result: Json, each: Json, times: int, key: str, event: Json) -> None:
    amount = {unit: times * each[unit] for unit in each}
    line = stock.line(event["kind"], event["where"], "variance", amount, event)
    result["lines"].append(dict(line, design=key or None))
