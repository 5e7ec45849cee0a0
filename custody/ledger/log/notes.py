"""Signed notes (c2sp.org/signed-note) with Ed25519 keys.

A key's public half travels as a verifier string: `<name>+<8 hex key id>+<base64 of 0x01 and key>`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from custody.ledger.log.errors import BadNote

ED25519 = b"\x01"
_LINE = re.compile("— ([^ +\n]+) ([A-Za-z0-9+/]+={0,2})")
_MOST_SIGNATURES = 64


def key_id(name: str, public: bytes) -> bytes:
    """Return the 4 bytes by which a signature says whose it is (C2SP signed-note)."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


@dataclass(frozen=True)
class Verifier:
    """Who may have signed: a name, and the 32 bytes of an Ed25519 key."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        return key_id(self.name, self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.public).decode()}"


@dataclass(frozen=True)
class Signer:
    """A name, and the key that signs under it."""

    name: str
    key: Ed25519PrivateKey

    @property
    def verifier(self) -> Verifier:
        public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return Verifier(self.name, public)

    def line(self, text: str) -> str:
        """Return the line that signs a note's text, with its newline."""
        signature = self.verifier.id + self.key.sign(text.encode())
        return f"— {self.name} {base64.b64encode(signature).decode()}\n"


def sign(text: str, signers: Iterable[Signer]) -> str:
    """Return the note: `text` (which ends in a newline), a blank line, a line for each signer."""
    return text + "\n" + "".join(signer.line(text) for signer in signers)


def text_of(note: str, verifiers: Iterable[Verifier]) -> str:
    """Return a note's text once a known key's signature on it holds.

    Signatures of other keys are passed over, as the specification asks. Raises BadNote when the
    note cannot be read, when no known key signed it, or when a known key's signature is wrong.
    """
    known = {(each.name, each.id): each for each in verifiers}
    text, lines = _parts(note)
    signed = [
        _check(text, known[name, data[:4]], data[4:])
        for name, data in lines
        if (name, data[:4]) in known
    ]
    if not signed:
        raise BadNote("no key known here has signed this note")
    return text


def signed_by(note: str) -> set[tuple[str, bytes]]:
    """Return the names and key ids on a note's signature lines, unchecked."""
    return {(name, data[:4]) for name, data in _parts(note)[1]}


def _parts(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    text, blank, below = note.rpartition("\n\n")
    if not blank or not below.endswith("\n") or any(c < " " and c != "\n" for c in note):
        raise BadNote("not a signed note: a text, a blank line and signature lines are expected")
    lines = below[:-1].split("\n")
    if len(lines) > _MOST_SIGNATURES:
        raise BadNote(f"a note with {len(lines)} signatures; at most {_MOST_SIGNATURES} are read")
    return text + "\n", [_signature(line) for line in lines]


def _signature(line: str) -> tuple[str, bytes]:
    found = _LINE.fullmatch(line)
    try:
        data = base64.b64decode(found[2], validate=True) if found else b""
    except binascii.Error:
        data = b""
    if found is None or len(data) < 5:
        raise BadNote(f"not a signature line of a note: {line[:80]!r}")
    return found[1], data


def _check(text: str, verifier: Verifier, signature: bytes) -> str:
    try:
        Ed25519PublicKey.from_public_bytes(verifier.public).verify(signature, text.encode())
    except InvalidSignature:
        raise BadNote(f"the signature of {verifier.name} does not fit the note's text") from None
    return verifier.name
