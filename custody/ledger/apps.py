"""Which version of the app each device runs, by what rulebook, and since when.

A device says so with every request (`Custody-App`, docs/architecture.md). One that was left behind
is found here, before it meets what it does not know.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection, func, select

from custody.ledger import rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger

SAID = re.compile(r"([0-9a-f]{12}) ([a-z0-9][a-z0-9@.+_-]{0,63})", re.ASCII)
LEAST_MS = 600_000  # between two rows of one device, so that none fills the table


def note(ledger: Ledger, device: str, said: str, now: int) -> None:
    """Note what a device says that it runs, when that is not what it said last.

    `said` is the header as it came; what is not of its shape is passed over. `now` is UTC ms.
    """
    found = SAID.fullmatch(said)
    if found is None:
        return
    with ledger.database.reading() as connection:
        if not _is_news(connection, device, found, now):
            return
    with ledger.database.writing() as connection:
        if _is_news(connection, device, found, now):
            row = {"device": device, "since": now, "app": found[1], "rulebook": found[2]}
            rows.insert(connection, tables.device_app, [row])


def _is_news(connection: Connection, device: str, found: re.Match[str], now: int) -> bool:
    table = tables.device_app.c
    query = select(tables.device_app).where(table.device == device)
    last = connection.execute(query.order_by(table.since.desc()).limit(1)).first()
    if last is None:
        return True
    return (last.app, last.rulebook) != found.groups() and now - last.since >= LEAST_MS


def running(ledger: Ledger) -> dict[str, Value]:
    """Return `{"app", "rulebook", "since"}` by device, as each said last; `since` is UTC ms."""
    table = tables.device_app.c
    newest = select(table.device, func.max(table.since).label("since")).group_by(table.device)
    last = newest.subquery()
    query = select(tables.device_app).join(
        last, (table.device == last.c.device) & (table.since == last.c.since)
    )
    with ledger.database.reading() as connection:
        found = connection.execute(query).all()
    return {
        row.device: {"app": row.app, "rulebook": row.rulebook, "since": row.since} for row in found
    }
