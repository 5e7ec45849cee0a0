"""The log's Ed25519 keys: files in the data folder that only their owner may read.

`log.pem`, `log-2.pem`, `log-3.pem`, ... hold private keys; every one present signs, so that between
`rotate` and `retire` checkpoints carry an old and a new signature. A retired key leaves its public
half behind (`log.pub`, ...), so that what it signed can still be checked.
"""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from custody.ledger.log import durable
from custody.ledger.log.errors import LogError
from custody.ledger.log.notes import Signer, Verifier


class KeyFault(LogError):
    """A key file that cannot be used, or a change of keys that would leave none."""


class LogKeys:
    """The keys in `folder` (mode 0700), oldest first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def rotate(self) -> None:
        """Add a key, which from now on signs beside the older ones."""
        key = Ed25519PrivateKey.generate()
        self._put("pem", self._newest() + 1, _private(key))

    def retire(self) -> None:
        """Delete the oldest private key and keep its public half; KeyFault if there is no other."""
        files = self._files("pem")
        if len(files) < 2:
            raise KeyFault("the log has one key only: add the next one with `custody log rotate`")
        self._put("pub", _number(files[0]), _public(_load(files[0]).public_key()))
        files[0].unlink()

    def signers(self, names: tuple[str, ...]) -> list[Signer]:
        """Return every present key under every name, oldest key first.

        Raises KeyFault when there is no key, or one that others can read.
        """
        files = self._files("pem")
        if not files:
            raise KeyFault(f"no log key in {self._folder}: put log.pem back from a backup")
        return [Signer(name, key) for key in map(_load, files) for name in names]

    def verifiers(self, names: tuple[str, ...]) -> list[Verifier]:
        """Return the verifiers of present and retired keys, the present ones first."""
        present = [signer.verifier for signer in self.signers(names)]
        retired = [_load_public(path) for path in self._files("pub")]
        return present + [Verifier(name, public) for public in retired for name in names]

    def _files(self, ending: str) -> list[Path]:
        return sorted(self._folder.glob(f"log*.{ending}"), key=_number)

    def _newest(self) -> int:
        return max(map(_number, (*self._files("pem"), *self._files("pub"))), default=0)

    def _put(self, ending: str, number: int, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"log-{number}" if number > 1 else "log"
        path = self._folder / f"{name}.{ending}"
        durable.write([(path, content)], self._folder, mode=0o600)


def _number(path: Path) -> int:
    digits = path.stem.removeprefix("log").removeprefix("-") or "1"
    if not digits.isdecimal():
        raise KeyFault(f"{path} is no log key: log.pem, log-2.pem, ... are")
    return int(digits)


def _load(path: Path) -> Ed25519PrivateKey:
    if path.stat().st_mode & 0o077:
        raise KeyFault(f"others than its owner can read {path}: chmod 600 it")
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise KeyFault(f"{path} is damaged: put it back from a backup") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFault(f"{path} holds no Ed25519 key")
    return key


def _load_public(path: Path) -> bytes:
    try:
        key = load_pem_public_key(path.read_bytes())
    except ValueError as error:
        raise KeyFault(f"{path} is damaged: put it back from a backup") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFault(f"{path} holds no Ed25519 key")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _private(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _public(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
