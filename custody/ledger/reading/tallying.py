"""What was counted beside what the books had, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from custody.ledger.cache import Cache, Value
from custody.ledger.reading.balance import Move
from custody.rules import found, tally

AGREES, MOVED, SHORT, OVER = "agrees", "moved", "short", "over"


def counted(facts: Cache, event: Value) -> Value:
    """Return what was counted: `{"codes": {code or lot: number}, "designs": {design: number}}`.

    A design (a GTIN) says how many, not which; serials count for their lot.
    """
    return dict(found.read(facts, event["with"].get("found")))


def designs(facts: Cache, codes: Iterable[str]) -> dict[str, str]:
    """Return the design of each of these items, cases or lots, "" where it has none."""
    known = {code: facts.get("item", code) for code in codes}
    return {code: tally.design(value) if value else "" for code, value in known.items()}


def lines(books: Value, told: Value, raised: list[Value]) -> list[Value]:
    """Return the lines that differ, or differed when the count arrived, by code.

    `[{"code", "expected", "found", "difference", "state", "moves", "exceptions"}, ...]`: `expected`
    is the balance at the count's own time as it is known now, `state` one of `short`, `over`,
    `moved` (it moved while it was counted, or a handheld told of it later) and `agrees`. Where a
    design was counted there is one line for each design, its `code` the design's.
    """
    if told["designs"]:
        return _by_design(books, told, raised)
    named = {code for one in raised for code in one["items"]}
    codes_ = sorted({*books["closed"], *books["opened"], *told["codes"], *named})
    made = [_line(code, books, told["codes"].get(code, 0), raised) for code in codes_]
    return [line for line in made if line["state"] != AGREES or line["exceptions"]]


def _line(code: str, books: Value, found: int, raised: list[Value]) -> Value:
    expected, began = books["closed"].get(code, 0), books["opened"].get(code, 0)
    moves: list[Move] = [move for move in books["moves"] if code in move.changes]
    steps = _steps(began, [m.changes[code] for m in moves if m.at > books["since"]])
    about = [one for one in raised if code in one["items"]]
    return {
        "code": code,
        "expected": expected,
        "found": found,
        "difference": found - expected,
        "state": _state(found, expected, steps, bool(moves and about)),
        "moves": moves,
        "exceptions": about,
    }


def _steps(began: int, changes: list[int]) -> list[int]:
    """The balances of a line from the beginning of the count to its end."""
    found = [began]
    for change in changes:
        found.append(found[-1] + change)
    return found


def _state(found: int, expected: int, steps: list[int], told: bool) -> str:
    if found == expected:
        return MOVED if told else AGREES
    if min(steps) <= found <= max(steps) and len(steps) > 1:
        return MOVED
    return SHORT if found < expected else OVER


def _by_design(books: Value, told: Value, raised: list[Value]) -> list[Value]:
    """One line a design, "" for what has none; see `tally.by_design`."""
    named, of = told["designs"], books["designs"]
    due = {of[code] for code in books["closed"]}
    numbers: Counter[str] = Counter()
    for name, number in named.items():
        numbers["" if name not in due and "" in due else name] += number
    for code, number in told["codes"].items():
        numbers[of[code]] += number
    keys = sorted({*due, *numbers, *(of[code] for code in books["opened"])})
    made = [_design_line(key, numbers[key], books, raised) for key in keys]
    return [line for line in made if line["state"] != AGREES or line["exceptions"]]


def _design_line(key: str, found: int, books: Value, raised: list[Value]) -> Value:
    of, since = books["designs"], books["since"]

    def amount(balance: dict[str, int]) -> int:
        return sum(number for code, number in balance.items() if of.get(code, "") == key)

    moves = [move for move in books["moves"] if amount(move.changes)]
    steps = _steps(amount(books["opened"]), [amount(m.changes) for m in moves if m.at > since])
    about = [one for one in raised if (one["values"].get("design") or "") == key]
    expected = amount(books["closed"])
    return {
        "code": key,
        "expected": expected,
        "found": found,
        "difference": found - expected,
        "state": _state(found, expected, steps, bool(moves and about)),
        "moves": moves,
        "exceptions": about,
    }
