"""Files of a data folder that are copied as they are, and where its SQLite database is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sqlalchemy.engine import make_url

from custody.config import Config
from custody.ledger.log import durable

DATABASE = "custody.db"
KEYS, BLOBS, LOG = "keys", "blobs", "log"
CHECKPOINT = Path(LOG, "checkpoint")
BATCH = 32  # files written between two rounds of flushing their folders


def sqlite_file(config: Config) -> Path | None:
    """Return the database's file, None for a database that is none."""
    url = make_url(config.database_url)
    is_file = url.get_backend_name() == "sqlite" and url.database
    return Path(url.database or "") if is_file else None


def names(folder: Path) -> Iterator[Path]:
    """Yield the paths, relative to `folder`, of its finished files: no drafts and no locks."""
    for path in sorted(folder.rglob("*")):
        drafted = path.name.startswith(".") or path.suffix == ".part" or path.name == "lock"
        if path.is_file() and not drafted:
            yield path.relative_to(folder)


def copy(source: Path, target: Path, paths: Iterator[Path], mode: int = 0o600) -> None:
    """Copy files by their paths relative to both folders, each whole or not at all, durably."""
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    while batch := list(islice(paths, BATCH)):
        durable.write(((target / p, (source / p).read_bytes()) for p in batch), target, mode)


def copy_large(source: Path, target: Path) -> None:
    """Copy one file that may be larger than memory, durably, readable by its owner alone."""
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with source.open("rb") as read, os.fdopen(handle, "wb") as written:
        shutil.copyfileobj(read, written, 1 << 20)
        written.flush()
        os.fsync(written.fileno())


def sweep(target: Path) -> None:
    """Remove the drafts of a file or folder that a process left that was killed."""
    for draft in target.parent.iterdir():
        before, _, after = draft.name.partition(f".{target.name}.")
        pid = after.removesuffix(".part")
        if before or not after.endswith(".part") or not pid.isdecimal() or _is_alive(int(pid)):
            continue
        if draft.is_dir():
            shutil.rmtree(draft)
        else:
            draft.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
