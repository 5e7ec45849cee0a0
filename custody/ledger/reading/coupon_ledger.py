"""The coupon ledger: what came, was asked for, issued, given out, returned, voided, redeemed.

MD-03.11 keeps it by gaming day, in coupons and in value, with who signed and their licence.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.reading import entries, records, serial_lots, totalled
from custody.ledger.reading.keyset import Cut, Part, select_part
from custody.rules import counts

KIND = "coupons"
ASKED = "requisition"
FLOWS = (
    *("received", "issued", "distributed", "returned"),
    *("voided", "redeemed", "destroyed", "lost"),
)


def lines(ledger: Ledger, first: str, last: str) -> list[Value]:
    """Return the ledger's lines of some gaming days, the first one first: `[{"entry", "day", "at",
    "flows": {"issued": {"coupons": 200, "value": 200000}, ...}}, ...]`.
    """
    table = tables.posting.c
    with ledger.database.reading() as connection:
        query = _flows().where(table.day >= first, table.day <= last)
        return _lines(connection, query)


def part(ledger: Ledger, first: str, last: str, cut: Cut) -> Part:
    """Return a part of the ledger's lines of some gaming days, "" for any, the first one first."""
    table = tables.posting.c
    wanted = [table.day >= first] if first else []
    wanted += [table.day <= last] if last else []
    query = select(table.position).where(table.kind == KIND, table.term.in_(FLOWS), *wanted)
    with ledger.database.reading() as connection:
        found = select_part(connection, query.distinct(), [(table.position, False)], cut)
        positions = [row["position"] for row in found.rows]
        chosen = _flows().where(table.position.in_(positions), *wanted)
        return found._replace(rows=_lines(connection, chosen))


def of_lot(ledger: Ledger, lot: Value) -> list[Value]:
    """Return the lines of one lot, as `serial_lots.one` returns it, the first one first."""
    with ledger.database.reading() as connection:
        positions = serial_lots.positions(connection, lot)
        chosen = _lines(connection, _flows().where(tables.posting.c.position.in_(positions)))
        told = {one["entry"]["position"] for one in chosen}
        silent = entries.at_positions(connection, set(positions) - told)
    rest = [
        {"entry": one, "day": one["event"]["day"], "at": one["event"]["at"], "flows": {}}
        for one in silent
        if one["event"]
    ]
    return sorted(chosen + rest, key=lambda one: int(one["entry"]["position"]))


def _flows() -> Any:
    table = tables.posting.c
    query = select(table.position, table.day, table.at, table.term, table.value)
    return query.where(table.kind == KIND, table.term.in_(FLOWS))


def _lines(connection: Connection, query: Any) -> list[Value]:
    table = tables.posting.c
    found: dict[int, Value] = {}
    for row in connection.execute(query.order_by(table.position, table.line)):
        line = found.setdefault(row.position, {"day": row.day, "at": row.at, "flows": {}})
        flow = line["flows"].setdefault(row.term, {})
        for unit, number in records.parsed(row.value).items():
            flow[unit] = flow.get(unit, 0) + number
    known = {one["position"]: one for one in entries.at_positions(connection, found)}
    return [{**line, "entry": known[position]} for position, line in found.items()]


def requisitions(ledger: Ledger, first: str, last: str) -> list[Value]:
    """Return what was asked for some gaming days, once each, by day: `[{"event", "first", "last",
    "denomination", "quantity", "left", "at", "by"}, ...]`.
    """
    table, before = tables.record.c, f"{ASKED}:{KIND}:"
    query = select(table.value).where(table.of == "task", table.value.is_not(None))
    query = query.where(table.id >= f"{before}{first}", table.id <= f"{before}{last}")
    with ledger.database.reading() as connection:
        tasks = [records.parsed(value) for value in connection.scalars(query.order_by(table.id))]
    found = {need["event"]: need for task in tasks for need in task["needs"]}
    return sorted(found.values(), key=lambda need: (need["first"], need["at"]))


def day(ledger: Ledger, asked: str) -> Value:
    """Return a gaming day's equation in coupons and value: `{"terms", "unexplained"}`."""
    with ledger.database.reading() as connection:
        book = judging.book_of(Cache(connection))
        until = totalled.to_day(connection, asked)
        postings = totalled.summed(connection, until, KIND, day=asked)
    terms = counts.reconcile(book, postings, KIND, asked)
    return {"terms": terms, "unexplained": counts.unexplained(terms)}


def months(ledger: Ledger, year: int) -> list[Value]:
    """Return the flows of each month of a year, in coupons and value, months without any as well:
    `[{"month": "2026-04", "flows": {"redeemed": {"coupons": 2, "value": 2000}, ...}}, ...]`.
    """
    found: dict[str, Value] = {f"{year}-{month:02}": {} for month in range(1, 13)}
    with ledger.database.reading() as connection:
        for line in totalled.monthly(connection, KIND, FLOWS, f"{year}-01", f"{year}-12"):
            flow = found[line["month"]].setdefault(line["term"], {"coupons": 0, "value": 0})
            for unit, number in line["units"].items():
                flow[unit] += number
    return [{"month": month, "flows": flows} for month, flows in found.items()]
