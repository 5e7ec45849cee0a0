"""Write many rows with one statement, on either database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

CHUNK = 500  # values in one IN (...), well under what either database takes
One = TypeVar("One")


def insert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; none is no statement."""
    if rows:
        connection.execute(table.insert(), list(rows))


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, replacing those whose primary key is there already."""
    if not rows:
        return
    make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = make(table)
    keys = [column.name for column in table.primary_key]
    others = {c.name: statement.excluded[c.name] for c in table.columns if c.name not in keys}
    if others:
        connection.execute(
            statement.on_conflict_do_update(index_elements=keys, set_=others), list(rows)
        )
    else:
        connection.execute(statement.on_conflict_do_nothing(index_elements=keys), list(rows))


def raw(kept: bytes | memoryview | str) -> bytes:
    """Return the bytes of a body, also where somebody who owns an SQLite file wrote a text."""
    return kept.encode() if isinstance(kept, str) else bytes(kept)


def chunks(values: Iterable[One]) -> Iterator[list[One]]:
    """Yield the values in lists that fit one statement."""
    all_values = list(values)
    for start in range(0, len(all_values), CHUNK):
        yield all_values[start : start + CHUNK]
