"""What a physical count found: how many of each code, case, lot and design."""

from . import cases, codes_errors, codes_range, lots, serials
from .shapes import Any, Json


def read(facts: Any, found: Any) -> Json:
    """Return `{"codes": {code: number}, "designs": {design: number}}` of `with.found`.

    A case or lot counts under its own code, whether it is named whole, by a number of its pieces
    (`CASE-0007*132`) or by some of their codes; one that is named without a number is as full as it
    came. A name that is no code with a number is a design: it says how many, not which.
    """
    told: Json = {"codes": {}, "designs": {}}
    for text in found or []:
        number = found[text] if isinstance(found, dict) else None
        _read(told, facts, str(text), number)
    return told


def _read(told: Json, facts: Any, text: str, number: Any) -> None:
    value = facts.get("item", text)
    if lots.is_lot(value):
        _add(told["codes"], text, whole(facts, text) if number is None else number)
    elif cases.is_count(facts, text):
        for case, count in cases.counted({"items": [text]}).items():
            _add(told["codes"], case, count if number is None else number)
    elif value is None or lots.is_range(value):
        _unlisted(told, facts, text, number)
    else:
        told["codes"][text] = 1 if number is None else number


def _unlisted(told: Json, facts: Any, text: str, number: Any) -> None:
    """Serials or pieces, runs of codes, designs, and codes that nobody knows."""
    spans = _spans(facts, text)
    for lot, size in spans:
        _add(told["codes"], lot, size if number is None else number)
        number = 0 if number is not None else None
    if spans:
        return
    if number is not None and ".." not in text:
        _add(told["designs"], text, number)
        return
    for code in _expanded(text):
        told["codes"][code] = 1 if number is None else number


def _add(numbers: Json, name: str, number: Any) -> None:
    if isinstance(number, int):
        numbers[name] = numbers.get(name, 0) + number


def whole(facts: Any, lot: str) -> int:
    """Return how many serials or pieces a lot came with."""
    root = lots.index(facts, lot) or {"parts": []}
    return sum([last - first + 1 for first, last in root["parts"]])


def _spans(facts: Any, text: str) -> list[list[Any]]:
    """The lots of which a text names serials, with how many of each."""
    try:
        held = lots.holders(facts, serials.read(text))
    except codes_errors.CodeRangeError:
        return []
    return [[lot, last - first + 1] for first, last, lot in held]


def _expanded(text: str) -> list[str]:
    try:
        return codes_range.expand(text)
    except codes_errors.CodeRangeError:
        return []
