"""Events as they stand in the log, with what the server added to them.

An *entry* is `{"position", "id", "device", "run", "branch", "seq", "received", "leaf", "event",
"body"}`: `event` is the parsed line, or None where its bytes cannot be read; `body` is the line
as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import events, rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown


def at_positions(connection: Connection, positions: Iterable[int]) -> list[Value]:
    """Return the entries at some positions of the log, in its order."""
    event, body = tables.event, tables.event_body
    found: list[Value] = []
    for some in rows.chunks(sorted(set(positions))):
        query = (
            select(event, body.c.body)
            .join(body, body.c.position == event.c.position)
            .where(event.c.position.in_(some))
            .order_by(event.c.position)
        )
        found += [as_entry(row) for row in connection.execute(query).mappings()]
    return found


def as_entry(row: Any) -> Value:
    """Make an entry of a row that joins `event` and `event_body`."""
    entry = dict(row)
    raw = rows.raw(entry.pop("body"))
    line = events.read(raw)
    return {**entry, "event": line.event, "why": line.why, "body": raw.decode("utf-8", "replace")}


def one(ledger: Ledger, position: int) -> Value:
    """Return the entry at a position. Raises NotKnown past the log's end."""
    with ledger.database.reading() as connection:
        found = at_positions(connection, [position])
    if not found:
        raise NotKnown(f"the log has no event {position}")
    return found[0]
