"""Pictures by their SHA-256, kept as the very bytes that an event's hash is of."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from custody.ledger.events import HASH
from custody.sync.problems import Problem

LIMIT = 8 << 20  # bytes of one picture


def path_of(folder: Path, name: str) -> Path:
    """Return where a picture is kept. Raises Problem for a name that is no SHA-256."""
    if not HASH.fullmatch(name):
        raise Problem(400, "bad-hash", "a picture's name is its SHA-256 in lowercase hex")
    return folder / name[:2] / name


def keep(folder: Path, name: str, content: bytes) -> bool:
    """Keep a picture durably; return False if it was there already. Raises Problem (wrong hash)."""
    path = path_of(folder, name)
    found = hashlib.sha256(content).hexdigest()
    if found != name:
        raise Problem(400, "bad-hash", f"these bytes have the SHA-256 {found}")
    if path.exists():
        return False
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{name}.{secrets.token_hex(4)}.part")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _sync_folder(path.parent)
    return True


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def find(folder: Path, name: str) -> bytes:
    """Return a picture's bytes. Raises Problem (404) while it has not arrived."""
    try:
        return path_of(folder, name).read_bytes()
    except FileNotFoundError as error:
        raise Problem(404, "not-arrived", "this picture has not arrived yet") from error
