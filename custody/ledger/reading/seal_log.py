"""Which seal closed which envelope: those out of lots, and those that were only read off a bag."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select

from custody.ledger import rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.reading import exceptions, records
from custody.ledger.reading.keyset import Cut, Part, select_part


def applied(ledger: Ledger, cut: Cut, part: str = "") -> Part:
    """Return a part of the seals, by number: `{"seal", "envelopes": [value, ...], "reused"}`.

    `part` is a part of the number. `reused`: it closed more than one thing.
    """
    table = tables.seal.c
    query = _fitting(select(table.seal), part).distinct()
    with ledger.database.reading() as connection:
        chosen = select_part(connection, query, [(table.seal, False)], cut)
        found = [row["seal"] for row in chosen.rows]
        closed = _closed(connection, found)
        codes = {code for some in closed.values() for code in some}
        values = records.some_of(connection, "item", codes)
    made = [
        {
            "seal": seal,
            "envelopes": [values[code] for code in closed[seal] if code in values],
            "reused": len(closed[seal]) > 1,
        }
        for seal in found
    ]
    return chosen._replace(rows=made)


def count(ledger: Ledger, part: str = "") -> int:
    """Return how many seals were applied."""
    query = _fitting(select(func.count(tables.seal.c.seal.distinct())), part)
    with ledger.database.reading() as connection:
        return int(connection.scalar(query) or 0)


def _fitting(query: Any, part: str) -> Any:
    if not part:
        return query
    return query.where(tables.seal.c.seal.icontains(part, autoescape=True))


def _closed(connection: Connection, seals: list[str]) -> dict[str, list[str]]:
    table = tables.seal.c
    found: dict[str, list[str]] = {seal: [] for seal in seals}
    for some in rows.chunks(seals):
        query = select(table.seal, table.code).where(table.seal.in_(some))
        for seal, code in connection.execute(query.order_by(table.seal, table.code)):
            found[seal].append(code)
    return found


def wrong(ledger: Ledger) -> list[Value]:
    """Return the open exceptions about seals and numbered forms, the newest first."""
    kinds, state = exceptions.OF_SEALS, exceptions.OPEN
    return [one for kind in kinds for one in exceptions.listed(ledger, state, kind)]
