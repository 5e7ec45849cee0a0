"""Local times as people write them in scenarios: `2026-12-01T08:00`, or with an offset `-05:00` or
`Z`.
"""

from . import days
from .shapes import Json


class ClockTextError(ValueError):
    """The text is no time. Its argument is the message, with the text."""


def parse(book: Json, text: str) -> int:
    """Return UTC milliseconds; without an offset the text is the zone's wall clock, the first one
    where it comes twice.

    Raises ClockTextError.
    """
    if (
        not isinstance(text, str)
        or len(text) < 16
        or text[4] + text[7] + text[10] + text[13] != "--T:"
    ):
        raise ClockTextError("'" + str(text) + "' is no time; write 2026-12-01T08:00.")
    clock, offset = _split(text)
    try:
        wall = _wall(clock)
        return days.instant(book, wall) if offset is None else wall - _minutes(offset) * days.MINUTE
    except ValueError as error:
        raise ClockTextError("'" + text + "' is no time; write 2026-12-01T08:00.") from error


def is_clock(text: str) -> bool:
    """Whether a text is a time of day, `06:00`."""
    digits = text[:2] + text[3:]
    if len(text) != 5 or text[2] != ":" or not all(c in "0123456789" for c in digits):
        return False
    return int(text[:2]) < 24 and int(text[3:]) < 60


def _split(text: str) -> tuple[str, str | None]:
    if text[-1] == "Z":
        return text[:-1], "+00:00"
    for sign in "+-":
        if sign in text[16:]:
            cut = text.index(sign, 16)
            return text[:cut], text[cut:]
    return text, None


def _wall(clock: str) -> int:
    day = days.number(clock[:10])
    if days.name(day) != clock[:10]:
        raise ValueError(clock)
    hour, minute = int(clock[11:13]), int(clock[14:16])
    second = int(clock[17:19]) if len(clock) > 16 else 0
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(clock)
    return day * days.DAY + (hour * 60 + minute) * days.MINUTE + second * 1000


def _minutes(offset: str) -> int:
    minutes = int(offset[1:3]) * 60 + int(offset[4:6])
    return -minutes if offset[0] == "-" else minutes
