"""Make every projection again from the log and the master data, and name them all by one digest."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection, Row, select

from custody.ledger import meta, rows, tables, totals
from custody.ledger.core import Ledger
from custody.ledger.events import NO_EVENT, read
from custody.ledger.projecting import project, read_ahead
from custody.ledger.scope import REBUILT
from custody.ledger.strict import dumps
from custody.ledger.work import Entry, Work

CHUNK = 500
Progress = Callable[[int], None]


def rebuild(ledger: Ledger, progress: Progress = lambda events: None) -> str:
    """Drop and make again every projection, in one transaction. Returns their digest."""
    with ledger.database.writing() as connection:
        totals.forget(connection)
        replay(connection, progress)
        totals.catch_up(connection)
        meta.write(connection, REBUILT, secrets.token_hex(8))
        return digest(connection)


def replay(connection: Connection, progress: Progress = lambda events: None) -> None:
    """Replace the projections by what the log and the master data make of them."""
    for table in tables.PROJECTIONS:
        connection.execute(table.delete())
    starts = _starts(connection)
    for entries in _entries(connection):
        work = Work(connection)
        read_ahead(work, entries)
        for entry in entries:
            start = starts.get((entry.device, entry.run, entry.branch))
            if start is not None and start["first"] == entry.seq:
                work.set_head({**start, "seq": entry.seq - 1, "id": NO_EVENT, **NO_MARKS})
            project(work, entry)
        work.flush()
        progress(entries[-1].position + 1)


NO_MARKS: dict[str, None] = {"at": None, "mono": None, "boot": None}


def _starts(connection: Connection) -> dict[tuple[str, int, int], dict[str, Any]]:
    found = connection.execute(select(tables.branch)).mappings()
    return {(row["device"], row["run"], row["branch"]): dict(row) for row in found}


def _entries(connection: Connection) -> Iterator[list[Entry]]:
    """Yield the log in its order, some hundred entries at a time."""
    event, body = tables.event, tables.event_body
    after = -1
    while True:
        query = (
            select(event, body.c.body)
            .join(body, body.c.position == event.c.position)
            .where(event.c.position > after)
            .order_by(event.c.position)
            .limit(CHUNK)
        )
        found = connection.execute(query).all()
        if not found:
            return
        yield [_entry(row) for row in found]
        after = found[-1].position


def _entry(row: Row[Any]) -> Entry:
    line = read(rows.raw(row.body))
    names = (row.position, row.id, row.device, row.run, row.branch, row.seq, row.received)
    return Entry(*names, line.event, line.why)


def digest(connection: Connection) -> str:
    """Return one SHA-256 over every row of every projection, the same on either database."""
    whole = hashlib.sha256()
    for table in tables.PROJECTIONS:
        whole.update(f"{table.name}\n".encode())
        query = select(table).order_by(*table.primary_key.columns)
        for row in connection.execute(query, execution_options={"yield_per": 1000}):
            whole.update(dumps(list(row)).encode() + b"\n")
    return whole.hexdigest()
