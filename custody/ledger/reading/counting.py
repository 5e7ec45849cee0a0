"""Physical counts: when the next is due, and what each found against the books of its moment."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, Select, func, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown
from custody.ledger.reading import asof, balance, entries, exceptions, tallying
from custody.ledger.reading.balance import Where
from custody.ledger.reading.keyset import Cut, Part, select_part
from custody.rules import clocks, days, there

COUNT = "count"
REPORTS = ("count", "coupons")
SHOWN = 50


def due(ledger: Ledger) -> list[Value]:
    """Return every deadline of a count, the earliest first.

    `[{"clause", "place", "kind", "start", "at", "status": "due"|"soon"|"running"}, ...]`, UTC ms.
    """
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book, now = judging.book_of(facts), ledger.clock()
        kinds = sorted({kind for rule in book["counts"] for kind in rule["kinds"]})
        found = [one for kind in kinds for one in clocks.due_counts(book, facts, kind, None, now)]
    return sorted(found, key=lambda one: (one["at"], one["place"], one["kind"]))


def part(ledger: Ledger, kind: str | None, cut: Cut) -> Part:
    """Return a part of the entries of counts, of one kind or of all, the newest first.

    `double` of an entry is the count of another counter whose place it takes (`rules.recount`), or
    None; `gone` says that it was corrected and counts for nothing.
    """
    table = tables.site_event.c
    with ledger.database.reading() as connection:
        found = select_part(connection, _counts(kind), [(table.position, True)], cut)
        return found._replace(rows=_told(connection, [row["position"] for row in found.rows]))


def count(ledger: Ledger, kind: str | None = None) -> int:
    """Return how many counts were made, of one kind or of all."""
    with ledger.database.reading() as connection:
        query = select(func.count()).select_from(_counts(kind).subquery())
        return int(connection.scalar(query) or 0)


def made(ledger: Ledger, kind: str, year: int) -> list[Value]:
    """Return the entries of the counts of a kind on the gaming days of a year, the newest first."""
    with ledger.database.reading() as connection:
        book = judging.book_of(Cache(connection))
        first = asof.first_from(connection, days.start(book, f"{year:04d}-01-01"))
        query = _counts(kind).where(tables.site_event.c.position >= first)
        found = _told(connection, connection.scalars(query))
    return [one for one in found if (one["event"].get("day") or "")[:4] == f"{year:04d}"]


def _told(connection: Connection, positions: Iterable[int]) -> list[Value]:
    facts = Cache(connection)
    found = entries.at_positions(connection, positions)[::-1]
    return [{**entry, **_counted(facts, entry)} for entry in found]


def _counted(facts: Cache, entry: Value) -> Value:
    known = facts.get("task", f"counted:{entry['id']}") or {}
    return {"double": known.get("double"), "gone": known.get("gone", False)}


def _counts(kind: str | None, place: str | None = None) -> Select[tuple[int]]:
    table = tables.site_event.c
    query = select(table.position).where(table.step == COUNT)
    query = query if kind is None else query.where(table.kind == kind)
    return query if place is None else query.where(table.place == place)


def one(ledger: Ledger, position: int) -> Value:
    """Return what a count found: `{"entry", "kind", "place", "opened", "at", "expected", "found",
    "lines", "raised", "acts", "later"}`.

    `lines` are those that differ, or differed when the count arrived (`tallying.line`); `acts` the
    reports and adjustments that name the count or its lines; `later` the next count of the same
    place and kind, as an entry, or None. Raises NotKnown for an event that is no count.
    """
    with ledger.database.reading() as connection:
        found = entries.at_positions(connection, [position])
        if not found or (found[0]["event"] or {}).get("step") != COUNT:
            raise NotKnown(f"event {position} is no count")
        return _compared(connection, found[0])


def _compared(connection: Connection, entry: Value) -> Value:
    facts, event = Cache(connection), entry["event"]
    book, where = judging.book_of(facts), Where(event["kind"], event["where"])
    at = there.effective(event)
    opened = min(event["with"].get("opened") or at, at)
    moves = balance.moves(facts, book, where, opened, entry["position"])
    now = balance.now(facts, book, where)
    books: Value = {
        "since": opened,
        "opened": balance.before(now, moves, opened),
        "closed": balance.before(now, moves, at),
        "moves": [move for move in moves if move.at <= at],
    }
    raised = exceptions.raised_at(connection, entry["position"])
    counted = tallying.counted(facts, event)
    named = {*books["opened"], *books["closed"], *counted["codes"]}
    named |= {code for move in books["moves"] for code in move.changes}
    books["designs"] = tallying.designs(facts, named)
    lines = _lines(connection, books, counted, raised)
    return {
        "entry": entry,
        **where._asdict(),
        "opened": opened,
        "at": at,
        "now": _standing(now, books, counted),
        "expected": sum(books["closed"].values()),
        "found": sum(counted["codes"].values()) + sum(counted["designs"].values()),
        "lines": lines,
        "raised": raised,
        "acts": _acts(connection, entry, lines),
        "later": _later(connection, entry),
    }


def _standing(now: dict[str, int], books: Value, counted: Value) -> dict[str, int]:
    """What was counted, brought to now by what has moved since: what a recount of some lines leaves
    as it is.
    """
    codes = {*counted["codes"], *now, *books["closed"]}
    found = {
        code: counted["codes"].get(code, 0) + now.get(code, 0) - books["closed"].get(code, 0)
        for code in sorted(codes)
    }
    return {code: number for code, number in found.items() if number > 0}


def _lines(
    connection: Connection, books: Value, counted: Value, raised: list[Value]
) -> list[Value]:
    lines = tallying.lines(books, counted, raised)
    positions = {move.position for line in lines for move in line["moves"]}
    known = {one["position"]: one for one in entries.at_positions(connection, positions)}
    for line in lines:
        line["moves"] = [
            {**move._asdict(), "entry": known[move.position]} for move in line["moves"]
        ]
    return lines


def _acts(connection: Connection, entry: Value, lines: list[Value]) -> list[Value]:
    """The adjustments and reports that refer to a count, so that who made each stays in sight."""
    item, site = tables.event_item.c, tables.site_event.c
    codes = [line["code"] for line in lines]
    after = select(item.position).where(item.position > entry["position"], item.code.in_(codes))
    loose = select(site.position).where(site.position > entry["position"], site.step == "report")
    positions = {*connection.scalars(after), *connection.scalars(loose.limit(SHOWN))}
    found = entries.at_positions(connection, positions)
    return [one for one in found if one["event"] and _refers(one["event"], entry["id"])]


def _refers(event: Value, count: str) -> bool:
    given = event.get("with") or {}
    if event["step"] == "adjust":
        return given.get("count") in (None, count)
    return event["step"] == "report" and given.get("form") in REPORTS


def _later(connection: Connection, entry: Value) -> Value | None:
    event, position = entry["event"], tables.site_event.c.position
    query = _counts(event["kind"], event["where"]).where(position > entry["position"])
    found = entries.at_positions(connection, connection.scalars(query.order_by(position).limit(1)))
    return found[0] if found else None
