"""Open the database, and hand out connections that read one state or write alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, InterfaceError
from sqlalchemy.pool import ConnectionPoolEntry

from custody.ledger import copying
from custody.ledger.errors import DatabaseUnusable

POSITIONS_LOCK = 0x637573746F6479  # "custody": the one PostgreSQL advisory lock, for log positions
MIGRATING_LOCK = 0x6D696772617465  # "migrate": the one of whoever changes the schema
KEPT = 15  # connections that stay open: one for each thread of a server that may need one
PAGES_BYTES = 20 << 20  # of memory for SQLite's pages; beyond, each connection uses its own again
WAIT_MS = 30_000  # how long a writer waits for another process, such as `custody device-code`


def open_engine(url: str) -> Engine:
    """Return an engine for `url` (SQLite in WAL with synchronous=FULL, or PostgreSQL).

    Its errors name no values: they end in the server's log, and values may be personal.
    """
    if url.startswith("sqlite"):
        # The connection given back last is taken first: it has the pages that it has just written.
        engine = create_engine(
            url,
            hide_parameters=True,
            connect_args={"timeout": WAIT_MS / 1000},
            pool_size=KEPT,
            pool_use_lifo=True,
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    options: dict[str, Any] = {"pool_size": 10, "max_overflow": 20, "pool_pre_ping": True}
    # A server made under LC_ALL=C has SQL_ASCII, and keeps UTF-8 as it comes once it is told of it.
    options["connect_args"] = {"client_encoding": "utf8"}
    # A writer reads what was written before it had the lock: whatever the server's default is.
    engine = create_engine(url, hide_parameters=True, isolation_level="READ COMMITTED", **options)
    event.listen(engine, "do_execute", copying.execute)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # BEGIN is ours: a writer's is IMMEDIATE
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={WAIT_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        f"cache_size=-{PAGES_BYTES >> 10}",  # KiB: one connection alone may use all of it
        f"soft_heap_limit={PAGES_BYTES}",  # of all connections of the process
        "wal_autocheckpoint=8000",  # pages, 32 MB: a page that many batches write is copied once
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("custody_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


class Database:
    """The engine, and this process's one writer lock."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)
        self._writer = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def has_table(self, name: str) -> bool:
        """Say whether there is a table. Raises DatabaseUnusable when there is no database.

        A file that is not there stays so: SQLite would make an empty one of a mistyped name.
        """
        if self.is_sqlite and not Path(self.engine.url.database or "").exists():
            return False
        try:
            return inspect(self.engine).has_table(name)
        except (DatabaseError, InterfaceError) as error:
            raise DatabaseUnusable(f"the database cannot be used: {error.orig}") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that sees one state of the database throughout."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self.engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self, *, waits: bool = True) -> Iterator[Connection]:
        """Yield a connection that alone may append; commit at the end, roll back on any error.

        What PostgreSQL commits without `waits` is durable with whatever is committed next, if not
        before: for what nobody is told of, and what alone may be forgotten by a crash.
        """
        with self._writer, self.engine.connect() as plain:
            connection = plain.execution_options(custody_writes=True)
            with connection.begin():
                if not self.is_sqlite:
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({POSITIONS_LOCK})")
                    if not waits:
                        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
                yield connection

    @contextmanager
    def migrating(self, lock_wait: str) -> Iterator[Connection]:
        """Yield a connection of PostgreSQL that alone changes the schema, in transactions of its
        own; none of its statements waits longer than `lock_wait` for a lock.
        """
        with self.engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATING_LOCK})
            connection.execute(
                text("SELECT set_config('lock_timeout', :w, false)"), {"w": lock_wait}
            )
            connection.commit()
            try:
                yield connection
            finally:
                connection.invalidate()  # its locks and settings end with the session

    def close(self) -> None:
        self.engine.dispose()
