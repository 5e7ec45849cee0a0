"""Read signed notes and checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint)."""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class NoteError(Exception):
    """A verifier string, note or checkpoint that does not hold; the text says why."""


class Key(NamedTuple):
    name: str
    id: bytes
    public: bytes


class Signed(NamedTuple):
    """What a checkpoint says, once its signature has held. `signers` are the names that signed."""

    origin: str
    size: int
    root: bytes
    extensions: list[str]
    signers: list[str]


def key(verifier: str) -> Key:
    """Read a verifier string `<name>+<hex key id>+<base64>`. Raises NoteError."""
    parts = verifier.strip().split("+", 2)
    if len(parts) != 3:
        raise NoteError(f"{verifier!r} is no verifier string: <name>+<key id>+<key> is expected")
    name, told, packed = parts
    raw = _unpacked(packed, "the verifier's key")
    if len(raw) != 33 or raw[0] != 1:
        raise NoteError(f"the verifier of {name} holds no Ed25519 key")
    found = sha256(name.encode() + b"\n" + raw).digest()[:4]
    if found.hex() != told:
        raise NoteError(
            f"the verifier of {name} has key id {told}, but its key makes {found.hex()}"
        )
    return Key(name, found, raw[1:])


def checkpoint(note: str, keys: list[Key]) -> Signed:
    """Check a signed checkpoint and say what it says. Raises NoteError when it does not hold."""
    body, found, tail = note.rpartition("\n\n")
    if not found or not tail.endswith("\n"):
        raise NoteError("a checkpoint is a text, an empty line, and signature lines")
    text = body + "\n"
    signers = [name for line in tail.splitlines() for name in _signers(line, text, keys)]
    if not signers:
        raise NoteError("none of the given keys has signed this checkpoint")
    lines = body.split("\n")
    if len(lines) < 3 or "" in lines:
        raise NoteError("a checkpoint's text is an origin, a size and a root hash")
    if not lines[1].isascii() or not lines[1].isdecimal() or lines[1] != str(int(lines[1])):
        raise NoteError(f"{lines[1]!r} is no size of a tree")
    root = _unpacked(lines[2], "the root hash")
    if len(root) != 32:
        raise NoteError(f"a root hash has 32 bytes, not {len(root)}")
    return Signed(lines[0], int(lines[1]), root, lines[3:], signers)


def _signers(line: str, text: str, keys: list[Key]) -> list[str]:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014":
        raise NoteError(f"{line[:80]!r} is no signature line")
    data = _unpacked(parts[2], "a signature")
    known = [each for each in keys if (each.name, each.id) == (parts[1], data[:4])]
    for each in known:
        try:
            Ed25519PublicKey.from_public_bytes(each.public).verify(data[4:], text.encode())
        except InvalidSignature:
            raise NoteError(f"the signature of {each.name} does not fit the text") from None
    return [each.name for each in known]


def _unpacked(packed: str, what: str) -> bytes:
    try:
        return base64.b64decode(packed.encode(), validate=True)
    except (binascii.Error, UnicodeError) as error:
        raise NoteError(f"{what} is not base64: {packed[:60]!r}") from error
