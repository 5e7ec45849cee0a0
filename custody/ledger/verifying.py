"""Check a ledger against itself: its file, keys of events against their bytes, projections.

Chains, signatures, tree and checkpoints are checked by `custody.verify`, which shares nothing with
this code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sqlalchemy import Connection, MetaData, select

from custody.ledger import rows, tables, totals
from custody.ledger.core import Ledger
from custody.ledger.log import leaf_hash
from custody.ledger.rebuilding import digest, replay

CHUNK = 1000


def _shadow(connection: Connection) -> None:
    """Put an empty temporary table before each projection, for this transaction alone.

    Both databases look a name up among the temporary tables first.
    """
    temporary = MetaData()
    for table in tables.PROJECTIONS:
        table.to_metadata(temporary)._prefixes = ["TEMPORARY"]
    temporary.create_all(connection, checkfirst=False)


class _Undo(Exception):
    """Leaves a transaction without keeping what it did."""


def file_fault(ledger: Ledger) -> str | None:
    """Return what SQLite finds wrong in its file, such as a page that the disk has spoilt."""
    if not ledger.database.is_sqlite:
        return None
    with ledger.database.reading() as connection:
        found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    return None if found == "ok" else f"the database's file is damaged: {' '.join(found.split())}"


def key_faults(ledger: Ledger) -> Iterator[str]:
    """Yield each event whose id or leaf is not that of its bytes, and each gap in the positions."""
    with ledger.database.reading() as connection:
        expected = 0
        for position, id_, received, leaf, body in _rows(connection):
            if position != expected:
                yield f"position {expected}: the log has no event there"
            expected = position + 1
            if body is None:
                yield f"position {position}: the event's bytes are missing"
            elif hashlib.sha256(body).hexdigest() != id_:
                yield f"position {position}: the bytes are not those of event {id_}"
            elif leaf_hash(position, received, id_) != leaf:
                yield f"position {position}: the leaf is not that of event {id_}"


def _rows(connection: Connection) -> Iterator[tuple[int, str, int, str, bytes | None]]:
    event, body = tables.event.c, tables.event_body
    joined = select(event.position, event.id, event.received, event.leaf, body.c.body)
    joined = joined.outerjoin(body, body.c.position == event.position)
    after = -1
    while True:
        query = joined.where(event.position > after).order_by(event.position).limit(CHUNK)
        found = connection.execute(query).all()
        if not found:
            return
        for row in found:
            yield row.position, row.id, row.received, row.leaf, row.body and rows.raw(row.body)
        after = found[-1].position


def projection_fault(ledger: Ledger) -> str | None:
    """Return what is wrong with the projections, None when the log makes the same ones again and
    the totals are those of their postings.

    They are made again in temporary tables, from one state of the log: nobody waits for it.
    """
    try:
        with ledger.database.reading() as connection:
            kept, fault = digest(connection), totals.fault(connection)
            _shadow(connection)
            replay(connection)
            made = digest(connection)
            raise _Undo
    except _Undo:
        pass
    if kept == made:
        return fault
    return f"projections: their digest is {kept}, but the log makes {made}; run `custody rebuild`"
