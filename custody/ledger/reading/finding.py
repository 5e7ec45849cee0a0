"""Find what a code, or a part of one, names: items, places, seals."""

from __future__ import annotations

from sqlalchemy import Connection, select

from custody.ledger import tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.reading import records

LIMIT = 50
ESCAPE = "\\"


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
    """Return items and places whose code contains a part of a code, sorted.

    One more than `limit` when cut.
    """
    pattern = f"%{_escaped(part.upper())}%"
    with ledger.database.reading() as connection:
        found = _like(connection, pattern, limit + 1) + _seals(connection, pattern, limit + 1)
    return found[: limit + 1]


def _like(connection: Connection, pattern: str, limit: int) -> list[Value]:
    table = tables.record.c
    query = (
        select(table.of, table.id, table.value)
        .where(table.of.in_(("item", "place")), table.value.is_not(None))
        .where(table.id.ilike(pattern, escape=ESCAPE))
        .order_by(table.id)
        .limit(limit)
    )
    rows = connection.execute(query)
    return [{"of": of, "code": id_, "value": records.parsed(value)} for of, id_, value in rows]


def _seals(connection: Connection, pattern: str, limit: int) -> list[Value]:
    table = tables.seal.c
    query = select(table.seal, table.code).where(table.seal.ilike(pattern, escape=ESCAPE))
    found: dict[str, list[str]] = {}
    for seal, code in connection.execute(query.order_by(table.seal, table.code).limit(limit)):
        found.setdefault(seal, []).append(code)
    return [{"of": "seal", "code": seal, "value": codes} for seal, codes in found.items()]


def _escaped(part: str) -> str:
    for sign in (ESCAPE, "%", "_"):
        part = part.replace(sign, ESCAPE + sign)
    return part
