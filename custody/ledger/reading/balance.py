"""What the books have at a place at an instant, by what is known now.

A count is an observation at a time. What a handheld sends later still happened when it happened, so
the balance at that time is made again whenever it is asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import or_, select

from custody.ledger import tables
from custody.ledger.cache import Cache, Value
from custody.ledger.reading import entries, records
from custody.rules import codes, counts, lots, refold, serials, there


class Where(NamedTuple):
    """A kind at a place."""

    kind: str
    place: str


class Move(NamedTuple):
    """An event that changed the stock there: when, and by how much for each code or lot."""

    position: int
    at: int
    changes: dict[str, int]


def now(facts: Cache, book: Value, where: Where) -> dict[str, int]:
    """Return the balance as the books have it: 1 for an item, of a lot or case what is there."""
    codes = facts.at(where.place)
    facts.fetch(("item", code) for code in codes)
    found: dict[str, int] = {}
    for code in codes:
        value = facts.get("item", code)
        if value is not None and there.counted(book, value, *where):
            group = there.group(value)
            found[group] = found.get(group, 0) + lots.size(value)
    return found


def before(balance: dict[str, int], moves: list[Move], at: int) -> dict[str, int]:
    """Return the balance as it stood at an instant, from the one now and the moves since."""
    found = dict(balance)
    for move in moves:
        if move.at > at:
            for code, change in move.changes.items():
                found[code] = found.get(code, 0) - change
    return {code: number for code, number in found.items() if number}


def moves(facts: Cache, book: Value, where: Where, since: int, position: int) -> list[Move]:
    """Return what changed the stock there after an instant, and what was told after a log position
    whenever it happened, in the order in which it happened.
    """
    table = tables.posting.c
    query = (
        select(table.position, table.at)
        .where(table.kind == where.kind, table.place == where.place)
        .where(or_(table.at > since, table.position > position))
        .where(table.term.in_(counts.stock_terms(book)))
        .distinct()
    )
    happened = {row.position: row.at for row in facts.connection.execute(query)}
    found = []
    for entry in entries.at_positions(facts.connection, happened):
        changes = _changes(facts, book, entry, where)
        found.append(Move(entry["position"], happened[entry["position"]], changes))
    return sorted(found, key=lambda move: (move.at, move.position))


def _changes(facts: Cache, book: Value, entry: Value, where: Where) -> dict[str, int]:
    changes: dict[str, int] = {}
    for code in facts.claims(entry["id"]):
        group, change = _change(facts, book, entry["id"], code, where)
        if change:
            changes[group] = changes.get(group, 0) + change
    return changes


def _change(facts: Cache, book: Value, id_: str, code: str, where: Where) -> tuple[str, int]:
    """What an event changed of one item or range: its number there after it, less that before."""
    holding = _lot(facts, code)
    if holding is not None:
        return holding, _serials(facts, id_, code, where)
    parent = facts.parent(code, id_)
    old = refold.state(book, facts, code, parent) if parent else None
    new = refold.state(book, facts, code, id_)
    return code, _there(book, new, where) - _there(book, old, where)


def _there(book: Value, value: Value | None, where: Where) -> int:
    return 1 if there.counted(book, value, *where) else 0


def _lot(facts: Cache, code: str) -> str | None:
    """The lot of a range of serials, whatever has become of the range since."""
    if facts.get("item", code) is not None and not lots.is_range(facts.get("item", code)):
        return None
    try:
        found = lots.holders(facts, serials.read(code))
    except codes.CodeRangeError:
        return None
    return found[0][2] if found else None


def _serials(facts: Cache, id_: str, code: str, where: Where) -> int:
    """A range that was cut since has no value of its own: the event's postings tell which way its
    serials went, and its code how many they are.
    """
    table, position = tables.posting.c, facts.positions.of(id_)
    query = (
        select(table.value)
        .where(table.position == position, table.kind == where.kind, table.place == where.place)
        .where(table.term.not_in(counts.FLOWS), table.term != "variance")
    )
    units = [records.parsed(value) for value in facts.connection.scalars(query)]
    total = sum(next(iter(one.values()), 0) for one in units)
    return ((total > 0) - (total < 0)) * serials.size(serials.read(code))
