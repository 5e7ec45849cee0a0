"""Read JSON as the protocol means it: UTF-8, whole numbers under 2^53, no key twice."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import orjson

LARGEST = 2**53
DEEPEST = 32  # lists and objects inside each other; an event of the field's has six
SEPARATORS = (",", ":")


class Unreadable(ValueError):
    """The bytes are not JSON that an event or a header may be; its text says why."""


_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(rb"[][{}]")
# How numbers go on that are not whole, where orjson writes them inside an object; texts may, too.
_FRACTION = re.compile(rb"\.[0-9]+[],}e]")
_EXPONENT = re.compile(rb"e-?[0-9]+[],}]")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise Unreadable(f"the key {twice[0]!r} is there twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) >= LARGEST:
        raise Unreadable(f"the number {digits[:24]} is 2^53 or more")
    return int(digits)


def _refuse(word: str) -> NoReturn:
    raise Unreadable(f"{word} is no whole number")


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_refuse, parse_constant=_refuse
)


def loads(raw: bytes) -> Any:
    """Return the value of one JSON text. Raises Unreadable.

    `{"a":1}` is read; `{"a":1.0}`, `{"a":1,"a":1}`, `{"a":NaN}` and `{"a":"\\u0000"}` are not.
    """
    _check_depth(raw)
    value = _compact(raw)
    return _any(raw) if value is None else value


def _compact(raw: bytes) -> dict[str, Any] | None:
    """Return the object that is told without a blank, as devices write it; None where it may be
    anything else, or is told in another way.

    orjson reads in a third of the time, but more than is right: a key twice, a number that ends up
    rounded. What it then writes to the same bytes again is none of these, only a fraction might be.
    """
    if b"\\u" in raw or _FRACTION.search(raw) or _EXPONENT.search(raw):
        return None
    try:
        value = orjson.loads(raw)
        if orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER) != raw:
            return None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None
    return value if isinstance(value, dict) else None


def _any(raw: bytes) -> Any:
    try:
        value = _decoder.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start + 1} is no UTF-8") from error
    except json.JSONDecodeError as error:
        raise Unreadable(f"no JSON at character {error.pos + 1}: {error.msg}") from error
    if b"\\u" in raw:
        _check_text(value)
    return value


def reload(text: str) -> Any:
    """Return the value of JSON that `dumps` wrote.

    What the ledger works out of readable events may be a number that no event may carry: a
    difference of two clocks, a sum of quantities. It is read again whatever it is.
    """
    return json.loads(text)


def _check_depth(raw: bytes) -> None:
    """Refuse what is nested deeply, by a number: an interpreter's own limit moves with its stack,
    and a line that was read once must be read at every rebuild.
    """
    if raw.count(b"[") + raw.count(b"{") <= DEEPEST:
        return
    depth = 0
    for bracket in _BRACKET.findall(_TEXT.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            raise Unreadable(f"it is nested more than {DEEPEST} deep")


def _check_text(value: Any) -> None:
    """Refuse what no database stores as text: half a surrogate pair, or a NUL."""
    shown = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in shown and "\0" in "".join(_strings(value)):
        raise Unreadable("a text holds the character U+0000")
    try:
        shown.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Unreadable("a text holds half a surrogate pair") from error


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for key, inner in value.items() for s in (key, *_strings(inner))]
    if isinstance(value, list):
        return [s for inner in value for s in _strings(inner)]
    return []


_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=SEPARATORS)


def dumps(value: Any) -> str:
    """Return compact JSON with sorted keys: the one form in which the ledger writes values.

    orjson writes the same bytes ten times as fast, but no number of more than 64 bits.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return _encoder.encode(value)
