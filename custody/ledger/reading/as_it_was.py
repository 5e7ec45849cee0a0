"""Items, places and balances as at a past instant, as known then or as known now."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from custody.ledger import rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError
from custody.ledger.reading import records, stock
from custody.ledger.reading.asof import THEN, AsOf, Moment, moment
from custody.rules import counts, lots

UNPOSTED = ("envelope", *sorted(lots.BY_NUMBER))  # kinds that are in no stock, or not once used
MOST = 20_000  # items folded again for one answer


class TooMany(LedgerError):
    """More than `most` items have moved since: too many to be folded again for one answer."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} items have moved there since; ask for a later instant")
        self.most = most


def of_item(ledger: Ledger, code: str, at: int, known: str) -> Value:
    """Return an item at an instant (UTC ms): `{"at", "known", "position", "parts"}`.

    `position` is how many events were known. `parts` are `{"code", "value", "tips"}`: one, or the
    parts of a range of serials that was cut since; `value` is None where it was not in custody,
    `tips` the ids of the ends of its history, several where it was disputed.
    """
    with ledger.database.reading() as connection:
        when = moment(connection, at, known)
        facts = AsOf(connection, when)
        return {**when._asdict(), "parts": [_part(facts, one) for one in facts.meant(code)]}


def _part(facts: AsOf, code: str) -> Value:
    tips = facts.tips_then(code)
    return {"code": code, "value": facts.value(code, tips[0]) if tips else None, "tips": tips}


def master(ledger: Ledger, of: str, position: int) -> dict[str, Value]:
    """Return the master records of a sort (`person`, `place`) as the events below a log position
    left them, by id in order.
    """
    table = tables.master.c
    query = select(table.id, table.value).where(table.of == of, table.since_position < position)
    with ledger.database.reading() as connection:
        rows_ = connection.execute(query.order_by(table.id, table.since_position))
        newest = {row.id: row.value for row in rows_}
    return {id_: records.parsed(value) for id_, value in newest.items() if value is not None}


def on_hand(ledger: Ledger, at: int, known: str) -> Value:
    """Return the balances at an instant: `{"at", "known", "position", "rows", "totals"}`, as
    `stock.on_hand` and `stock.totals` do.
    """
    with ledger.database.reading() as connection:
        when = moment(connection, at, known)
        rows_, totals = stock.balances(connection, AsOf(connection, when).rules, when)
    return {**when._asdict(), "rows": rows_, "totals": totals}


def _by(when: Moment) -> ColumnElement[bool]:
    """The postings that had come by an instant: to the log, or about in the house."""
    table = tables.posting.c
    return table.position < when.position if when.known == THEN else table.at <= when.at


def codes_at(ledger: Ledger, place: str, at: int, known: str, kind: str | None = None) -> Value:
    """Return which items were at a place at an instant, of one kind or of all: `{"at", "known",
    "position", "codes"}`, sorted. Raises TooMany.
    """
    with ledger.database.reading() as connection:
        when = moment(connection, at, known)
        codes = _codes_at(AsOf(connection, when), place, kind)
        return {**when._asdict(), "codes": sorted(codes)}


def values(ledger: Ledger, codes: list[str], at: int, known: str) -> list[Value]:
    """Return the values of some items at an instant, those that were not in custody left out."""
    with ledger.database.reading() as connection:
        facts = AsOf(connection, moment(connection, at, known))
        facts.load(codes)
        found = [facts.first(code) for code in codes]
    return [value for value in found if value is not None]


def _codes_at(facts: AsOf, place: str, kind: str | None) -> set[str]:
    """Where nothing was posted at a place since, an item that is there now was there; the others
    are folded again.
    """
    moved = _moved(facts, place)
    facts.load(moved)
    there = {
        code
        for code in moved
        if (value := facts.first(code)) is not None
        and facts.place_of(value) == place
        and kind in (None, value["kind"])
    }
    return there | (_now(facts.connection, place, kind) - moved)


def _now(connection: Connection, place: str, kind: str | None) -> set[str]:
    return set(connection.scalars(select(tables.record.c.id).where(*stock.there(place, kind))))


def _unposted(facts: AsOf) -> set[str]:
    """The envelopes, used seals, and forms with their parts that changed since: they are in no
    stock, so nothing is posted where they come and go. What a correction has made never to have
    been has no kind.
    """
    table, link = tables.record.c, tables.event_item.c
    kinds = table.kind.in_(UNPOSTED) | table.kind.is_(None)
    query = (
        select(link.code)
        .join(tables.record, table.id == link.code)
        .where(table.of == "item", kinds, link.position >= facts.when.held)
    )
    return set(facts.connection.scalars(query.distinct()))


def _moved(facts: AsOf, place: str) -> set[str]:
    """The items of the events that changed the stock at a place since, named as they are now."""
    table, link = tables.posting.c, tables.event_item.c
    since: Any = ~_by(facts.when)
    terms = table.term.in_(counts.stock_terms(facts.rules))
    query = select(table.position).where(table.place == place, terms, since).distinct()
    found: set[str] = set()
    for some in rows.chunks(facts.connection.scalars(query)):
        named = select(link.code).where(link.position.in_(some), link.apart.is_(False)).distinct()
        found |= set(facts.connection.scalars(named))
    found |= _unposted(facts)
    if len(found) > MOST:
        raise TooMany(MOST)
    facts.fetch_tips(found)
    return {one for code in found for one in facts.meant(code)}
