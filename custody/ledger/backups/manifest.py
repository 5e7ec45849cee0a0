"""The manifest of a backup: what it holds, file by file, and which state of the log it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from custody.ledger.backups.errors import DamagedBackup
from custody.ledger.log import durable

NAME = "manifest.json"
FORMAT = 1
MOST_NAMED = 5  # damaged files named in an error; the others are counted


@dataclass(frozen=True)
class Part:
    """A file by its path below the backup, with its size in bytes and its SHA-256 in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """`events` is the size of the log in the database, `checkpoint` the note signed last, if any.

    `projections` is the digest that `custody rebuild` prints, `made` the time in UTC milliseconds.
    """

    custody: str
    site: str
    made: int
    events: int
    checkpoint: str | None
    projections: str
    files: tuple[Part, ...]


def parts(folder: Path) -> Iterator[Part]:
    """Yield every file below a backup's folder but the manifest, in the order of their paths."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != NAME:
            yield Part(name, path.stat().st_size, _sha256(path))


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest durably."""
    text = json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, ensure_ascii=False)
    durable.write([(folder / NAME, text.encode() + b"\n")], folder, mode=0o600)


def read(folder: Path) -> Manifest:
    """Return the manifest of a backup. Raises DamagedBackup when there is none to be read."""
    path = folder / NAME
    try:
        told = json.loads(path.read_bytes())
        if told.pop("format") != FORMAT:
            raise DamagedBackup(f"{path} is of another version of Custody")
        return _manifest(told)
    except FileNotFoundError as error:
        raise DamagedBackup(f"{folder} is no backup: it has no {NAME}") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DamagedBackup(f"{path} cannot be read ({error}): take another backup") from error


def _manifest(told: dict[str, Any]) -> Manifest:
    files = tuple(Part(**each) for each in told.pop("files"))
    for part in files:
        path = PurePosixPath(part.path)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"{part.path!r} lies outside of the backup")
    return Manifest(**told, files=files)


def require_whole(folder: Path, manifest: Manifest) -> None:
    """Raise DamagedBackup, naming the files, unless each is there as it was written."""
    wrong = [fault for part in manifest.files if (fault := _fault(folder, part))]
    if not wrong:
        return
    more = f", and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
    raise DamagedBackup(
        f"the backup in {folder} is damaged: {', '.join(wrong[:MOST_NAMED])}{more}. "
        f"Nothing was restored; use another backup"
    )


def _fault(folder: Path, part: Part) -> str | None:
    path = folder / part.path
    if not path.is_file():
        return f"{part.path} is missing"
    if path.stat().st_size != part.size:
        return f"{part.path} has {path.stat().st_size} bytes instead of {part.size}"
    return None if _sha256(path) == part.sha256 else f"{part.path} has other content"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
