"""Check a receipt: a proof that an event is in a log (c2sp.org/tlog-proof)."""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256
from typing import NamedTuple

from custody.verify import notes, tree


class ReceiptError(Exception):
    """A receipt that proves nothing; the text says why."""


class Proven(NamedTuple):
    """What a receipt proves: this event, at this position, received then (UTC ms), in this tree."""

    event_id: str
    position: int
    received: int
    checkpoint: notes.Signed


def check(text: str, keys: list[notes.Key], event: bytes | None = None) -> Proven:
    """Check a receipt against a log's keys and, where given, against the event's exact bytes.

    Raises ReceiptError or NoteError.
    """
    head, found, note = text.partition("\n\n")
    lines = head.split("\n")
    if not found or len(lines) < 3 or lines[0] != "c2sp.org/tlog-proof@v1":
        raise ReceiptError("a receipt starts with c2sp.org/tlog-proof@v1 and ends in a checkpoint")
    leaf, index = _field(lines[1], "extra"), _field(lines[2], "index")
    path = [_bytes(line) for line in lines[3:]]
    position, received, event_id = _leaf(_bytes(leaf))
    if str(position) != index:
        raise ReceiptError(f"the receipt is for index {index}, its leaf for {position}")
    if event is not None and sha256(event).hexdigest() != event_id:
        raise ReceiptError("the receipt is for another event: the event's SHA-256 differs")
    signed = notes.checkpoint(note, keys)
    try:
        root = tree.root_from_path(tree.leaf(_bytes(leaf)), position, signed.size, path)
    except ValueError as error:
        raise ReceiptError(str(error)) from error
    if root != signed.root:
        raise ReceiptError("the path does not lead from the event to the checkpoint's root")
    return Proven(event_id, position, received, signed)


def _field(line: str, name: str) -> str:
    word, space, value = line.partition(" ")
    if word != name or not space:
        raise ReceiptError(f"the line {line[:60]!r} should start with {name!r}")
    return value


def _bytes(packed: str) -> bytes:
    try:
        return base64.b64decode(packed.encode(), validate=True)
    except (binascii.Error, UnicodeError) as error:
        raise ReceiptError(f"not base64: {packed[:60]!r}") from error


def _leaf(data: bytes) -> tuple[int, int, str]:
    lines = data.decode("ascii", "replace").split("\n")
    if len(lines) != 4 or lines[3] or not all(n.isascii() and n.isdecimal() for n in lines[:2]):
        raise ReceiptError("the receipt's extra data is no leaf: position, time and event id")
    return int(lines[0]), int(lines[1]), lines[2]
