"""Send PostgreSQL many rows in its binary form, which it neither parses nor looks names up in.

New rows come as one stream by COPY, and are written a page at a time: two thirds of the processor
time of an INSERT from one JSON text of the same rows. COPY cannot replace, so rows that may be
there already come as an array for each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, Column, Connection, ExecutionContext, Table

if TYPE_CHECKING:  # a server on SQLite does without its 9 MB
    import psycopg

ROWS = "custody_rows"  # the execution option that holds a COPY's types and rows
TYPES = {int: "int4", str: "text", bool: "bool", bytes: "bytea"}
Types = tuple[str, ...]


def copy(
    connection: Connection, table: Table, names: tuple[str, ...], values: Sequence[Sequence[Any]]
) -> None:
    """Add rows to a table, each with the values of the columns `names`."""
    statement, types = _statement(table, names)
    connection.exec_driver_sql(statement, execution_options={ROWS: (types, values)})


def merge(
    connection: Connection,
    table: Table,
    names: tuple[str, ...],
    values: Sequence[Sequence[Any]],
    suffix: str,
) -> None:
    """Add rows as `copy` does; `suffix` is the statement's ON CONFLICT."""
    columns = tuple(map(list, zip(*values, strict=True)))
    connection.exec_driver_sql(_merging(table, names) + suffix, columns)


def execute(
    cursor: psycopg.Cursor[Any], statement: str, _values: object, context: ExecutionContext
) -> bool:
    """Run a statement of `copy`, so that its errors are SQLAlchemy's as those of any other.

    To be called at SQLAlchemy's event `do_execute`; what it answers False to is left to SQLAlchemy.
    """
    told: tuple[Types, Sequence[Sequence[Any]]] | None = context.execution_options.get(ROWS)
    if told is None:
        return False
    types, values = told
    with cursor.copy(statement) as stream:
        stream.set_types(types)
        for row in values:
            stream.write_row(row)
    return True


@lru_cache(maxsize=64)
def _statement(table: Table, names: tuple[str, ...]) -> tuple[str, Types]:
    statement = f"COPY {_target(table, names)} FROM STDIN (FORMAT BINARY)"
    return statement, types_of(table, names)


@lru_cache(maxsize=64)
def _merging(table: Table, names: tuple[str, ...]) -> str:
    arrays = ", ".join(f"%b::{type_}[]" for type_ in types_of(table, names))
    return f"INSERT INTO {_target(table, names)} SELECT * FROM unnest({arrays})"


def _target(table: Table, names: tuple[str, ...]) -> str:
    listed = ", ".join(f'"{name}"' for name in names)
    return f'"{table.name}" ({listed})'


def types_of(table: Table, names: tuple[str, ...]) -> Types:
    """Return the types of columns by PostgreSQL's names, which must be exact: nothing is cast."""
    return tuple(_type(table.c[name]) for name in names)


def _type(column: Column[Any]) -> str:
    return "int8" if isinstance(column.type, BigInteger) else TYPES[column.type.python_type]
