"""By which name a person signs in at a desk."""

from __future__ import annotations

from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.core import Ledger


def user_of(ledger: Ledger, person: str) -> str | None:
    """Return the name by which a person signs in, or None before the first link was made."""
    table = tables.account.c
    query = select(table.user).where(table.person == person, table.active).order_by(table.user)
    with ledger.database.reading() as connection:
        found: str | None = connection.scalar(query.limit(1))
    return found
