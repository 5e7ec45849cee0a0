"""Exceptions: facts in the log that break a rule or contradict another, open until an event
closes them.

Each is `{"id", "kind", "clause", "position", "device", "run", "branch", "seq", "received",
"items", "values", "resolved"}`; `resolved` is the position of the event that closed it, or None.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from custody.ledger import identities, judging, rows, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown
from custody.ledger.reading import entries, records
from custody.ledger.reading.keyset import Column, Cut, Part, select_part
from custody.ledger.upstream import joining
from custody.ledger.upstream.names import NODE
from custody.rules import exception_kinds, lots

OPEN, RESOLVED, ALL = "open", "resolved", "all"
PAGE = 200
# Kinds of one subject, which are looked at together.
OF_SEALS = (
    exception_kinds.SEAL_BROKEN,
    exception_kinds.SEAL_DIFFERENT,
    exception_kinds.SEAL_REUSED,
    exception_kinds.GAP,
)
OF_PEOPLE = (
    exception_kinds.UNKNOWN_PERSON,
    exception_kinds.REVOKED_PERSON,
    exception_kinds.LEASE_EXPIRED,
)
OF_DEVICES = (
    exception_kinds.PENDING_DEVICE,
    exception_kinds.REVOKED_DEVICE,
    exception_kinds.FORK,
    exception_kinds.CLOCK,
    exception_kinds.UNREADABLE,
)


def listed(
    ledger: Ledger,
    state: str = OPEN,
    kind: str | None = None,
    device: str | None = None,
    limit: int = PAGE,
) -> list[Value]:
    """Return exceptions in a state (`open`, `resolved` or `all`), of a kind, of a device.

    The newest first; those of one event by kind, in the vocabulary's order, and by code.
    """
    return list(part(ledger, state, kind, device, Cut(limit)).rows)


def part(ledger: Ledger, state: str, kind: str | None, device: str | None, cut: Cut) -> Part:
    """Return a part of the list that `listed` begins."""
    with ledger.database.reading() as connection:
        return _part(connection, _meant(state, kind, device), cut)


def newest(connection: Connection, limit: int) -> list[Value]:
    """Return the newest open exceptions."""
    return list(_part(connection, _meant(OPEN, None, None), Cut(limit)).rows)


def kinds(connection: Connection) -> list[str]:
    """Return the kinds of exceptions in the vocabulary's order."""
    return list(judging.book_of(Cache(connection))["words"]["exceptions"]["words"])


def _part(connection: Connection, conditions: list[ColumnElement[bool]], cut: Cut) -> Part:
    query = _query().where(*conditions)
    found = select_part(connection, query, _order(kinds(connection)), cut)
    return found._replace(rows=_complete(connection, found.rows))


def _order(known: list[str]) -> list[Column]:
    table, item = tables.exception.c, tables.exception_item.c
    rank = case({kind: n for n, kind in enumerate(known)}, value=table.kind, else_=len(known))
    first = select(func.min(item.code)).where(item.exception == table.id).scalar_subquery()
    return [(table.position, True), (rank, False), (func.coalesce(first, ""), False),
            (table.id, False)]  # fmt: skip


def count(
    ledger: Ledger, state: str = OPEN, kind: str | None = None, device: str | None = None
) -> int:
    """Return how many exceptions are in a state, of a kind, of a device."""
    with ledger.database.reading() as connection:
        return _count(connection, state, kind, device)


def open_by_kind(ledger: Ledger) -> dict[str, int]:
    """Return how many exceptions are open of each kind that has any."""
    table = tables.exception.c
    query = select(table.kind, func.count().label("n")).where(table.resolved.is_(None))
    with ledger.database.reading() as connection:
        found = connection.execute(query.group_by(table.kind).order_by(table.kind))
        return {row.kind: row.n for row in found}


def count_open(connection: Connection) -> int:
    """Return how many exceptions are open."""
    return _count(connection, OPEN, None, None)


def since(connection: Connection, some: Iterable[str], position: int, cut: Cut) -> tuple[Part, int]:
    """Return a part of the exceptions of some kinds that events from a log position on raised, the
    newest first, and how many there are.
    """
    table = tables.exception.c
    meant = [table.kind.in_(list(some)), table.position >= position]
    number = connection.scalar(select(func.count()).select_from(tables.exception).where(*meant))
    return _part(connection, meant, cut), int(number or 0)


def _count(connection: Connection, state: str, kind: str | None, device: str | None) -> int:
    query = select(func.count()).select_from(tables.exception).where(*_meant(state, kind, device))
    return int(connection.scalar(query) or 0)


def _meant(state: str, kind: str | None, device: str | None) -> list[ColumnElement[bool]]:
    table = tables.exception.c
    asked = ((table.kind, kind), (table.device, device))
    found: list[ColumnElement[bool]] = [column == value for column, value in asked if value]
    if state == ALL:
        return found
    return [*found, table.resolved.is_(None) if state == OPEN else table.resolved.is_not(None)]


