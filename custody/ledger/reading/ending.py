"""The end of items: what awaits destruction, what is held back from it, and the log of what is gone
(NY-5322.13-k.4 asks for that log on demand).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, func, literal, select

from custody.ledger import judging, rows, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.reading import entries, records, totalled
from custody.ledger.reading.keyset import Column, Cut, Part, select_part
from custody.rules import clocks

AWAITING = ("collected", "at_security", "to_destroy")
HELD = ("held", "with_commission")
TERM = "destroyed"


class Asked(NamedTuple):
    """Which part of the log: gaming days from and to, both included, and a kind; "" for any."""

    first: str = ""
    last: str = ""
    kind: str = ""


def awaiting(ledger: Ledger) -> list[Value]:
    """Return the items that are on their way to destruction, the earliest deadline first.

    `[{"item": value, "due": deadline or None}, ...]`; without those that a vendor has.
    """
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book, now = judging.book_of(facts), ledger.clock()
        found = [one for one in _in_states(connection, AWAITING) if not one.get("vendor")]
        due = _deadlines(book, facts, [one["code"] for one in found], now)
    told = [{"item": one, "due": due.get(one["code"])} for one in found]
    return sorted(told, key=urgency)


def urgency(row: Value) -> tuple[int, int, str]:
    """What the items that await destruction are sorted by: the earliest deadline first."""
    due = row["due"]
    return int(due is None), due["at"] if due else 0, row["item"]["code"]


def _deadlines(book: Value, facts: Cache, codes: list[str], now: int) -> dict[str, Value]:
    """The next deadline of each item that only its end, or its examination before it, meets."""
    facts.fetch(("item", code) for code in codes)
    found: dict[str, Value] = {}
    for one in clocks.due(book, facts, codes, now):
        found.setdefault(one["item"], one)
    return found


def held(ledger: Ledger) -> list[Value]:
    """Return the items that are kept intact: `hold` says for whom, where they are with the
    commission it has them.
    """
    with ledger.database.reading() as connection:
        return _in_states(connection, HELD)


def at_vendor(ledger: Ledger) -> list[Value]:
    """Return what vendors took and have not certified, by vendor and time: `[{"vendor", "at", "by",
    "items": [code, ...]}, ...]`.
    """
    with ledger.database.reading() as connection:
        gone = [one for one in _in_states(connection, ("collected",)) if one.get("vendor")]
    batches: dict[tuple[int, str], Value] = {}
    for one in gone:
        sent = one["vendor"]
        batch = batches.setdefault(
            (sent["at"], sent["name"]),
            {"vendor": sent["name"], "at": sent["at"], "by": sent["by"], "items": []},
        )
        batch["items"].append(one["code"])
    return [batches[key] for key in sorted(batches)]


def _in_states(connection: Connection, states: tuple[str, ...]) -> list[Value]:
    table = tables.record.c
    query = select(table.value).where(
        table.of == "item", table.state.in_(states), table.kind != "envelope"
    )
    found = connection.scalars(query.where(table.value.is_not(None)).order_by(table.id))
    return [records.parsed(value) for value in found]


def part(ledger: Ledger, asked: Asked, cut: Cut) -> Part:
    """Return a part of the destruction log, as `log` has it."""
    table = tables.posting.c
    place = func.coalesce(table.place, "")
    columns: list[Column] = [(table.position, True), (table.kind, False), (place, False)]
    same = select(table.position, table.kind, place.label("place")).where(*_meant(asked)).distinct()
    with ledger.database.reading() as connection:
        found = select_part(connection, same, columns, cut)
        keys = [(row["position"], row["kind"], row["place"]) for row in found.rows]
        only = table.position.in_({position for position, _, _ in keys})
        lines = {_key(line): line for line in _lines(connection, asked, only)}
    return found._replace(rows=[lines[key] for key in keys])


def log(ledger: Ledger, asked: Asked) -> list[Value]:
    """Return the destruction log, the newest first: `[{"entry", "day", "at", "place", "kind",
    "units", "items"}, ...]`.

    One line for each event, kind and place; `items` are the codes that came to their end by it. A
    correction shows as a line with negative units: the log itself is never changed.
    """
    with ledger.database.reading() as connection:
        return _lines(connection, asked)


def _lines(connection: Connection, asked: Asked, *only: Any) -> list[Value]:
    table = tables.posting.c
    query = select(table.position, table.day, table.at, table.place, table.kind, table.value)
    query = query.where(*_meant(asked), *only)
    order = (table.position.desc(), table.kind, func.coalesce(table.place, ""), table.line)
    lines = _joined(connection.execute(query.order_by(*order)).mappings())
    known = entries.at_positions(connection, {one["position"] for one in lines})
    by_position = {one["position"]: one for one in known}
    items = _items(connection, by_position)
    return [
        {**one, "entry": by_position[one["position"]], "items": items[one["position"]]}
        for one in lines
    ]


def _key(line: Value) -> tuple[int, str, str]:
    return line["position"], line["kind"], line["place"] or ""


def count(ledger: Ledger, asked: Asked) -> int:
    """Return how many lines the log has."""
    table = tables.posting.c
    same = select(table.position, table.kind, table.place).where(*_meant(asked)).distinct()
    with ledger.database.reading() as connection:
        return int(connection.scalar(select(func.count()).select_from(same.subquery())) or 0)


def _meant(asked: Asked) -> list[Any]:
    table = tables.posting.c
    found: list[Any] = [table.term == literal(TERM, literal_execute=True)]  # as its index has it
    found += [table.day >= asked.first] if asked.first else []
    found += [table.day <= asked.last] if asked.last else []
    return found + ([table.kind == asked.kind] if asked.kind else [])


def _joined(lines: Any) -> list[Value]:
    """Add up the postings of one event, kind and place."""
    found: dict[tuple[int, str, str], Value] = {}
    for row in lines:
        key = _key(dict(row))
        one = found.setdefault(key, {**row, "units": {}})
        one.pop("value", None)
        for unit, number in records.parsed(row["value"]).items():
            one["units"][unit] = one["units"].get(unit, 0) + number
    return list(found.values())


def _items(connection: Connection, known: dict[int, Value]) -> dict[int, list[str]]:
    """The codes in whose histories an event stands, without the envelopes that held them."""
    link, record = tables.event_item.c, tables.record.c
    found: dict[int, list[str]] = {position: [] for position in known}
    query = (
        select(link.position, link.code)
        .outerjoin(tables.record, (record.of == "item") & (record.id == link.code))
        .where(record.kind.is_distinct_from("envelope"))
    )
    for some in rows.chunks(sorted(known)):
        chosen = query.where(link.position.in_(some)).order_by(link.position, link.code)
        for position, code in connection.execute(chosen):
            found[position].append(code)
    return found


def kinds(ledger: Ledger) -> list[str]:
    """Return the kinds of which anything has come to its end."""
    with ledger.database.reading() as connection:
        return totalled.kinds(connection, TERM)
