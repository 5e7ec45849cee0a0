"""Tokens that have served: each serves once, whichever process or thread it comes to.

What is kept outlives a crash of the server, but not one of the machine: by the time that it is up
again, the tokens of before have expired. So nobody waits for a disk, nor for the lock of who
appends: on SQLite they stand in a file of their own, on PostgreSQL in a table that is written
without waiting.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
from pathlib import Path

from sqlalchemy import text

from custody.ledger.database import WAIT_MS, Database

FILE = "tokens.db"
SWEEP = 64  # one spending in so many removes what has expired
_TABLE = (
    "CREATE TABLE IF NOT EXISTS token_seen (device TEXT, jti TEXT, expires INTEGER, "
    "PRIMARY KEY (device, jti)) WITHOUT ROWID"
)
_SPEND = (
    "INSERT INTO token_seen (device, jti, expires) VALUES (:device, :jti, :expires) "
    "ON CONFLICT DO NOTHING"
)
_LAST = "SELECT max(expires) FROM token_seen WHERE device = :device"
_FORGET = "DELETE FROM token_seen WHERE expires < :now"


class Tokens:
    """What one process knows of them: a connection, and nothing else."""

    def __init__(self, data: Path, database: Database) -> None:
        self._database = database
        self._path = data / FILE
        self._file: sqlite3.Connection | None = None
        self._one = threading.Lock()

    def spend(self, device: str, jti: str, expires: int, forget: int) -> bool:
        """Note that a device's token served; say whether it is the first time.

        `expires` is when the token does, in UTC ms; what expired before `forget` is forgotten.
        """
        row = {"device": device, "jti": jti, "expires": expires}
        sweeping = secrets.randbelow(SWEEP) == 0
        if not self._database.is_sqlite:
            return self._spend_in_table(row, forget if sweeping else None)
        with self._one:
            file = self._file = self._file or _open(self._path)
            if sweeping:
                file.execute(_FORGET, {"now": forget})
            return file.execute(_SPEND, row).rowcount == 1

    def last(self, device: str) -> int | None:
        """Return when the last of a device's tokens expires, UTC ms; None where none is kept."""
        if not self._database.is_sqlite:
            with self._database.reading() as connection:
                last: int | None = connection.scalar(text(_LAST), {"device": device})
            return last
        with self._one:
            file = self._file = self._file or _open(self._path)
            found: int | None = file.execute(_LAST, {"device": device}).fetchone()[0]
            return found

    def _spend_in_table(self, row: dict[str, object], forget: int | None) -> bool:
        with self._database.engine.begin() as connection:
            connection.execute(text("SET LOCAL synchronous_commit = off"))
            if forget is not None:
                connection.execute(text(_FORGET), {"now": forget})
            return connection.execute(text(_SPEND), row).rowcount == 1

    def close(self) -> None:
        with self._one:
            if self._file is not None:
                self._file.close()
                self._file = None


def _open(path: Path) -> sqlite3.Connection:
    path.touch(0o600)
    file = sqlite3.connect(
        path, timeout=WAIT_MS / 1000, isolation_level=None, check_same_thread=False
    )
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", _TABLE):
        file.execute(statement)
    return file
