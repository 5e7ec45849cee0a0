"""Put a backup back. What was signed after it stays known, so that it is never contradicted.

Keys, pictures and tiles are added to what is there; the database, which makes the folder a ledger,
takes its place last. A database that is replaced is set aside, not deleted.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from custody.config import Config
from custody.ledger.backups import files, manifest
from custody.ledger.backups.errors import BackupError
from custody.ledger.backups.manifest import Manifest
from custody.ledger.log import durable

SIDES = ("", "-wal", "-shm")  # what SQLite keeps of one database


@dataclass(frozen=True)
class Restored:
    """What was restored. `aside` is where the database that was there is now.

    `newer` is the size of the last checkpoint in the folder if the restored events do not reach it.
    """

    manifest: Manifest
    newer: int | None
    aside: Path | None


def restore(source: Path, config: Config, *, over: bool = False) -> Restored:
    """Put the backup in `source` into a data folder.

    Raises DamagedBackup before anything is changed; BackupError when the folder holds a ledger and
    `over` was not said, holds another ledger's keys, or is being served.
    """
    database = files.sqlite_file(config)
    if database is None:
        raise BackupError(
            "a backup is restored into a file of SQLite: restore it without --database, then "
            "`custody move --to URL` carries it over to an empty database of PostgreSQL"
        )
    made = manifest.read(source)
    manifest.require_whole(source, made)
    present = database.exists()
    if present and not over:
        raise BackupError(
            f"{config.data} holds a ledger already: name a new folder, or say --over to replace it"
        )
    _require_same_keys(source, config)
    if present:
        _require_unserved(database)
    return _put(source, config, made, database)


def _require_same_keys(source: Path, config: Config) -> None:
    for name in files.names(source / files.KEYS):
        there = config.keys / name
        if there.exists() and there.read_bytes() != (source / files.KEYS / name).read_bytes():
            raise BackupError(
                f"{there} is another ledger's than the backup's: restore into a new folder"
            )


def _require_unserved(database: Path) -> None:
    """Raise BackupError while another process has the database open; fold its WAL into it.

    SQLite leaves WAL mode only for the one process that has the file open. A database that it
    cannot read is open nowhere that matters, and is set aside as it is.
    """
    try:
        with closing(sqlite3.connect(database, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise BackupError(f"{database} is in use ({error}): stop the server first") from error
    except sqlite3.DatabaseError:
        return


def _put(source: Path, config: Config, made: Manifest, database: Path) -> Restored:
    draft = database.with_name(f".{database.name}.{os.getpid()}.part")
    try:
        for folder in (config.data, config.keys, database.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        files.sweep(database)
        files.copy_large(source / files.DATABASE, draft)
        newer = _add(source, config, made)
        aside = _set_aside(database)
        draft.replace(database)
        durable.flush(database.parent)
    except OSError as error:
        raise BackupError(f"the restore into {config.data} failed: {error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return Restored(made, newer, aside)


def _add(source: Path, config: Config, made: Manifest) -> int | None:
    """Add what the folder lacks; return the size of the last checkpoint if it is out of reach."""
    listed = [Path(part.path) for part in made.files]
    there, copied = _rank(config.data / files.CHECKPOINT), _rank(source / files.CHECKPOINT)
    files.copy(source, config.data, _wanted(config, listed))
    if there < copied:
        files.copy(source, config.data, iter([files.CHECKPOINT]))
    number = _rank_of(made.checkpoint)[0] if made.checkpoint else 1
    last = max(there, copied)
    return last[1] if last > (number, made.events) else None


def _wanted(config: Config, listed: list[Path]) -> Iterator[Path]:
    """Yield the files to copy: not the database, the checkpoint, or what is there.

    A private key that was retired since does not come back: its public half stands for it.
    """
    for path in listed:
        there = config.data / path
        retired = path.suffix == ".pem" and there.with_suffix(".pub").exists()
        special = path in (Path(files.DATABASE), files.CHECKPOINT)
        if not special and not retired and not there.exists():
            yield path


def _rank(path: Path) -> tuple[int, int]:
    """Return what makes one checkpoint later than another (`lineage.Lineage.rank`)."""
    try:
        return _rank_of(path.read_text(encoding="utf-8")) if path.exists() else (0, 0)
    except ValueError as error:
        raise BackupError(
            f"{path} is no checkpoint that can be read. It may be newer than the backup's, so it "
            "is not replaced: put a good copy in its place, or move it away knowing that"
        ) from error


def _rank_of(note: str) -> tuple[int, int]:
    """Return which of the site's logs a note is of, and its size; ValueError when it is none."""
    origin, size, *_ = note.split("\n")
    number = origin.split("/")[2:]
    return int(number[0]) if number else 1, int(size)


def _set_aside(database: Path) -> Path | None:
    if not database.exists():
        return None
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    aside = database.with_name(f"{database.name}.before-restore-{stamp}")
    for side in SIDES:
        present = database.with_name(database.name + side)
        if present.exists():
            present.replace(aside.with_name(aside.name + side))
    return aside
