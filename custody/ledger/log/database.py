"""The log's view of the ledger's database (`store.Leaves`, `store.Heads`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict

from sqlalchemy import Connection, func, select, text

from custody.ledger import identities, tables
from custody.ledger.database import Database
from custody.ledger.log.store import Head, Leaf
from custody.ledger.log.tables import log_head

SIGNING_LOCK = 0x7369676E696E67  # "signing": the PostgreSQL advisory lock of whoever signs


class DatabaseLeaves:
    """The events of a ledger as leaves."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def size(self) -> int:
        with self._database.reading() as connection:
            highest = connection.scalar(select(func.max(tables.event.c.position)))
        return 0 if highest is None else highest + 1

    def read(self, start: int, stop: int) -> list[Leaf]:
        event = tables.event.c
        query = (
            select(event.position, event.received, event.id, event.leaf)
            .where(event.position >= start, event.position < stop)
            .order_by(event.position)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [Leaf(at, received, key, bytes.fromhex(leaf)) for at, received, key, leaf in rows]

    def position(self, event_id: str) -> int | None:
        with self._database.reading() as connection:
            return identities.first(connection, event_id)


class DatabaseHeads:
    """The heads of a ledger's logs; the first log has the origin that `init` fixed."""

    def __init__(self, database: Database, origin: str) -> None:
        self._database = database
        self._origin = origin

    def last(self) -> Head:
        query = select(log_head).order_by(log_head.c.number.desc()).limit(1)
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return Head(**row._mapping) if row else Head(1, self._origin)

    def save(self, head: Head) -> None:
        """Write a head in the place of that with its number, or beside the others."""
        values = asdict(head)
        change = log_head.update().where(log_head.c.number == head.number).values(values)
        with self._writing() as connection:
            if connection.execute(change).rowcount == 0:
                connection.execute(log_head.insert().values(values))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep servers on other machines from signing meanwhile."""
        if self._database.is_sqlite:
            yield  # one process writes, and the folder's lock keeps a command out meanwhile
            return
        with self._database.engine.connect() as connection, connection.begin():
            lock = text("SELECT pg_advisory_xact_lock(:key)")
            connection.execute(lock, {"key": SIGNING_LOCK})
            yield

    def _writing(self) -> AbstractContextManager[Connection]:
        """Write without the lock for positions, where the database lets others write meanwhile."""
        database = self._database
        return database.writing() if database.is_sqlite else database.engine.begin()
