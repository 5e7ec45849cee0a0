"""The present values of records: people, places, devices, settings, items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown
from custody.ledger.strict import reload


def parsed(text: str | None) -> Any:
    """Return the value that a `value` column holds; None for none."""
    return None if text is None else reload(text)


def all_of(connection: Connection, of: str) -> dict[str, Value]:
    """Return every record of a sort that is not forgotten, by id in order: `{"vault": {...}}`."""
    table = tables.record.c
    query = select(table.id, table.value).where(table.of == of, table.value.is_not(None))
    return {id_: parsed(value) for id_, value in connection.execute(query.order_by(table.id))}


def some_of(connection: Connection, of: str, ids: Iterable[str]) -> dict[str, Value]:
    """Return the records of a sort that have one of the ids, by id."""
    table = tables.record.c
    found: dict[str, Value] = {}
    for some in rows.chunks(sorted(set(ids))):
        query = select(table.id, table.value).where(table.of == of, table.id.in_(some))
        found |= {id_: parsed(value) for id_, value in connection.execute(query) if value}
    return found


def get(connection: Connection, of: str, id_: str) -> Value | None:
    """Return one record's value, or None."""
    return some_of(connection, of, [id_]).get(id_)


def every(ledger: Ledger, of: str) -> dict[str, Value]:
    """Return every record of a sort, by id in order."""
    with ledger.database.reading() as connection:
        return all_of(connection, of)


def some(ledger: Ledger, of: str, ids: Iterable[str]) -> dict[str, Value]:
    """Return the records of a sort that have one of the ids, by id."""
    with ledger.database.reading() as connection:
        return some_of(connection, of, ids)


def known(ledger: Ledger, of: str, id_: str) -> Value:
    """Return one record's value. Raises NotKnown."""
    with ledger.database.reading() as connection:
        value = get(connection, of, id_)
    if value is None:
        raise NotKnown(f"there is no {of} {id_!r}")
    return value
