"""Take a backup of a ledger, also while it is served: its database becomes a file of SQLite.

The log's checkpoint is copied first, its tiles next, the database after them and the keys last. So
the database holds every event that the checkpoint signs for, and the keys are those of any note in
it: a key that is added or retired meanwhile leaves at least its public half.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from custody import __version__
from custody.config import Config
from custody.ledger import moving, schema
from custody.ledger.backups import files, manifest
from custody.ledger.backups.errors import BackupError, DamagedBackup
from custody.ledger.backups.manifest import Manifest
from custody.ledger.core import Ledger, now_ms, open_ledger
from custody.ledger.database import Database
from custody.ledger.errors import NotInitialised
from custody.ledger.rebuilding import digest
from custody.ledger.tables import meta

Check = Callable[[Ledger], list[str]]
OTHER_VERSION = (
    "the ledger has the schema of another version of Custody: "
    "take the backup with the version that serves it"
)


def take(config: Config, target: Path, check: Check) -> Manifest:
    """Copy a ledger into the new folder `target`; all of it is there at the end, or nothing.

    `check(copy)` answers what is wrong with the copy: a copy with a fault is not kept
    (DamagedBackup). Raises BackupError for a target that is taken, NotInitialised without a ledger.
    """
    if not _is_there(config) or not config.keys.exists():
        raise NotInitialised(f"there is no ledger in {config.data} to back up")
    _require_free(target)
    with _draft(target) as draft:
        _copy(config, draft)
        made = _checked(draft, check)
        manifest.write(draft, made)
    return made


def _is_there(config: Config) -> bool:
    file = files.sqlite_file(config)
    if file is not None:
        return file.exists()
    with _opened(config.database_url) as database:
        return database.has_table(meta.name)


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


def _require_free(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BackupError(f"{target} is there already and not empty; name a new folder")


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """Yield a folder beside `target` that takes its name at the end, or is gone after an error."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        files.sweep(target)
        draft.mkdir(mode=0o700)
        yield draft
        draft.replace(target)
    except OSError as error:
        raise BackupError(f"the backup cannot be written to {target}: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _copy(config: Config, draft: Path) -> None:
    log = config.data / files.LOG
    if (config.data / files.CHECKPOINT).exists():
        files.copy(config.data, draft, iter([files.CHECKPOINT]))
    tiles = (path for path in files.names(log) if path != Path(files.CHECKPOINT.name))
    files.copy(log, draft / files.LOG, tiles)
    file = files.sqlite_file(config)
    if file is None:
        _copy_rows(config.database_url, draft / files.DATABASE)
    else:
        _copy_database(file, draft / files.DATABASE)
    files.copy(config.blobs, draft / files.BLOBS, files.names(config.blobs))
    files.copy(config.keys, draft / files.KEYS, files.names(config.keys))


def _copy_rows(url: str, target: Path) -> None:
    """Copy one state of a PostgreSQL database, row by row; who writes to it does not wait."""
    target.touch(0o600)
    with _opened(url) as database, _opened(f"sqlite:///{target}") as written:
        if not schema.is_current(database):
            raise BackupError(OTHER_VERSION)
        with database.reading() as connection:
            moving.fill(connection, written)


def _copy_database(source: Path, target: Path) -> None:
    """Copy one state of a database that others write to; they do not wait for it."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as written:
            read.backup(written)
            found = written.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise BackupError(f"the database {source} cannot be copied: {error}") from error
    if found != "ok":
        raise DamagedBackup(f"the copy of {source} is damaged, and so may be the ledger: {found}")


def _checked(draft: Path, check: Check) -> Manifest:
    config = Config(draft, f"sqlite:///{draft / files.DATABASE}")
    _require_current(config)
    ledger = open_ledger(config)
    try:
        faults = check(ledger)
        if faults:
            raise DamagedBackup(
                f"the copy does not hold and was not kept: {'; '.join(faults)}. Run "
                "`custody verify`: the ledger itself may be at fault"
            )
        told = _state(ledger)
    finally:
        ledger.close()
    return Manifest(*told, files=tuple(manifest.parts(draft)))


def _require_current(config: Config) -> None:
    """Refuse a schema of another version: opening the copy would change it."""
    with _opened(config.database_url) as database:
        if not schema.is_current(database):
            raise BackupError(OTHER_VERSION)


def _state(ledger: Ledger) -> tuple[str, str, int, int, str | None, str]:
    with ledger.database.reading() as connection:
        made = digest(connection)
    note = ledger.log.last_note()
    return __version__, ledger.site, now_ms(), ledger.size(), note, made
