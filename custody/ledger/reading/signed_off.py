"""A gaming day's sign-off as the reconciliation shows it: who signed, what came for the day since,
and which exceptions of the day are open.
"""

from __future__ import annotations

from sqlalchemy import Connection, Select, func, select

from custody.ledger import identities, judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from custody.rules import context, days, signing_off
from custody.rules.exception_kinds import LATE

MOST = 20  # events that are listed; how many there are is told besides
LOOKED_AT = 400  # open exceptions of which it is found out to which day they belong


def of_day(ledger: Ledger, day: str, kind: str) -> Value | None:
    """Return the sign-off of a gaming day that counts, None while the day is open: `{"event",
    "position", "at", "by", "note", "late", "since", "entries"}`.

    `late` is how many events came late since, `since` how many posted to the day for a kind, the
    late ones among them; `entries` are the newest of both.
    """
    with ledger.database.reading() as connection:
        one = signing_off.standing(Cache(connection), day)
        position = identities.first(connection, one["event"]) if one else None
        if one is None or position is None:
            return None
        late, posted = _late(day, position), _posted(day, kind, position)
        found = entries.at_positions(
            connection, [position, *_newest(connection, late), *_newest(connection, posted)]
        )
        numbers = {"late": _count(connection, late), "since": _count(connection, posted)}
    note = str((found[0]["event"] or {}).get("note") or "")
    return {**one, **numbers, "position": position, "note": note, "entries": found[:0:-1][:MOST]}


def _late(day: str, position: int) -> Select[tuple[int]]:
    """The events that came for a day after its sign-off; the text of a value has the day."""
    table = tables.exception.c
    told = table.value.contains(f'"day":"{day}"', autoescape=True)
    query = select(table.position).distinct()
    return query.where(table.kind == LATE, table.position > position, told)


def _posted(day: str, kind: str, position: int) -> Select[tuple[int]]:
    """The events that changed a day's figures since, by themselves or by correcting others."""
    table = tables.posting.c
    query = select(table.position).distinct()
    return query.where(table.kind == kind, table.day == day, table.position > position)


def _newest(connection: Connection, query: Select[tuple[int]]) -> list[int]:
    newest = query.order_by(query.selected_columns[0].desc())
    return list(connection.scalars(newest.limit(MOST)))


def _count(connection: Connection, query: Select[tuple[int]]) -> int:
    return int(connection.scalar(select(func.count()).select_from(query.subquery())) or 0)


def open_of_day(ledger: Ledger, day: str) -> tuple[list[Value], bool]:
    """Return the open exceptions of a gaming day's events, the newest first, `[{"id", "kind",
    "position", "items"}, ...]`, and whether there may be more: only so many are looked at. `items`
    are as the event names them.
    """
    table, event = tables.exception.c, tables.event.c
    query = select(table.id, table.kind, table.position).where(table.resolved.is_(None))
    with ledger.database.reading() as connection:
        book = judging.book_of(Cache(connection))
        query = query.join(tables.event, event.position == table.position)
        query = query.where(event.received >= days.start(book, day))
        found = connection.execute(query.order_by(table.position, table.id).limit(LOOKED_AT)).all()
        known = entries.at_positions(connection, {one.position for one in found})
    events = {one["position"]: one for one in known if _day(book, one) == day}
    told = [dict(one._mapping) for one in reversed(found) if one.position in events]
    for one in told:
        one["items"] = list((events[one["position"]]["event"] or {}).get("items") or [])
    return told, len(found) == LOOKED_AT


def _day(book: Value, entry: Value) -> str:
    """The gaming day of an event; of one that cannot be read, that in which it came."""
    event = entry["event"]
    return days.gaming_day(book, context.effective(event) if event else entry["received"])
