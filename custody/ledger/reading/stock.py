"""Stock: sums over postings by place and kind, and the items at a place."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, func, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.reading import records, totalled
from custody.ledger.reading.asof import THEN, Moment
from custody.ledger.reading.keyset import Cut, Part, select_part
from custody.rules import counts


def on_hand(ledger: Ledger) -> list[Value]:
    """Return the balance of each kind at each place that has any.

    `[{"place": id, "kind": "dice", "units": {"sticks": 9, "dice": 45}}, ...]`; `place` is None for
    what a person carries between two places.
    """
    with ledger.database.reading() as connection:
        return balances(connection, judging.book_of(Cache(connection)))[0]


def totals(ledger: Ledger) -> list[Value]:
    """Return the balance of each kind on the whole site: `[{"place": None, "kind", "units"}]`."""
    with ledger.database.reading() as connection:
        return balances(connection, judging.book_of(Cache(connection)))[1]


def balances(
    connection: Connection, book: Value, when: Moment | None = None
) -> tuple[list[Value], list[Value]]:
    """Return the balances by place and kind, and those of the site by kind, as they are or as they
    were at a moment.
    """
    pieces = _pieces(connection, when)
    postings = totalled.summed(connection, pieces, terms=counts.stock_terms(book))
    parts: dict[tuple[str, str], list[Value]] = {}
    for line in postings:
        parts.setdefault((line["place"] or "", line["kind"]), []).append(line)
    rows = [_balance(book, parts[part], part[0] or None, part[1]) for part in sorted(parts)]
    kinds = sorted({line["kind"] for line in postings})
    whole = [_balance(book, postings, None, kind) for kind in kinds]
    return [row for row in rows if any(row["units"].values())], whole


def _pieces(connection: Connection, when: Moment | None) -> list[totalled.Piece]:
    """What had come by a moment: to the log, or about in the house."""
    if when is None:
        return totalled.everything(connection)
    if when.known == THEN:
        return totalled.below(connection, when.position)
    return totalled.to_instant(connection, when.at)


def _balance(book: Value, postings: list[Value], place: str | None, kind: str) -> Value:
    """Sum postings that are all of one place, or of the whole site."""
    return {"place": place, "kind": kind, "units": counts.on_hand(book, postings, kind, None)}


def at_place(ledger: Ledger, place: str, kind: str | None, cut: Cut) -> Part:
    """Return a part of the items now at a place, by code, of one kind or of all: their values."""
    with ledger.database.reading() as connection:
        return _values(connection, there(place, kind), cut)


def _values(connection: Connection, conditions: list[ColumnElement[bool]], cut: Cut) -> Part:
    table = tables.record.c
    query = select(table.value).where(*conditions)
    found = select_part(connection, query, [(table.id, False)], cut)
    return found._replace(rows=[records.parsed(row["value"]) for row in found.rows])


def count_at(ledger: Ledger, place: str, kind: str | None = None) -> int:
    """Return how many items are now at a place, of one kind or of all."""
    query = select(func.count()).select_from(tables.record).where(*there(place, kind))
    with ledger.database.reading() as connection:
        return int(connection.scalar(query) or 0)


def there(place: str, kind: str | None) -> list[ColumnElement[bool]]:
    """Return the conditions for the records of the items at a place, of one kind or of all.

    Only items that there are have a place or a kind: to ask for more would have each row read, or,
    since they are sorted by code, every item.
    """
    table = tables.record.c
    found = [table.place == place]
    return [*found, table.kind == kind] if kind else found


def of_kind(ledger: Ledger, kind: str, states: list[str] | None, cut: Cut) -> Part:
    """Return a part of the items of a kind in some states, or in any, by code: their values."""
    with ledger.database.reading() as connection:
        return _values(connection, _of_kind(kind, states), cut)


def is_state(ledger: Ledger, state: str) -> bool:
    """Say whether any item is in a state."""
    table = tables.record.c
    query = select(table.id).where(table.of == "item", table.state == state).limit(1)
    with ledger.database.reading() as connection:
        return connection.scalar(query) is not None


def every(ledger: Ledger, kind: str | None, state: str | None, place: str | None, cut: Cut) -> Part:
    """Return a part of the items, of a kind, in a state, at a place, or of all, by code: their
    values.
    """
    table = tables.record.c
    asked = ((table.kind, kind), (table.state, state), (table.place, place))
    found: list[ColumnElement[bool]] = [table.of == "item", table.value.is_not(None)]
    found += [column == value for column, value in asked if value]
    with ledger.database.reading() as connection:
        return _values(connection, found, cut)


def kind_in(
    connection: Connection,
    kind: str,
    states: list[str] | None = None,
    limit: int | None = None,
) -> list[Value]:
    """Return the values of the items of a kind in some states, or in any, by code; the first
    `limit` of them.
    """
    table = tables.record.c
    query = select(table.value).where(*_of_kind(kind, states)).order_by(table.id)
    found = connection.scalars(query.limit(limit))
    return [records.parsed(value) for value in found]


def count_kind(connection: Connection, kind: str) -> dict[str, int]:
    """Return how many items of a kind are in each state that has any."""
    table = tables.record.c
    query = select(table.state, func.count().label("n")).where(*_of_kind(kind, None))
    found = connection.execute(query.group_by(table.state).order_by(table.state))
    return {row.state: row.n for row in found}


def states_of(ledger: Ledger, kind: str) -> dict[str, int]:
    """Return how many items of a kind are in each state that has any."""
    with ledger.database.reading() as connection:
        return count_kind(connection, kind)


def _of_kind(kind: str, states: list[str] | None) -> list[ColumnElement[bool]]:
    table = tables.record.c
    found = [table.kind == kind]  # as `there` says
    return [*found, table.state.in_(states)] if states else found
