"""Today: deadlines, open exceptions, envelopes and duplicates that wait.

Devices that have not reported.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from custody.ledger import devices as ledger_devices
from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import DESK, Ledger
from custody.ledger.reading import exceptions, keeping, records, stock
from custody.rules import clocks, days

SHOWN = 8  # exceptions on the first page
WAITING = ("sealed",)
DUPLICATE = "duplicate"


def of(ledger: Ledger) -> Value:
    """Return what the first page shows; times are UTC ms.

    `{"now", "day", "due", "overdue", "soon", "exceptions", "open_exceptions", "awaiting",
    "duplicates", "devices", "waiting"}`: `due` holds deadlines that are `due` or `soon` (of
    items, and of counts by `place` and `kind`), the earliest first; `waiting` the devices that
    have not reported since the gaming day began, so that the day is provisional.
    """
    now = ledger.clock()
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        day = clocks.gaming_day(book, now)
        pressing = deadlines(connection, facts, book, now)
        pressing += keeping.due(connection, facts, now)
        known = _devices(connection, days.start(book, day))
        return {
            "now": now,
            "day": day,
            "due": pressing,
            "overdue": sum(one["status"] == "due" for one in pressing),
            "soon": sum(one["status"] == "soon" for one in pressing),
            "exceptions": exceptions.newest(connection, limit=SHOWN),
            "open_exceptions": exceptions.count_open(connection),
            "awaiting": stock.kind_in(connection, "envelope", list(WAITING)),
            "duplicates": _duplicates(connection),
            "devices": known,
            "waiting": [one for one in known if one["silent"]],
        }


def deadlines(connection: Connection, facts: Cache, book: Value, now: int) -> list[Value]:
    """Return the deadlines of items and counts that are `due` or `soon`, the earliest first."""
    codes = _with_clocks(connection, book)
    facts.fetch(("item", code) for code in codes)
    found = clocks.due(book, facts, codes, now)
    for kind in sorted({kind for rule in book["counts"] for kind in rule["kinds"]}):
        found += clocks.due_counts(book, facts, kind, None, now)
    pressing = [one for one in found if one["status"] != "running"]
    return sorted(pressing, key=lambda one: (one["at"], str(one["item"]), one["clause"]))


def _with_clocks(connection: Connection, book: Value) -> list[str]:
    """The items for which a clock of the rulebook can run.

    In most houses few of those that lie in the stores.
    """
    states = [clock.get("when", {}).get("state") for clock in book["clocks"]]
    table = tables.record.c
    query = select(table.id).where(table.of == "item", table.live)
    if all(states):
        named = {one for state in states for one in ([state] if isinstance(state, str) else state)}
        query = query.where(table.state.in_(sorted(named)))
    return list(connection.scalars(query.order_by(table.id)))


def _duplicates(connection: Connection) -> list[Value]:
    """The duplicates of two-part reports that are still in custody.

    On their way to security (MD-02.13-K.3).
    """
    forms = stock.kind_in(connection, "form", None)
    return [
        one
        for one in forms
        if one.get("form") == DUPLICATE and one.get("state") not in ("at_security", "destroyed")
    ]


def devices(ledger: Ledger) -> list[Value]:
    """Return every handheld: `{"id", "name", "state", "seen", "silent", "events"}`, the longest
    silent first.

    `seen` is its last contact (UTC ms, to ten minutes) or None; `silent` an active one that has
    not been in touch since the gaming day began; `events` how many of its events the log holds.
    """
    with ledger.database.reading() as connection:
        book = judging.book_of(Cache(connection))
        return _devices(connection, days.start(book, clocks.gaming_day(book, ledger.clock())))


def _devices(connection: Connection, since: int) -> list[Value]:
    seen = ledger_devices.last_contacts(connection)
    event = tables.event.c
    counted = select(event.device, func.count().label("n")).group_by(event.device)
    events = {row.device: row.n for row in connection.execute(counted)}
    found = [
        {
            "id": id_,
            "name": value["name"],
            "state": value["state"],
            "seen": seen.get(id_),
            "silent": value["state"] == ledger_devices.ACTIVE and seen.get(id_, 0) < since,
            "events": events.get(id_, 0),
        }
        for id_, value in records.all_of(connection, "device").items()
        if id_ != DESK
    ]
    return sorted(found, key=lambda one: (one["seen"] or 0, one["id"]))
