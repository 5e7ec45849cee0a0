"""Runs of consecutive codes (`D5-001..D5-240`) and counts out of a case (`CASE-0007*12`)."""

from .codes_errors import CodeRangeError
from .codes_issue import DIGITS, check, has_shape, make, number_of, only
from .shapes import Any, Json

LIMIT = 100000
MANY = 100  # a list of more codes is told in runs
_MOST = 64


def valid(code: str) -> bool:
    """Whether an event may carry this code: 1 to 64 printable ASCII, no blank, no `..`."""
    return 0 < len(code) <= _MOST and min(code) >= "!" and max(code) <= "~" and ".." not in code


def require_sound(code: str) -> None:
    """Raise CodeRangeError for a code of our own shape whose check letter is wrong."""
    if has_shape(code) and not check(code):
        message = "it is misread: its check letter does not fit."
        raise CodeRangeError("scan.check", code, message, {"found": code})


def expand(text: str) -> list[str]:
    """The codes that a run names, in order; a single code is a run of one.

    `D5-001..D5-003` is `["D5-001", "D5-002", "D5-003"]`. Codes of our own run by number, each with
    its own check letter. Raises CodeRangeError, with the exact numbers, when an end is no code, the
    ends differ before the digits or in width, the run goes backwards, or it names more than
    100,000 codes.
    """
    if ".." not in text:
        _require_valid(text, text)
        return [text]
    first, last = _ends(text)
    if has_shape(first) or has_shape(last):
        return _expand_issued(text, first, last)
    return _expand_plain(text, first, last)


def expand_all(texts: list[str]) -> list[str]:
    """The codes that a list of codes and runs names, in its order. Errors are those of `expand`."""
    codes = []
    for text in texts:
        codes.extend(expand(text))
        if len(codes) > LIMIT:
            raise _too_many(text, len(codes))
    return codes


def size(text: str) -> int:
    """How many codes a run names; errors are those of `expand`, which this does without them."""
    if ".." not in text:
        _require_valid(text, text)
        return 1
    first, last = _ends(text)
    if has_shape(first) or has_shape(last):
        return len(_issued_numbers(text, first, last))
    return len(_plain_numbers(text, first, last)[2])


def require_all(texts: list[str]) -> None:
    """Raise what `expand_all` does of these codes and runs, at no cost for how many they name."""
    many = 0
    for text in texts:
        many += size(text)
        if many > LIMIT:
            raise _too_many(text, many)


def covers(text: str, code: str) -> bool:
    """Whether a code is what a text names, or lies in the run that it names."""
    first, dots, last = text.partition("..")
    if not dots or text == code:
        return text == code
    if has_shape(first) or has_shape(code):
        ours = has_shape(first) and has_shape(last) and has_shape(code)
        return ours and first[:3] == code[:3] and first[3:-1] <= code[3:-1] <= last[3:-1]
    stem, low = _split(first)
    other, digits = _split(code)
    high = _split(last)[1]
    return stem == other and len(low) == len(digits) == len(high) and low <= digits <= high


def covered(texts: list[str], code: str) -> bool:
    """Whether one of these codes and runs names a code."""
    return any(covers(text, code) for text in texts)


def expand_case(text: str) -> tuple[str, int]:
    """A case and how many pieces to take from it: `CASE-0007*12` is `("CASE-0007", 12)`.

    Raises CodeRangeError when the case is no code or the count is not a whole number from 1 to
    100,000.
    """
    case, star, count = text.partition("*")
    _require_valid(text, case)
    if star == "" or count == "" or not only(count, DIGITS):
        message = "write the case, a star and a whole number, such as CASE-0007*12."
        raise CodeRangeError("scan.case_count", text, message, {})
    if not 1 <= int(count) <= LIMIT:
        message = "1 to 100000 pieces can be taken from a case at once, not " + count + "."
        raise CodeRangeError("scan.case_size", text, message, {"count": int(count)})
    return case, int(count)


def compress(codes: list[str]) -> list[str]:
    """The same codes in the same order, each run of three or more written as `first..last`.

    `expand_all(compress(codes))` is `codes` again.
    """
    out: list[str] = []
    start = 0
    for end in range(1, len(codes) + 1):
        if end == len(codes) or end - start == LIMIT or successor(codes[end - 1]) != codes[end]:
            run = codes[start:end]
            out.extend(run if len(run) < 3 else [run[0] + ".." + run[-1]])
            start = end
    return out


def told(codes: list[str]) -> list[str]:
    """Codes as they are told: those of a long list in runs, sorted, after those that are runs
    already (of serials, of pieces of a case); a list of at most MANY as it stands.
    """
    return codes if len(codes) <= MANY else runs(codes)


