"""One line of a batch: its bytes, its id, and the event in it when it can be read."""

from __future__ import annotations

import hashlib
import re
from typing import Any, NamedTuple

from custody.ledger.strict import Unreadable, loads
from custody.rules import codes_range
from custody.rules.codes import CodeError

LINE_LIMIT = 60_000  # bytes; protocol.md, "Event"
NO_EVENT = "0" * 64  # `prev` of the first event of a run
CHAIN_FIELDS = ("device", "run", "seq", "prev")
HASH = re.compile(r"[0-9a-f]{64}")
WORDS = ("device", "step")
WHOLE = ("run", "seq", "at", "offset")
WHOLE_OR_NULL = ("mono", "server")
TEXT_OR_NULL = (
    "from",
    "to",
    "into",
    "where",
    "note",
    "kind",
    "form",
    "day",
    "site",
    "rulebook",
    "boot",
)
OBJECTS = ("with", "attributes")
SHAPES = (  # JSON has no kinds of these types
    (WORDS, (str,), "a text"),
    (WHOLE, (int,), "a whole number"),
    (WHOLE_OR_NULL, (int, type(None)), "a whole number or null"),
    (TEXT_OR_NULL, (str, type(None)), "a text or null"),
)


class Line(NamedTuple):
    """`event` is None when the line cannot be read; then `why` says why."""

    raw: bytes
    id: str
    event: dict[str, Any] | None
    why: str | None


def read(raw: bytes) -> Line:
    """Read one line. Never raises: an unreadable line is a line too."""
    name = hashlib.sha256(raw).hexdigest()
    try:
        if len(raw) > LINE_LIMIT:
            raise Unreadable(f"the line has {len(raw)} bytes; {LINE_LIMIT} are the most")
        return Line(raw, name, check(loads(raw)), None)
    except Unreadable as error:
        return Line(raw, name, None, str(error))


def chain_fields(raw: bytes) -> dict[str, Any] | None:
    """Return the event's JSON object if it can be told where in its chain it belongs."""
    if len(raw) > LINE_LIMIT:
        return None
    try:
        value = loads(raw)
    except Unreadable:
        return None
    has_all = isinstance(value, dict) and all(field in value for field in CHAIN_FIELDS)
    return value if has_all else None


def check(value: Any) -> dict[str, Any]:
    """Return the event if it has an event's shape. Raises Unreadable naming the field."""
    if not isinstance(value, dict):
        raise Unreadable("the line is no JSON object")
    if value.get("v") != 1 or isinstance(value["v"], bool):
        raise Unreadable("v must be 1: this server reads events of version 1")
    told = value.get
    for fields, kinds, what in SHAPES:
        for field in fields:
            if type(told(field)) not in kinds:
                _need(value, field, False, what)
    for field in WORDS:
        if not value[field]:
            _need(value, field, False, "a text")
    if not _is_hash(told("prev")):
        _need(value, "prev", False, "64 hex digits")
    _check_lists(value)
    return value


def _check_lists(value: dict[str, Any]) -> None:
    told = value.get
    items, into = told("items") or [], told("into")
    if not _is_list(items, str):
        _need(value, "items", False, "a list of codes")
    _check_codes([*items, into] if into else items)
    for field in OBJECTS:
        if not isinstance(told(field) or {}, dict):
            _need(value, field, False, "an object")
    if told("saw"):
        _check_saw(value, value["saw"])
    by = told("by") or []
    if not (_is_list(by, dict) and _is_list([one.get("person", "") for one in by], str)):
        _need(value, "by", False, 'a list of {"person":...}')


def _check_saw(value: dict[str, Any], saw: Any) -> None:
    """In `saw` a code with an empty event was not known, as one that is absent."""
    if isinstance(saw, dict) and not all(saw.values()):
        value["saw"] = saw = {code: seen for code, seen in saw.items() if seen not in ("", None)}
    if not (isinstance(saw, dict) and all(map(_is_hash, saw.values()))):
        _need(value, "saw", False, "an object from codes to event ids")


def _check_codes(texts: list[str]) -> None:
    try:
        codes_range.require_all(texts)
    except CodeError as error:
        raise Unreadable(f"items: {error}") from error


def _need(value: dict[str, Any], field: str, right: object, what: str) -> None:
    """Raise Unreadable with what the field must be; never with what it is, which may be about
    people.
    """
    if not right:
        missing = "" if field in value else ", and is missing"
        raise Unreadable(f"{field} must be {what}{missing}")


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def _is_list(value: Any, of: type) -> bool:
    return isinstance(value, list) and set(map(type, value)) <= {of}
