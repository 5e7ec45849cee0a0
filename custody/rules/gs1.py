"""GS1 numbers and element strings (GS1 General Specifications, sections 3, 7.8 and 7.9).

The server splits element strings with biip; the handheld, where biip cannot run, with `split`
here. Both are read by `read`, which decides what is refused, and a test holds them to the same
answer for every application identifier.
"""

try:
    from typing import Any
except ImportError:  # MicroPython has no typing and reads no annotations
    Any = object  # type: ignore[assignment,misc]

from .codes_issue import DIGITS, only
from .gs1_table import DATES, FORMATS, SETS

GS = "\x1d"
# What may follow a variable value on a label when the separator between them was lost.
_HIDDEN = ("01", "10", "11", "13", "15", "17", "21", "240", "250")


class Gs1Error(ValueError):
    """A GS1 text cannot be read; `code` names the sentence that says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def gtin14(text: str) -> str:
    """The GTIN-14 of a GTIN-8, -12, -13 or -14, "" for any other text.

    `012345678905` and `0012345678905` are both `00012345678905`. A number of twelve digits whose
    last is not the check digit is no GTIN and is left alone.
    """
    if len(text) not in (8, 12, 13, 14) or not only(text, DIGITS) or only(text, "0"):
        return ""
    return "0" * (14 - len(text)) + text if check_digit_fits(text) else ""


def check_digit_fits(digits: str) -> bool:
    """Whether the last digit is the check digit of the others (section 7.9.1: weights 3 and 1)."""
    total = 0
    weight = 1
    for index in range(len(digits) - 1, -1, -1):
        total += weight * int(digits[index])
        weight = 4 - weight
    return total % 10 == 0


def read(message: str, sends_gs: bool, splitter: Any) -> list[tuple[str, str]]:
    """The element string's `(application identifier, value)` pairs in order.

    `sends_gs` says that the reader is known to transmit the separator, so that a message without
    one has none. `splitter` is `split` or does the same. Raises Gs1Error: `scan.gs1_ambiguous`
    when a lost separator would give a second reading, `scan.gs1_check` for a wrong check digit
    and `scan.gs1_unreadable` for the rest.
    """
    elements = splitter(message)
    for ai, value in elements:
        _require_check_digit(ai, value)
    if not sends_gs and GS not in message and _hides_another(elements):
        raise Gs1Error("scan.gs1_ambiguous", "the separators are missing; it reads in two ways")
    return list(elements)


def split(message: str) -> list[tuple[str, str]]:
    """The element string split at its separators and fixed lengths.

    A value of variable length goes on to the separator or the end. Raises Gs1Error with
    `scan.gs1_unreadable` for an unknown identifier or a value that does not fit it.
    """
    elements = []
    for part in message.split(GS):
        while part:
            ai, value = _first(part)
            elements.append((ai, value))
            part = part[len(ai) + len(value) :]
    if not elements:
        raise Gs1Error("scan.gs1_unreadable", "there is nothing in it")
    return elements


def printed(elements: list[tuple[str, str]]) -> str:
    """The elements as labels print them: `(01)00012345678905(21)S0009917`."""
    return "".join(["(" + ai + ")" + value for ai, value in elements])


def from_printed(text: str) -> str:
    """The message of a text as labels print it; a separator follows each value.

    Raises Gs1Error when an opening bracket is not closed.
    """
    message = []
    for part in text.split("(")[1:]:
        ai, closed, value = part.partition(")")
        if closed == "":
            raise Gs1Error("scan.gs1_unreadable", "a bracket is not closed")
        message.append(ai + value)
    return GS.join(message)


def is_fixed(ai: str) -> bool:
    """Whether the identifier's value ends by its length alone and needs no separator (7.8.5)."""
    return ai[:2] in ("00", "01", "02", "03", "11", "12", "13", "15", "16", "17", "20", "41") or (
        ai[:2] in ("31", "32", "33", "34", "35", "36")
    )


def _first(part: str) -> tuple[str, str]:
    for length in (2, 3, 4):
        ai = part[:length]
        if ai in FORMATS:
            return ai, _value(ai, part[length:])
    raise Gs1Error("scan.gs1_unreadable", "no application identifier begins '" + part[:4] + "'")


def _value(ai: str, rest: str) -> str:
    value = rest[: _fixed_length(ai)] if is_fixed(ai) else rest
    if not _fits(FORMATS[ai], value) or not _is_date(ai, value):
        raise Gs1Error("scan.gs1_unreadable", "'" + value + "' is no value of (" + ai + ")")
    return value


def _fixed_length(ai: str) -> int:
    return sum([lengths[0] for _, lengths in FORMATS[ai]])


def _fits(parts: list[tuple[str, list[int]]], value: str) -> bool:
    """Whether the value has the format; only the last part of a format varies in length."""
    for name, lengths in parts[:-1]:
        head = value[: lengths[0]]
        if len(head) != lengths[0] or not only(head, SETS[name]):
            return False
        value = value[lengths[0] :]
    name, lengths = parts[-1]
    return len(value) in lengths and only(value, SETS[name])


def _is_date(ai: str, value: str) -> bool:
    if ai in ("7250", "7251"):  # YYYYMMDD, and hhmm
        return _is_day(0, int(value[4:6]), int(value[6:8])) and _is_time(value[8:])
    if ai not in DATES:
        return True
    year, month, day = [int(value[index : index + 2]) for index in (0, 2, 4)]
    return month > 0 and _is_day(year, month, day) and _is_time(value[6:])


def _is_day(year: int, month: int, day: int) -> bool:
    last = 29 if year % 4 == 0 else 28
    days = (31, 31, last, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return month <= 12 and day <= days[month]


def _is_time(digits: str) -> bool:
    """Whether hhmmss, or the beginning of it, exists; 9999 stands for no time."""
    if digits == "9999" or digits == "":
        return True
    return int(digits[:2]) < 24 and all(
        int(digits[index : index + 2]) < 60 for index in range(2, len(digits), 2)
    )


def _require_check_digit(ai: str, value: str) -> None:
    if ai in ("00", "01", "02", "03") and not check_digit_fits(value):
        raise Gs1Error("scan.gs1_check", "the check digit of (" + ai + ")" + value + " is wrong")


def _hides_another(elements: list[tuple[str, str]]) -> bool:
    """Whether the last value could be two, the separator between them lost."""
    ai, value = elements[-1]
    if is_fixed(ai):
        return False
    seen = [element[0] for element in elements]
    return any(_begins_element(value[cut:], seen) for cut in range(1, len(value)))


def _begins_element(rest: str, seen: list[str]) -> bool:
    """Whether the rest of a value reads as further elements that the label does not have yet."""
    for ai in _HIDDEN:
        if rest.startswith(ai) and ai not in seen:
            try:
                split(rest)
            except Gs1Error:
                continue
            return True
    return False
