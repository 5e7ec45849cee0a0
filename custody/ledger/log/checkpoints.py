"""Checkpoints (c2sp.org/tlog-checkpoint): what a log's signature says about its tree."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass

from custody.ledger.log import notes
from custody.ledger.log.errors import BadNote
from custody.ledger.log.notes import Signer, Verifier


@dataclass(frozen=True)
class Checkpoint:
    """Origin, number of leaves, root hash, and the extension lines below them."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the lines that are signed (C2SP tlog-checkpoint), each with its newline."""
        head = (self.origin, str(self.size), base64.b64encode(self.root).decode())
        return "".join(f"{line}\n" for line in (*head, *self.extensions))

    def signed(self, signers: Iterable[Signer]) -> str:
        """Return the signed note (C2SP signed-note)."""
        return notes.sign(self.text(), signers)

    def named(self) -> str:
        """Return the words by which a log that takes over names this as the last known one."""
        return f"previous {self.origin} {self.size} {base64.b64encode(self.root).decode()}"


def opened(note: str, verifiers: Iterable[Verifier]) -> Checkpoint:
    """Return the checkpoint that a signed note carries; BadNote when it is none, or not signed."""
    lines = notes.text_of(note, verifiers).split("\n")[:-1]
    if len(lines) < 3 or not all(lines):
        raise BadNote("a checkpoint has an origin, a size and a root hash, and no empty line")
    origin, size, root, *extensions = lines
    return Checkpoint(origin, _size(size), _root(root), tuple(extensions))


def _size(line: str) -> int:
    if not (line.isascii() and line.isdecimal()) or str(int(line)) != line:
        raise BadNote(f"a checkpoint's size is a whole number, not {line[:40]!r}")
    return int(line)


def _root(line: str) -> bytes:
    try:
        root = base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError):
        root = b""
    if len(root) != 32:
        raise BadNote(f"a checkpoint's root hash is 32 bytes in base64, not {line[:60]!r}")
    return root
