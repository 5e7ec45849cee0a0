"""Lots of serials: coupons and numbered seals, with the ranges into which their lives cut them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from custody.ledger import judging, rows, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown
from custody.ledger.reading import stock
from custody.rules import clocks, coupons, lots, numbered, serials


def every(ledger: Ledger, kind: str) -> list[Value]:
    """Return the lots of a kind, by code: `[{"lot": value, "ranges": [value, ...], "states":
    {"stored": 300, ...}}, ...]`; coupons past their last gaming day count as `expired`.
    """
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        day = clocks.gaming_day(judging.book_of(facts), ledger.clock())
        return _every(connection, kind, day)


def _every(connection: Connection, kind: str, day: str) -> list[Value]:
    items = stock.kind_in(connection, kind)
    found: dict[str, Value] = {
        one["code"]: {"lot": one, "ranges": []} for one in items if lots.is_lot(one)
    }
    for one in items:
        if lots.is_range(one) and one["lot"] in found:
            found[one["lot"]]["ranges"].append({**one, "state": coupons.shown(one, day)})
    for lot in found.values():
        lot["ranges"].sort(key=lambda one: one["span"][0])
        lot["states"] = _states(lot["ranges"])
    return list(found.values())


def by_number(ledger: Ledger) -> set[str]:
    """Return the codes of the lots whose serials are named with their lot: `SL-RED/000123`."""
    table = tables.record.c
    query = select(table.id).where(table.of == "item", table.kind.in_(sorted(lots.BY_NUMBER)))
    inside = table.id.contains(serials.INSIDE, autoescape=True)
    with ledger.database.reading() as connection:
        return set(connection.scalars(query.where(~inside)))


def _states(ranges: list[Value]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in ranges:
        found[one["state"]] = found.get(one["state"], 0) + one["pieces"]
    return found


def one(ledger: Ledger, kinds: Iterable[str], code: str) -> Value:
    """Return one lot of these kinds as `every` does. Raises NotKnown."""
    found = [lot for kind in kinds for lot in every(ledger, kind) if lot["lot"]["code"] == code]
    if not found:
        raise NotKnown(f"there is no lot {code!r} of {', '.join(kinds)}")
    return found[0]


def positions(connection: Connection, lot: Value) -> list[int]:
    """Return the log positions of the events in the life of a lot, or of any range of it."""
    codes = {code for one in lot["ranges"] for code in [*one["trail"], one["code"]]}
    table, found = tables.event_item.c, set()
    for some in rows.chunks(sorted({lot["lot"]["code"], *codes})):
        query = select(table.position).where(table.code.in_(some), table.apart.is_(False))
        found |= set(connection.scalars(query))
    return sorted(found)


def gaps(ledger: Ledger, codes: Iterable[str]) -> dict[str, list[str]]:
    """Return the seals of each lot that were passed over: issued, numbered below one that was
    used, and neither used, voided nor handed back (MD-02.16-R.10).
    """
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        return {code: list(numbered.gaps(facts, code)) for code in codes}
