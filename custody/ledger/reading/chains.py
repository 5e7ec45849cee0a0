"""The log as a whole, and the chains of the devices in it."""

from __future__ import annotations

from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger


def overview(ledger: Ledger) -> Value:
    """Return `{"size", "newest", "heads"}`.

    Events, when the last of them was received (or None), and each chain's end.
    """
    event, head = tables.event.c, tables.head
    with ledger.database.reading() as connection:
        query = select(event.position, event.received).order_by(event.position.desc()).limit(1)
        last = connection.execute(query).first()
        heads = connection.execute(select(head).order_by(head.c.device, head.c.run, head.c.branch))
        return {
            "size": last.position + 1 if last else 0,
            "newest": last.received if last else None,
            "heads": [dict(row) for row in heads.mappings()],
        }
