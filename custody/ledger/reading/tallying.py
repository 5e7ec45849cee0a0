"""What was counted beside what the books had, line by line."""

from __future__ import annotations

from typing import Any

from custody.ledger.cache import Cache, Value
from custody.ledger.reading.balance import Move
from custody.rules import codes, lots, serials

AGREES, MOVED, SHORT, OVER = "agrees", "moved", "short", "over"


def counted(facts: Cache, event: Value) -> Value:
    """Return what was counted: `{"codes": {code or lot: number}, "designs": {design: number}}`.

    A design (a GTIN) says how many, not which; serials count for their lot.
    """
    found = event["with"].get("found") or []
    told: Value = {"codes": {}, "designs": {}}
    for text in found:
        number = found[text] if isinstance(found, dict) else None
        _add(told, facts, str(text), number)
    return told


def _add(told: Value, facts: Cache, text: str, number: int | None) -> None:
    spans = _spans(facts, text)
    if spans:
        for lot, size in spans:
            told["codes"][lot] = told["codes"].get(lot, 0) + (size if number is None else number)
            number = 0 if number is not None else None
    elif number is not None and facts.get("item", text) is None:
        told["designs"][text] = told["designs"].get(text, 0) + number
    else:
        named = [text] if number is not None else codes.expand_all([text])
        told["codes"] |= dict.fromkeys(named, 1 if number is None else number)


def _spans(facts: Cache, text: str) -> list[tuple[str, int]]:
    """The lots of serials that a text names, with how many of each."""
    if facts.get("item", text) is not None and not lots.is_range(facts.get("item", text)):
        return []
    try:
        held = lots.holders(facts, serials.read(text))
    except codes.CodeRangeError:
        return []
    return [(lot, last - first + 1) for first, last, lot in held]


def lines(books: Value, told: Value, raised: list[Value]) -> list[Value]:
    """Return the lines that differ, or differed when the count arrived, by code.

    `[{"code", "expected", "found", "difference", "state", "moves", "exceptions"}, ...]`: `expected`
    is the balance at the count's own time as it is known now, `state` one of `short`, `over`,
    `moved` (it moved while it was counted, or a handheld told of it later) and `agrees`. Where a
    design was counted there is one line for all, without a code.
    """
    if told["designs"]:
        return _whole(books, told, raised)
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


def _whole(books: Value, told: Value, raised: list[Value]) -> list[Value]:
    expected, began = (sum(books[name].values()) for name in ("closed", "opened"))
    found = sum(told["codes"].values()) + sum(told["designs"].values())
    moves: list[Any] = books["moves"]
    steps = _steps(began, [sum(m.changes.values()) for m in moves if m.at > books["since"]])
    line = {
        "code": "",
        "expected": expected,
        "found": found,
        "difference": found - expected,
        "state": _state(found, expected, steps, bool(moves and raised)),
        "moves": moves,
        "exceptions": raised,
    }
    return [line] if line["state"] != AGREES or raised else []
