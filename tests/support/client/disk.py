"""What a client keeps: its events, keys, replica and marks, in one file.

Every change is one transaction, so that a client that is killed is found as it was before or after
it. The file is written without waiting for the disk: tests kill processes, not machines.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

QUEUED, ACKED, FORKED = "queued", "acked", "forked"

TABLES = """
CREATE TABLE IF NOT EXISTS run (run INTEGER PRIMARY KEY, key BLOB, acked INTEGER DEFAULT 0,
  shown INTEGER DEFAULT 0, state TEXT DEFAULT 'good');
CREATE TABLE IF NOT EXISTS event (run INTEGER, seq INTEGER, id TEXT, line BLOB,
  state TEXT DEFAULT 'queued', acked_at INTEGER, PRIMARY KEY (run, seq));
CREATE TABLE IF NOT EXISTS aside (device TEXT, run INTEGER, id TEXT, line BLOB);
CREATE TABLE IF NOT EXISTS record (of_ TEXT, id TEXT, value TEXT, etag TEXT, gen INTEGER,
  PRIMARY KEY (of_, id));
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
"""


class Run(NamedTuple):
    """`state` is `good`, `forked` (the server set it apart), `lost` (the server lacks what is
    forgotten here) or `unknown` (the server does not know the run).

    `acked` is the highest seq that the server holds, `shown` the highest that the replica shows.
    """

    run: int
    key: bytes
    acked: int
    shown: int
    state: str


class Kept(NamedTuple):
    run: int
    seq: int
    id: str
    line: bytes
    state: str
    acked_at: int | None


class Disk:
    """One file; `path` may be copied while no transaction is open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._file.executescript("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;" + TABLES)

    def close(self) -> None:
        self._file.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    def rows(self, query: str, *values: Any) -> list[Any]:
        return self._file.execute(query, values).fetchall()

    def change(self, query: str, *values: Any) -> int:
        return self._file.execute(query, values).rowcount

    # --- marks ---

    def get(self, key: str, default: Any = None) -> Any:
        found = self.rows("SELECT value FROM meta WHERE key = ?", key)
        return json.loads(found[0][0]) if found else default

    def set(self, key: str, value: Any) -> None:
        self.change("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, json.dumps(value))

    # --- runs and events ---

    def runs(self) -> list[Run]:
        return [Run(*row) for row in self.rows("SELECT * FROM run ORDER BY run")]

    def add_run(self, run: int, key: bytes) -> None:
        self.change("INSERT INTO run (run, key) VALUES (?, ?)", run, key)

    def drop_runs(self, since: int) -> None:
        """Forget the runs from `since` on; their events were set aside."""
        self.change("DELETE FROM run WHERE run >= ?", since)

    def set_aside(self, device: str, run: int) -> None:
        """Keep a run's events where nothing sends them any more."""
        query = "INSERT INTO aside SELECT ?, run, id, line FROM event WHERE run = ?"
        self.change(query, device, run)
        self.change("DELETE FROM event WHERE run = ?", run)
        self.set_run(run, state="moved")

    def set_run(self, run: int, **marks: Any) -> None:
        for name, value in marks.items():
            self.change(f"UPDATE run SET {name} = ? WHERE run = ?", value, run)

    def events(self, where: str = "1", *values: Any) -> list[Kept]:
        """Return events by run and seq."""
        query = f"SELECT * FROM event WHERE {where} ORDER BY run, seq"
        return [Kept(*row) for row in self.rows(query, *values)]

    def append(self, run: int, seq: int, id_: str, line: bytes) -> None:
        query = "INSERT INTO event (run, seq, id, line) VALUES (?, ?, ?, ?)"
        self.change(query, run, seq, id_, line)

    def last(self, run: int) -> Kept | None:
        found = self.rows("SELECT * FROM event WHERE run = ? ORDER BY seq DESC LIMIT 1", run)
        return Kept(*found[0]) if found else None

    def lowest(self, run: int) -> int | None:
        found: int | None = self.rows("SELECT min(seq) FROM event WHERE run = ?", run)[0][0]
        return found

    def set_state(self, state: str, where: str, *values: Any, at: int | None = None) -> None:
        query = "UPDATE event SET state = ?, acked_at = coalesce(acked_at, ?) WHERE " + where
        self.change(query, state, at, *values)

    # --- the replica ---

    def put(self, change: dict[str, Any], gen: int) -> None:
        """Take one change of the feed."""
        if change["value"] is None:
            self.change("DELETE FROM record WHERE of_ = ? AND id = ?", change["of"], change["id"])
            return
        row = (change["of"], change["id"], json.dumps(change["value"]), change["etag"], gen)
        self.change("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?)", *row)

    def record(self, of: str, id_: str) -> Any:
        found = self.rows("SELECT value FROM record WHERE of_ = ? AND id = ?", of, id_)
        return json.loads(found[0][0]) if found else None

    def wipe(self) -> None:
        """Forget everything, as a revoked device does."""
        for table in ("run", "event", "aside", "record", "meta"):
            self.change(f"DELETE FROM {table}")
