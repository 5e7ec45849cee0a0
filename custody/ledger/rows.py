"""Write many rows with few statements, on either database.

The statements are text: compiling and binding them row by row costs more than the database takes.
Rows can be made ready before the transaction that writes them has begun: the log positions in them
are shifted when they are written, to where the log has grown meanwhile.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import orjson
from sqlalchemy import Connection, Dialect, Table

from custody.ledger import copying

CHUNK = 500  # values in one IN (...), well under what either database takes
TYPES = {int: "bigint", str: "text", bool: "boolean", bytes: "text"}  # a JSON value's in PostgreSQL
SHIFTED = ("position", "changed")  # columns that hold log positions
# Rows of one statement in SQLite. A statement is compiled once for each number of rows; while it
# runs, other threads do, too, which is why one for each row is not as good.
PORTIONS = (256, 64, 16, 4, 1)
# Rows of one statement from which on PostgreSQL takes them cheaper in its binary form (`copying`).
MANY = 64
One = TypeVar("One")
Row = dict[str, Any]


class Ready(NamedTuple):
    """Rows of a table as a database takes them: lists for SQLite, and for PostgreSQL where they are
    many; else one JSON text.
    """

    table: Table
    names: tuple[str, ...]
    values: list[list[Any]] | str
    suffix: str


def insert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows that all have the columns of the first; none is no statement."""
    if rows:
        write(connection, ready(connection.dialect, table, rows))


def upsert(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows, replacing those whose primary key is there already; no two have the same."""
    if rows:
        write(connection, ready(connection.dialect, table, rows, replacing=True))


def ready(dialect: Dialect, table: Table, rows: Sequence[Row], *, replacing: bool = False) -> Ready:
    """Make rows ready to be written, at least one."""
    names = tuple(rows[0])
    suffix = _replacing(table, names) if replacing else ""
    if dialect.name == "sqlite" or len(rows) >= MANY:
        return Ready(table, names, [list(map(row.__getitem__, names)) for row in rows], suffix)
    return Ready(table, names, orjson.dumps(rows, default=_base64).decode(), suffix)


def write(connection: Connection, made: Ready, shift: int = 0) -> None:
    """Write rows; `shift` is added to the log positions in them."""
    if isinstance(made.values, str):
        shifts = [shift] * len(_positions(made.names))
        statement = _at_once(made.table, made.names) + made.suffix
        connection.exec_driver_sql(statement, (*shifts, made.values))
        return
    _shift(made.names, made.values, shift)
    if connection.dialect.name == "sqlite":
        _write_in_portions(connection, made.table, made.names, made.values, made.suffix)
    elif made.suffix:
        copying.merge(connection, made.table, made.names, made.values, made.suffix)
    else:
        copying.copy(connection, made.table, made.names, made.values)


def _write_in_portions(
    connection: Connection, table: Table, names: tuple[str, ...], values: list[list[Any]], end: str
) -> None:
    start = 0
    for portion in PORTIONS:
        statement = _by_portion(table, names, portion) + end
        while len(values) - start >= portion:
            some = values[start : start + portion]
            connection.exec_driver_sql(statement, tuple(chain.from_iterable(some)))
            start += portion


def _shift(names: tuple[str, ...], values: list[list[Any]], shift: int) -> None:
    for column in _positions(names) if shift else ():
        for row in values:
            row[column] += shift


def _positions(names: tuple[str, ...]) -> list[int]:
    return [number for number, name in enumerate(names) if name in SHIFTED]


def _base64(body: bytes) -> str:
    return b64encode(body).decode()


@lru_cache(maxsize=256)
def _by_portion(table: Table, names: tuple[str, ...], portion: int) -> str:
    marks = "(" + ", ".join("?" * len(names)) + ")"
    into = f"INSERT INTO {_name(table.name)} ({_names(names)}) VALUES "
    return into + ", ".join([marks] * portion)


@lru_cache(maxsize=64)
def _at_once(table: Table, names: tuple[str, ...]) -> str:
    """Return PostgreSQL's INSERT of all rows from one JSON text: one message, parsed once."""
    kinds = [table.c[name].type.python_type for name in names]
    typed = ", ".join(f"{_name(n)} {TYPES[kind]}" for n, kind in zip(names, kinds, strict=True))
    taken = ", ".join(map(_taken, names, kinds))
    rows = f"json_to_recordset(%s::json) AS row({typed})"
    return f"INSERT INTO {_name(table.name)} ({_names(names)}) SELECT {taken} FROM {rows}"


def _taken(name: str, kind: type) -> str:
    if kind is bytes:
        return f"decode({_name(name)}, 'base64')"
    return _name(name) + (" + %s::bigint" if name in SHIFTED else "")


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


def find(connection: Connection, query: str, *values: Any) -> Any:
    """Return what a query finds in which each `?` stands for a value.

    For what every push asks: putting a statement together out of parts costs more than its answer.
    """
    asked = query if connection.dialect.name == "sqlite" else query.replace("?", "%s")
    return connection.exec_driver_sql(asked, values)


def among(connection: Connection, query: str, values: Iterable[str]) -> Iterable[Any]:
    """Return what `query` finds, in which `IN :values` stands for these values, however many.

    They are one parameter, so that the statement is compiled once.
    """
    if connection.dialect.name == "sqlite":
        told: Any = orjson.dumps(list(values)).decode()
        return connection.exec_driver_sql(
            query.replace(":values", "(SELECT value FROM json_each(?))"), (told,)
        )
    return connection.exec_driver_sql(query.replace("IN :values", "= ANY(%s)"), (list(values),))


def chunks(values: Iterable[One]) -> Iterator[list[One]]:
    """Yield the values in lists that fit one statement."""
    all_values = list(values)
    for start in range(0, len(all_values), CHUNK):
        yield all_values[start : start + CHUNK]
