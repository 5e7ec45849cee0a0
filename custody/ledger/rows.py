"""Write many rows with one statement, on either database.

The statements are text: compiling and binding them row by row costs more than the database takes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Table

CHUNK = 500  # values in one IN (...), well under what either database takes
TYPES = {int: "bigint", str: "text", bool: "boolean", bytes: "text"}  # a JSON value's in PostgreSQL
One = TypeVar("One")
Row = dict[str, Any]


def insert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows that all have the columns of the first; none is no statement."""
    if rows:
        _write(connection, table, rows, "")


def upsert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows, replacing those whose primary key is there already; no two have the same."""
    if rows:
        _write(connection, table, rows, _replacing(table, tuple(rows[0])))


def _write(connection: Connection, table: Table, rows: Sequence[Row], suffix: str) -> None:
    names = tuple(rows[0])
    if connection.dialect.name == "sqlite":
        values = [tuple(map(row.__getitem__, names)) for row in rows]
        connection.exec_driver_sql(_by_row(table, names) + suffix, values)
        return
    told = json.dumps(rows, ensure_ascii=False, default=_base64)
    connection.exec_driver_sql(_at_once(table, names) + suffix, (told,))


def _base64(body: bytes) -> str:
    return b64encode(body).decode()


@lru_cache(maxsize=64)
def _by_row(table: Table, names: tuple[str, ...]) -> str:
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {_name(table.name)} ({_names(names)}) VALUES ({marks})"


@lru_cache(maxsize=64)
def _at_once(table: Table, names: tuple[str, ...]) -> str:
    """Return PostgreSQL's INSERT of all rows from one JSON text: one message, parsed once."""
    kinds = [table.c[name].type.python_type for name in names]
    typed = ", ".join(f"{_name(n)} {TYPES[kind]}" for n, kind in zip(names, kinds, strict=True))
    taken = ", ".join(
        f"decode({_name(n)}, 'base64')" if kind is bytes else _name(n)
        for n, kind in zip(names, kinds, strict=True)
    )
    rows = f"json_to_recordset(%s::json) AS row({typed})"
    return f"INSERT INTO {_name(table.name)} ({_names(names)}) SELECT {taken} FROM {rows}"


@lru_cache(maxsize=64)
def _replacing(table: Table, names: tuple[str, ...]) -> str:
    keys = [column.name for column in table.primary_key]
    sets = ", ".join(f"{_name(n)} = excluded.{_name(n)}" for n in names if n not in keys)
    return f" ON CONFLICT ({_names(keys)}) DO " + (f"UPDATE SET {sets}" if sets else "NOTHING")


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(_name, names))


def _name(name: str) -> str:
    """Return an identifier in quotes: some are words of SQL (`of`, `user`)."""
    return f'"{name}"'


def raw(kept: bytes | memoryview | str) -> bytes:
    """Return the bytes of a body, also where somebody who owns an SQLite file wrote a text."""
    return kept.encode() if isinstance(kept, str) else bytes(kept)


def chunks(values: Iterable[One]) -> Iterator[list[One]]:
    """Yield the values in lists that fit one statement."""
    all_values = list(values)
    for start in range(0, len(all_values), CHUNK):
        yield all_values[start : start + CHUNK]
