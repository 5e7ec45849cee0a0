"""Texts that a ledger keeps about itself, one to a name: the rows of `meta`."""

from __future__ import annotations

from sqlalchemy import Connection, select

from custody.ledger import rows, tables


def read(connection: Connection, name: str) -> str | None:
    """Return what was written last; None where nothing was."""
    table = tables.meta.c
    found: str | None = connection.scalar(select(table.value).where(table.key == name))
    return found


def write(connection: Connection, name: str, value: str) -> None:
    """Write a text in the place of what was there under its name."""
    rows.upsert(connection, tables.meta, [{"key": name, "value": value}])
