"""Serial numbers as intervals: a stem and digits of one width, a run of them as first and last.

A run is `{"stem", "width", "first", "last"}` with whole numbers; it is never spelled out, so that a
run of a million costs what a run of one does.
"""

from .codes_errors import CodeRangeError
from .shapes import Any, Json

_DIGITS = "0123456789"
# How a serial is written inside of its lot where other lots have the same numbers: SL-RED/000123.
INSIDE = "/"


def split(serial: str) -> list[Any]:
    """Return `[stem, width, number]`: "MP-000007" is `["MP-", 6, 7]`; width 0: no number."""
    stem = serial.rstrip(_DIGITS)
    digits = serial[len(stem) :]
    return [stem, len(digits), int(digits or "0")]


def name(run: Json, number: int) -> str:
    """Return one serial of a run as it is printed."""
    digits = str(number)
    return str(run["stem"]) + "0" * (int(run["width"]) - len(digits)) + digits


def code(run: Json, first: int, last: int) -> str:
    """Return the code of a part of a run: `MP-000007`, or `MP-000001..MP-000200`."""
    if first == last:
        return name(run, first)
    return name(run, first) + ".." + name(run, last)


def read(text: Any) -> Json:
    """Return the run that a serial, or `first..last`, names.

    Raises CodeRangeError with the exact numbers: no serial, ends that start differently or have
    another number of digits, a run that goes backwards.
    """
    text = str(text)
    first, dots, last = text.partition("..")
    return between(first, last if dots else first, text)


def between(first: str, last: str, text: Any = None) -> Json:
    """Return the run from one serial to another. Errors are those of `read`."""
    text = text or first + ".." + last
    stem, width, low = split(first)
    other, wide, high = split(last)
    if width == 0 or wide == 0:
        found = first if width == 0 else last
        raise CodeRangeError("serial-none", text, "'" + found + "' is no serial.", {"found": found})
    if stem != other:
        values = {"first": first, "last": last}
        raise CodeRangeError("serials-differ", text, "both ends must start alike.", values)
    if width != wide:
        values = {"first": first, "last": last}
        raise CodeRangeError("serials-width", text, "both ends need as many digits.", values)
    if high < low:
        values = {"first": first, "last": last}
        raise CodeRangeError("serials-backwards", text, "it runs backwards.", values)
    return {"stem": stem, "width": width, "first": low, "last": high}


def key(run: Json) -> str:
    """Return what all serials of the same make share: stem and width."""
    return str(run["stem"]) + ":" + str(run["width"])


def size(run: Json) -> int:
    """Return how many serials a run has."""
    return int(run["last"]) - int(run["first"]) + 1


def joined(spans: list[list[int]]) -> list[list[int]]:
    """Return the same numbers as sorted spans that neither overlap nor touch."""
    found: list[list[int]] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1][1] = max(found[-1][1], last)
        else:
            found.append([first, last])
    return found


def twice(runs: list[Json]) -> list[list[Any]]:
    """Return `[run, first, last]` of the numbers that a run has in common with another of these."""
    found: list[list[Any]] = []
    groups: Json = {}
    for run in runs:
        groups.setdefault(key(run), []).append([run["first"], run["last"], run])
    for name in sorted(groups):
        reached = -1
        for first, last, run in sorted(groups[name], key=lambda entry: entry[:2]):
            if first <= reached:
                found.append([run, first, min(last, reached)])
            reached = max(reached, last)
    return found


def without(span: list[int], taken: list[list[int]]) -> list[list[int]]:
    """Return the parts of a span that lie in none of these, which are sorted and do not overlap."""
    found = []
    start = span[0]
    for first, last in taken:
        if first > start:
            found.append([start, min(first - 1, span[1])])
        start = max(start, last + 1)
    if start <= span[1]:
        found.append([start, span[1]])
    return [part for part in found if part[0] <= part[1]]
