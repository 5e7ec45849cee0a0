"""Find what a code, or a part of one, names: items, places, seals."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, Connection, and_, select

from custody.ledger import tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.reading import records

LIMIT = 50
ESCAPE = "\\"
LAST = "\U0010ffff"  # sorts behind every character of a code
NAMED = ("item", "place")


def exact(ledger: Ledger, code: str) -> Value | None:
    """Return `{"of": "item"|"place"|"seal", "code", "value"}` of what bears exactly this code, or
    None.

    A seal answers with the envelopes that carry or carried it as its value: `["EV-000017"]`.
    """
    with ledger.database.reading() as connection:
        for of in ("item", "place"):
            value = records.get(connection, of, code)
            if value is not None:
                return {"of": of, "code": code, "value": value}
        query = select(tables.seal.c.code).where(tables.seal.c.seal == code)
        sealed = list(connection.scalars(query.order_by(tables.seal.c.code)))
        if sealed:
            return {"of": "seal", "code": code, "value": sealed}
        doubtful = select(tables.event_item.c.code).where(tables.event_item.c.code == code)
        if connection.scalar(doubtful.limit(1)) is not None:
            return {"of": "item", "code": code, "value": {}}
    return None


def containing(ledger: Ledger, part: str, limit: int = LIMIT) -> list[Value]:
    """Return items and places whose code begins with a part of a code, sorted; where none does,
    those whose code contains it. Then the seals, in the same way.

    One more than `limit` when cut. A beginning is looked up; for any other part the codes are read
    one by one, from an index, until there are enough.
    """
    with ledger.database.reading() as connection:
        found = _named(connection, part.upper(), limit + 1)
        found += _seals(connection, part.upper(), limit + 1)
    return found[: limit + 1]


def _ways(
    connection: Connection, column: ColumnElement[str], part: str
) -> Iterator[ColumnElement[bool]]:
    yield and_(column >= part, column < part + LAST)
    # SQLite's LIKE heeds no case by itself, and is twice as fast without lower().
    like = column.like if connection.dialect.name == "sqlite" else column.ilike
    yield like(f"%{_escaped(part)}%", escape=ESCAPE)


def _named(connection: Connection, part: str, limit: int) -> list[Value]:
    for way in _ways(connection, tables.record.c.id, part):
        found = [one for of in NAMED for one in _of(connection, of, way, limit)]
        if found:
            return sorted(found, key=lambda one: str(one["code"]))[:limit]
    return []


def _of(connection: Connection, of: str, way: ColumnElement[bool], limit: int) -> list[Value]:
    """Values are fetched only of the codes that are meant: to look through all would be slow."""
    table, whole = tables.record.c, tables.record.alias()
    query = (
        select(table.id, whole.c.value)
        .join(whole, (whole.c.of == table.of) & (whole.c.id == table.id))
        .where(table.of == of, way, whole.c.value.is_not(None))
        .order_by(table.id)
        .limit(limit)
    )
    found = connection.execute(query)
    return [{"of": of, "code": id_, "value": records.parsed(value)} for id_, value in found]


def _seals(connection: Connection, part: str, limit: int) -> list[Value]:
    table = tables.seal.c
    for way in _ways(connection, table.seal, part):
        query = select(table.seal, table.code).where(way).order_by(table.seal, table.code)
        found: dict[str, list[str]] = {}
        for seal, code in connection.execute(query.limit(limit)):
            found.setdefault(seal, []).append(code)
        if found:
            return [{"of": "seal", "code": seal, "value": codes} for seal, codes in found.items()]
    return []


def _escaped(part: str) -> str:
    for sign in (ESCAPE, "%", "_"):
        part = part.replace(sign, ESCAPE + sign)
    return part