def about(connection: Connection, codes: Iterable[str]) -> list[Value]:
    """Return the exceptions that name any of the codes, in the order of the log."""
    item, table = tables.exception_item.c, tables.exception.c
    ids: set[str] = set()
    for some in rows.chunks(sorted(set(codes))):
        named = select(item.exception).where(item.code.in_(some)).distinct()
        ids.update(connection.scalars(named))
    found = []
    for some in rows.chunks(sorted(ids)):
        found += _read(connection, _query().where(table.id.in_(some)))
    return sorted(found, key=lambda one: (one["position"], one["id"]))


def raised_at(connection: Connection, position: int) -> list[Value]:
    """Return the exceptions that the event at a position raised, by kind and code."""
    meant = tables.exception.c.position == position
    known = [column for column, _ in _order(kinds(connection))]
    return _read(connection, _query().where(meant).order_by(*known))


def one(ledger: Ledger, id_: str) -> Value:
    """Return an exception with `entries` (behind it, in the order of the log), `resolution` (an
    entry or None), `beside` (the other exceptions about its items), `is_settled` (whether it is a
    claim none of whose items is disputed any more), and `elsewhere`: the sides of a claim whose
    events a site node does not hold, each `{"id": event, "value": the item's value there}`.

    Raises NotKnown.
    """
    with ledger.database.reading() as connection:
        found = _read(connection, _query().where(tables.exception.c.id == id_))
        if not found:
            raise NotKnown(f"there is no exception {id_!r}")
        exception = found[0]
        behind = entries.at_positions(connection, _behind(connection, exception))
        exception["entries"] = [entry for entry in behind if entry["device"] != NODE]
        exception["elsewhere"] = _elsewhere(connection, exception)
        beside = about(connection, exception["items"])
        exception["beside"] = [one_ for one_ in beside if one_["id"] != id_]
        exception["is_settled"] = _is_settled(connection, exception)
        closing = exception["resolved"]
        closed = [] if closing is None else entries.at_positions(connection, [closing])
        exception["resolution"] = closed[0] if closed else None
        return exception


def _is_settled(connection: Connection, exception: Value) -> bool:
    """Say whether somebody said of all items of a claim which record stands, by closing another
    claim about them.
    """
    if exception["kind"] != exception_kinds.CLAIM or exception["elsewhere"]:
        return False
    work = Cache(connection)
    codes = {part for code in exception["items"] for part in _parts(work, code)}
    return not any(len(work.tips(code)) > 1 for code in codes)


def _parts(work: Cache, code: str) -> list[str]:
    """Return the items that a code stands for now: the parts of a range that was cut since."""
    return [code] if work.tips(code) else lots.find(work, code)


def _behind(connection: Connection, exception: Value) -> set[int]:
    """The event that raised it and, where two contradict.

    Those that stand beside it on its items.
    """
    found = {exception["position"]}
    tips = exception["values"].get("tips", {})
    others = {id_ for ids in tips.values() for id_ in ids}
    others |= {id_ for id_, _ in _sides_at_node(connection, exception)}
    return found | identities.all_of(connection, others)


def _sides_at_node(connection: Connection, exception: Value) -> list[tuple[str, Value | None]]:
    """Return the ends of the history of the first item of an open claim, each with its value, at a
    site node: what it holds of a claim is not all that met upstream.
    """
    is_open_claim = exception["kind"] == exception_kinds.CLAIM and exception["resolved"] is None
    if not is_open_claim or joining.read(connection) is None:
        return []
    work = Cache(connection)
    return [(id_, value) for code in exception["items"][:1] for id_, value in work.tips(code)]


def _elsewhere(connection: Connection, exception: Value) -> list[Value]:
    held = {entry["id"] for entry in exception["entries"]}
    sides = _sides_at_node(connection, exception)
    return [{"id": id_, "value": value or {}} for id_, value in sides if id_ not in held]


def _query() -> Select[tuple[object, ...]]:
    table, event = tables.exception, tables.event
    return select(table, event.c.received).join(event, event.c.position == table.c.position)


def _read(connection: Connection, query: Select[tuple[object, ...]]) -> list[Value]:
    return _complete(connection, [dict(row) for row in connection.execute(query).mappings()])


def _complete(connection: Connection, found: list[Value]) -> list[Value]:
    """Put the items and the values of exceptions with them."""
    codes: dict[str, list[str]] = {}
    item = tables.exception_item.c
    for some in rows.chunks(one_["id"] for one_ in found):
        named = (
            select(item.exception, item.code).where(item.exception.in_(some)).order_by(item.code)
        )
        for exception, code in connection.execute(named):
            codes.setdefault(exception, []).append(code)
    for row in found:
        told = records.parsed(row.pop("value"))
        row.update(items=codes.get(row["id"], []), values=told.get("values", {}))
    return found


def at_position(ledger: Ledger, position: int) -> list[Value]:
    """Return the exceptions that the event at a position raised."""
    with ledger.database.reading() as connection:
        return raised_at(connection, position)
