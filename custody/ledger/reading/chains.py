"""The log as a whole, and the chains of the devices in it."""

from __future__ import annotations

from sqlalchemy import func, select

from custody.ledger import tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger


def overview(ledger: Ledger) -> Value:
    """Return `{"size", "newest", "heads"}`.

    Events, the newest time of receipt (or None), and each chain's end.
    """
    event, head = tables.event.c, tables.head
    with ledger.database.reading() as connection:
        highest, newest = connection.execute(
            select(func.max(event.position), func.max(event.received))
        ).one()
        heads = connection.execute(select(head).order_by(head.c.device, head.c.run, head.c.branch))
        return {
            "size": 0 if highest is None else highest + 1,
            "newest": newest,
            "heads": [dict(row) for row in heads.mappings()],
        }
