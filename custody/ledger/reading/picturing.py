"""The pictures of an item: which of its last events name some, and whether they have come."""

from __future__ import annotations

from sqlalchemy import select

from custody.ledger import blobs, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.events import HASH
from custody.ledger.reading import entries

LOOKED_AT = 100  # events of the item, the newest
MOST = 20


def of_item(ledger: Ledger, code: str) -> list[Value]:
    """Return `{"sha256", "state", "event", "at", "step"}` of an item's pictures, the newest first.

    `state` is `here`, `awaited` or `refused`; `at` (UTC ms) and `step` are the event's. [] for a
    code that no event names.
    """
    link = tables.event_item.c
    query = select(link.position).where(link.code == code).order_by(link.position.desc())
    with ledger.database.reading() as connection:
        positions = connection.scalars(query.limit(LOOKED_AT)).all()
        found = entries.at_positions(connection, positions)
    named = [one for entry in reversed(found) for one in _named(entry)][:MOST]
    known = blobs.known(ledger, [one["sha256"] for one in named])
    states = {kept.name: kept.state for kept in known}
    return [{**one, "state": states[one["sha256"]]} for one in named]


def _named(entry: Value) -> list[Value]:
    event = entry["event"] or {}
    photos = (event.get("with") or {}).get("photos")
    names = photos if isinstance(photos, list) else []
    told = {"event": entry["id"], "at": event.get("at"), "step": event.get("step")}
    return [{"sha256": n, **told} for n in names if isinstance(n, str) and HASH.fullmatch(n)]
