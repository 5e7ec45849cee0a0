"""Today: deadlines, open exceptions, envelopes and duplicates that wait.

Devices that have not reported.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from custody.ledger import devices as ledger_devices
from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import DESK, Ledger
from custody.ledger.reading import deadlines, exceptions, keeping, records, stock
from custody.ledger.upstream import joining
from custody.ledger.upstream.names import signed_as
from custody.rules import clocks, days
from custody.rules.collecting import ENVELOPE, WAITING, goes_to_security

SHOWN = 8  # exceptions on the first page
DUE, AWAITING = 25, 12  # deadlines and envelopes on the first page; the rest is a list of its own
ON_ITS_WAY = '"way":[['  # in the value of a part of a form that goes on; filed ones are not read


def of(ledger: Ledger) -> Value:
    """Return what the first page shows; times are UTC ms.

    `{"now", "day", "due", "overdue", "soon", "exceptions", "open_exceptions", "awaiting",
    "awaited", "duplicates", "devices", "waiting"}`: `due` holds the first deadlines that are `due`
    or `soon` (of items, and of counts by `place` and `kind`), the earliest first, `overdue` and
    `soon` how many there are; `awaiting` the first envelopes of `awaited`; `waiting` the devices
    that have not reported since the gaming day began, so that the day is provisional.
    """
    now = ledger.clock()
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        day = clocks.gaming_day(book, now)
        pressing = _pressing(ledger, connection, facts, book, now)
        known = _devices(connection, days.start(book, day))
        return {
            "now": now,
            "day": day,
            "due": pressing[:DUE],
            "overdue": sum(one["status"] == "due" for one in pressing),
            "soon": sum(one["status"] == "soon" for one in pressing),
            "exceptions": exceptions.newest(connection, SHOWN),
            "open_exceptions": exceptions.count_open(connection),
            "awaiting": stock.kind_in(connection, ENVELOPE, [WAITING], AWAITING),
            "awaited": stock.count_kind(connection, ENVELOPE).get(WAITING, 0),
            "duplicates": _duplicates(connection),
            "devices": known,
            "waiting": [one for one in known if one["silent"]],
        }


def due(ledger: Ledger) -> Value:
    """Return `{"now", "due"}`: every deadline that is `due` or `soon`, the earliest first."""
    now = ledger.clock()
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        return {
            "now": now,
            "due": _pressing(ledger, connection, facts, judging.book_of(facts), now),
        }


def _pressing(
    ledger: Ledger, connection: Connection, facts: Cache, book: Value, now: int
) -> list[Value]:
    """Return the deadlines of items and counts that are `due` or `soon`, the earliest first."""
    found = deadlines.pressing(ledger, connection, book, now)
    for kind in sorted({kind for rule in book["counts"] for kind in rule["kinds"]}):
        counts = clocks.due_counts(book, facts, kind, None, now)
        found += [one for one in counts if one["status"] != "running"]
    found += keeping.due(connection, facts, now)
    return sorted(found, key=urgency)


def urgency(one: Value) -> tuple[int, str, str, str]:
    """What deadlines are sorted by: the earliest first."""
    about = str(one.get("place") or one.get("record") or "") + str(one.get("kind") or "")
    return one["at"], str(one["item"]), one["clause"], about


def _duplicates(connection: Connection) -> list[Value]:
    """The parts of forms that go to security next: duplicates of reports, copies of a batch's form
    (MD-02.13-K.3, MD-02.16-R.14).
    """
    table = tables.record.c
    query = select(table.value).where(table.of == "item", table.kind == "form", table.live)
    query = query.where(table.value.contains(ON_ITS_WAY, autoescape=True)).order_by(table.id)
    forms = [records.parsed(value) for value in connection.scalars(query)]
    return [one for one in forms if goes_to_security(one)]


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
    is_node = joining.read(connection) is not None
    head = tables.head.c
    size = func.sum(head.seq - head.first + 1).label("n")
    counted = select(head.device, size).group_by(head.device)
    events = {row.device: int(row.n) for row in connection.execute(counted)}
    found = [
        {
            "id": id_,
            "name": value["name"],
            "state": value["state"],
            "seen": seen.get(id_),
            "silent": _is_silent(id_, value, seen.get(id_), since, is_node=is_node),
            "events": events.get(id_, 0),
        }
        for id_, value in records.all_of(connection, "device").items()
        if signed_as(id_) != DESK
    ]
    return sorted(found, key=lambda one: (one["seen"] or 0, one["id"]))


def _is_silent(id_: str, value: Value, seen: int | None, since: int, *, is_node: bool) -> bool:
    """Say whether an active device should have been heard and was not.

    A site node is told of the handhelds of others, and does not hear them.
    """
    if value["state"] != ledger_devices.ACTIVE or (is_node and seen is None):
        return False
    return (seen or 0) < since
