"""Rows are stored as told, however many come at once and in whichever way a database takes them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from custody.config import Config
from custody.ledger import append, chain, copying, rows, tables
from custody.ledger.core import Ledger
from custody.ledger.verifying import key_faults, projection_fault
from custody.simulation import filling

COUNTS = (1, rows.MANY - 1, rows.MANY, 500)
ODD = ("", "a\tb\nc\\d", "\\N", '"quoted"', "{1,2}", "Zoë 🎲", "\x7f")
START = 9_000_000  # of log positions
KINDS = {  # PostgreSQL's names of the types that COPY is told
    "int8": {"bigint"},
    "int4": {"integer"},
    "bool": {"boolean"},
    "bytea": {"bytea"},
    "text": {"text", "character varying"},  # which are sent alike
}


def posting(number: int) -> dict[str, Any]:
    """Return a row with every kind of column but bytes, some of them null."""
    odd = ODD[number % len(ODD)]
    told = {"at": -(2**52) - number, "day": odd, "kind": "dice", "place": odd or None}
    return {
        **{"position": START + number, "line": number, **told},
        **{"term": "received", "design": None, "value": odd},
    }


@pytest.mark.parametrize("count", COUNTS)
def test_rows_are_stored_as_they_were_told(ledger: Ledger, count: int) -> None:
    told = [posting(number) for number in range(count)]
    with ledger.database.writing() as connection:
        rows.insert(connection, tables.posting, told)
        query = select(tables.posting).order_by("position")
        assert [dict(row) for row in connection.execute(query).mappings()] == told


@pytest.mark.parametrize("count", COUNTS)
def test_bodies_are_stored_at_shifted_positions_to_the_byte(ledger: Ledger, count: int) -> None:
    told = [bytes((number % 256, 0, 255, 10, 92, 9)) * (number % 40) for number in range(count)]
    start = append_end(ledger)
    found = [{"position": start + number, "body": body} for number, body in enumerate(told)]
    with ledger.database.writing() as connection:
        ready = rows.ready(connection.dialect, tables.event_body, found)
        rows.write(connection, ready, 7)
        table = tables.event_body.c
        query = select(table.position, table.body).where(table.position >= start)
        kept = [(at, bytes(body)) for at, body in connection.execute(query.order_by("position"))]
    assert kept == [(start + 7 + number, body) for number, body in enumerate(told)]


@pytest.mark.parametrize("count", COUNTS)
def test_rows_that_are_there_are_replaced_beside_new_ones(ledger: Ledger, count: int) -> None:
    told = [posting(number) for number in range(count)]
    with ledger.database.writing() as connection:
        rows.upsert(connection, tables.posting, told[::2])
        told = [{**row, "value": row["value"] + "!", "place": None} for row in told]
        rows.upsert(connection, tables.posting, told)
        query = select(tables.posting).order_by("position")
        assert [dict(row) for row in connection.execute(query).mappings()] == told


def append_end(ledger: Ledger) -> int:
    with ledger.database.reading() as connection:
        return append.log_size(connection)


@pytest.mark.parametrize("count", [2, 2 * rows.MANY])
def test_of_rows_of_which_one_is_there_already_none_is_stored(ledger: Ledger, count: int) -> None:
    told = [posting(number) for number in range(count)]
    with ledger.database.writing() as connection:
        rows.insert(connection, tables.posting, told[-1:])
    with pytest.raises(IntegrityError), ledger.database.writing() as connection:
        rows.insert(connection, tables.posting, told)
    with ledger.database.reading() as connection:
        assert len(connection.execute(select(tables.posting)).all()) == 1


def test_every_column_is_of_the_type_that_copy_is_told(ledger: Ledger) -> None:
    if ledger.database.is_sqlite:
        return  # it has no COPY
    query = "SELECT table_name, column_name, data_type FROM information_schema.columns"
    with ledger.database.reading() as connection:
        found = {(table, name): kind for table, name, kind in connection.execute(text(query))}
    for table in SQLModel.metadata.tables.values():
        names = tuple(column.name for column in table.columns)
        types = zip(names, copying.types_of(table, names), strict=True)
        wrong = [name for name, type_ in types if found[table.name, name] not in KINDS[type_]]
        assert (table.name, wrong) == (table.name, [])


@pytest.mark.parametrize("many", [1, 10_000])
def test_a_push_is_stored_alike_however_few_rows_are_many(
    config: Config, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(rows, "MANY", many)
    ledger, clock = filling.make(config)
    one, other = filling.enrol(ledger, 2)
    for handheld in (one, other, one):
        filling.take(ledger, clock, handheld.next(20))
    batch = chain.parse(one.next(20).body)
    foreseen = append.foresee(ledger, batch)
    filling.take(ledger, clock, other.next(20))  # the log grows between judgement and lock
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(append, "foresee", lambda *_: foreseen)
        append.push(ledger, batch)
    assert list(key_faults(ledger)) == []
    assert projection_fault(ledger) is None
    ledger.close()