def runs(codes: list[str]) -> list[str]:
    """Codes in runs, however few they are, in the order of `told`."""
    single = [code for code in codes if ".." not in code]
    return [code for code in codes if ".." in code] + compress(sorted(single))


def told_seen(saw: Json, apart: Any) -> Json:
    """`saw`, from codes to event ids, with consecutive codes of one last event as runs where it
    names more than MANY. Those of `apart` are runs already (of serials, of pieces of a case).
    """
    if len(saw) <= MANY:
        return saw
    told: Json = {code: saw[code] for code in saw if code in apart}
    of_event: Json = {}
    for code in saw:
        if code not in apart:
            of_event.setdefault(saw[code], []).append(code)
    for event_id in of_event:
        for run in runs(of_event[event_id]):
            told[run] = event_id
    return told


def seen_of(saw: Json, codes: list[str]) -> Json:
    """What `saw` says of each of these codes, whether by its name or in a run; None for nothing."""
    found: Json = {code: saw.get(code) for code in codes}
    for key in saw:
        if ".." in key and key not in found:
            for code in named_by(key):
                if code in found and found[code] is None:
                    found[code] = saw[key]
    return found


def named_by(run: str) -> list[str]:
    """The codes that a run in `saw` names; one that is none, or too long, is its own name."""
    try:
        return expand(run)
    except CodeRangeError:
        return [run]


def successor(code: str) -> str:
    """The code that follows in a run, "" when there is none (no digits, or all nines)."""
    if has_shape(code):
        return _issued_successor(code)
    stem, digits = _split(code)
    number = str(int(digits or "9") + 1)
    if len(number) > len(digits):
        return ""
    return stem + _pad(number, len(digits))


def _issued_successor(code: str) -> str:
    if not check(code) or only(code[3:-1], "9"):
        return ""
    return make(code[:2], number_of(code) + 1)


def _ends(text: str) -> tuple[str, str]:
    first, _, last = text.partition("..")
    _require_valid(text, first)
    _require_valid(text, last)
    return first, last


def _require_valid(text: str, code: str) -> None:
    if not valid(code):
        message = (
            "'" + code + "' is no code. A code is 1 to 64 printable characters without blanks."
        )
        raise CodeRangeError("scan.invalid", text, message, {"found": code})


def _expand_issued(text: str, first: str, last: str) -> list[str]:
    return [make(first[:2], number) for number in _issued_numbers(text, first, last)]


def _issued_numbers(text: str, first: str, last: str) -> range:
    for code in (first, last):
        if not check(code):
            message = code + " is misread: its check letter does not fit."
            raise CodeRangeError("scan.check", text, message, {"found": code})
    if first[:2] != last[:2]:
        raise _different(text, first[:3], last[:3])
    return _numbers(text, first[3:-1], last[3:-1])


def _expand_plain(text: str, first: str, last: str) -> list[str]:
    stem, width, numbers = _plain_numbers(text, first, last)
    return [stem + _pad(str(number), width) for number in numbers]


def _plain_numbers(text: str, first: str, last: str) -> tuple[str, int, range]:
    """What the codes of a run start with, how many digits follow, and their numbers."""
    stem, low = _split(first)
    other, high = _split(last)
    if stem != other:
        raise _different(text, stem, other)
    if len(low) != len(high) or low == "":
        message = "both ends need the same number of digits; they have %d and %d."
        message = message % (len(low), len(high))
        values = {"first": len(low), "last": len(high)}
        raise CodeRangeError("scan.range_width", text, message, values)
    return stem, len(low), _numbers(text, low, high)


def _numbers(text: str, low: str, high: str) -> range:
    size = int(high) - int(low) + 1
    if size < 1:
        message = "it runs backwards, from " + low + " to " + high + "."
        raise CodeRangeError("scan.range_backwards", text, message, {"first": low, "last": high})
    if size > LIMIT:
        raise _too_many(text, size)
    return range(int(low), int(high) + 1)


def _different(text: str, stem: str, other: str) -> CodeRangeError:
    message = (
        "both ends must start alike; one starts with '" + stem + "', one with '" + other + "'."
    )
    return CodeRangeError("scan.range_stem", text, message, {"first": stem, "last": other})


def _too_many(text: str, size: int) -> CodeRangeError:
    message = "it names " + str(size) + " codes; at most 100000 can be named at once."
    return CodeRangeError("scan.range_size", text, message, {"count": size})


def _split(code: str) -> tuple[str, str]:
    end = len(code)
    while end and code[end - 1] in DIGITS:
        end -= 1
    return code[:end], code[end:]


def _pad(digits: str, width: int) -> str:
    return "0" * (width - len(digits)) + digits
