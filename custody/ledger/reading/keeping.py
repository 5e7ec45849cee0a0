"""The records that clauses ask for by period: what they hold, and whether they were made."""

from __future__ import annotations

from sqlalchemy import Connection, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.keeping import KEPT, bounds
from custody.ledger.reading import asof, entries, records, totalled
from custody.rules import clocks, days

CHANGING = ("administer", "correct", "mark_void", "adjust")
PERIODS = 8  # how many ended periods are looked at


def asked(ledger: Ledger) -> list[Value]:
    """Return the [[record]] entries of the rulebook in force, in its order."""
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        return list((facts.get("rulebook", judging.rulebook_id(facts)) or {}).get("record", []))


def due(connection: Connection, facts: Cache, now: int) -> list[Value]:
    """Return a deadline for each ended period whose record was not made, like those of clocks:
    `{"clause", "item", "record", "period", "start", "at", "status"}`.
    """
    book = judging.book_of(facts)
    first = connection.scalar(select(tables.event.c.received).where(tables.event.c.position == 0))
    rulebook = facts.get("rulebook", judging.rulebook_id(facts)) or {}
    if first is None:
        return []
    today, founded = clocks.gaming_day(book, now), clocks.gaming_day(book, first)
    found = []
    for record in rulebook.get("record", []):
        for period in ended(str(record.get("every")), founded, today):
            if facts.get(KEPT, f"{record['name']}:{period}") is None:
                at = _end(book, str(record["every"]), period)
                one = {"record": record["name"], "period": period, "clause": record["clause"][0]}
                found.append({**one, "item": None, "start": at, "at": at, "status": "due"})
    return found


def ended(every: str, founded: str, today: str) -> list[str]:
    """Return the ended months or quarters since the ledger was founded, the oldest first."""
    found: list[str] = []
    period = before(every, current(every, today))
    while period and current(every, founded) <= period and len(found) < PERIODS:
        found.insert(0, period)
        period = before(every, period)
    return found


def current(every: str, day: str) -> str:
    """Return the month or quarter of a day; "" for a record without such periods."""
    if every == "month":
        return day[:7]
    return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}" if every == "quarter" else ""


def before(every: str, period: str) -> str:
    """Return the period before one."""
    if not period:
        return ""
    first = bounds(every, period)[0]
    year, month = int(first[:4]), int(first[5:7]) - 1
    return current(every, f"{year}-{month:02d}-01" if month else f"{year - 1}-12-01")


def _end(book: Value, every: str, period: str) -> int:
    last = bounds(every, period)[1]
    year, month = int(last[:4]), int(last[5:7]) + 1
    first = f"{year}-{month:02d}-01" if month <= 12 else f"{year + 1}-01-01"
    return int(days.start(book, first))


def redeemed(ledger: Ledger, every: str, period: str) -> Value:
    """Return `{"coupons": n, "value": cents}` that players redeemed in a period."""
    first, last = bounds(every, period)
    total = {"coupons": 0, "value": 0}
    with ledger.database.reading() as connection:
        for line in totalled.monthly(connection, "coupons", ["redeemed"], first, last):
            total = {unit: total[unit] + line["units"].get(unit, 0) for unit in total}
    return total


def changes(ledger: Ledger, month: str) -> list[Value]:
    """Return the entries of a month in which settings were changed, events corrected, serials
    voided or stock set to a count: parameters, corrections and voids.
    """
    with ledger.database.reading() as connection:
        positions = _of_month(connection, judging.book_of(Cache(connection)), month)
        found = entries.at_positions(connection, positions)
    return [entry for entry in found if (entry["event"] or {}).get("step") in CHANGING]


def _of_month(connection: Connection, book: Value, month: str) -> list[int]:
    body = tables.event_body.c
    first, end = _positions(connection, book, month)
    query = select(body.position, body.body).where(body.position >= first, body.position < end)
    steps = [f'"step":"{step}"'.encode() for step in CHANGING]
    rows = connection.execute(query, execution_options={"yield_per": 1000})
    return [row.position for row in rows if any(step in bytes(row.body) for step in steps)]


def _positions(connection: Connection, book: Value, month: str) -> tuple[int, int]:
    """Return the position of a month's first event, and the one after its last."""
    start, end = days.start(book, f"{month}-01"), _end(book, "month", month)
    return asof.first_from(connection, start), asof.first_from(connection, end)


def raised(ledger: Ledger, month: str) -> tuple[int, int]:
    """Return how many exceptions a month's events raised, and how many of them are open."""
    exception = tables.exception.c
    with ledger.database.reading() as connection:
        first, end = _positions(connection, judging.book_of(Cache(connection)), month)
        query = select(exception.resolved)
        query = query.where(exception.position >= first, exception.position < end)
        found = connection.scalars(query).all()
    return len(found), sum(one is None for one in found)


def kept(ledger: Ledger, name: str, period: str) -> Value | None:
    """Return what was recorded of a period, or None: `{"at", "by", "found"}`."""
    with ledger.database.reading() as connection:
        return records.get(connection, KEPT, f"{name}:{period}")
