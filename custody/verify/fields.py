"""What each record of an export must have; so that what is missing or garbled is named."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any

HASH = re.compile(r"[0-9a-f]{64}")
KINDS = ("log", "device", "event", "push")


class BadRecord(ValueError):
    """A record that cannot be read: `field` is what is wrong with it, the text says what is right.

    No value is told: what stands in a record may be about people.
    """

    def __init__(self, kind: str, field: str, right: str, *, is_missing: bool) -> None:
        how = "is missing" if is_missing else "is not as it should be"
        what = f"{kind} record".strip()
        super().__init__(f"`{field}` of the {what} {how}: {right} is expected")
        self.kind, self.field = kind, field


Rule = tuple[str, Callable[[Any], bool]]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= 300


def _is_number(least: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value < 2**63


def _is_key(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(part), str) for part in ("x", "y"))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_line(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(value.encode() or True)
    except UnicodeEncodeError:  # half a character: no bytes are written so
        return False


def _is_base64(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(base64.b64decode(value, validate=True) or True)
    except (binascii.Error, ValueError):
        return False


FROM_0: Rule = ("a whole number from 0", _is_number(0))
FROM_1: Rule = ("a whole number from 1", _is_number(1))
TEXT: Rule = ("a text", _is_text)
ID: Rule = ("a SHA-256 in 64 hex digits", lambda value: _is_text(value) and _is_hash(value))
RUN = {"device": TEXT, "run": FROM_1}
PLACE = {**RUN, "branch": FROM_1}
WANTED: dict[str, dict[str, Rule]] = {
    "log": {"verifiers": ("a list of verifier strings", _is_texts)},
    "device": {**RUN, "key": ("a JWK with x and y", _is_key)},
    "event": {**PLACE, "position": FROM_0, "received": FROM_0, "seq": FROM_1},
    "push": {**PLACE, "last": FROM_1, "head": ID, "sig": ("a signature in base64url", _is_text)},
}
LINE: Rule = ("the event's text, or base64 in its place,", _is_line)
BASE64: Rule = ("the event's bytes in base64", _is_base64)


def _is_hash(value: str) -> bool:
    return HASH.fullmatch(value) is not None


def check(record: dict[str, Any]) -> str:
    """Return of what kind a record is, if it has all that is read of it. Raises BadRecord."""
    kind = record.get("of")
    if kind not in KINDS:
        raise BadRecord("", "of", f"one of {', '.join(KINDS)}", is_missing="of" not in record)
    for field, rule in WANTED[kind].items():
        _need(record, kind, field, rule)
    if kind == "event":
        is_text = "line" in record or "base64" not in record
        _need(record, kind, *(("line", LINE) if is_text else ("base64", BASE64)))
    if kind == "log" and record.get("checkpoint") is not None:
        _need(record, kind, "checkpoint", ("a signed note, or null,", _is_line))
    return str(kind)


def _need(record: dict[str, Any], kind: str, field: str, rule: Rule) -> None:
    right, holds = rule
    if not holds(record.get(field)):
        raise BadRecord(kind, field, right, is_missing=field not in record)
