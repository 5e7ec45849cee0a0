"""The deadlines of everything in custody, without asking the rules about each item each time.

What a clock says of an item changes with the item, with the master data, at a gaming day's end, and
when its deadline comes near. Between these, what the rules said is kept, in this process alone, for
the items that are in custody now.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, func, select

from custody.ledger import tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.rules import clocks, lots

MASTER = ("setting", "rulebook", "place", "person", "design")


class Said(NamedTuple):
    """What the rules said of an item that had `changed` at a position: good until `again`."""

    changed: int
    deadlines: list[Value]
    at: int
    again: float


class Kept:
    """What was said under one set of master data and in one gaming day."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.key: Any = None
        self.said: dict[str, Said] = {}


_kept: WeakKeyDictionary[Ledger, Kept] = WeakKeyDictionary()


def pressing(
    ledger: Ledger, connection: Connection, facts: Cache, book: Value, now: int
) -> list[Value]:
    """Return the deadlines of items that are `due` or `soon`, as `clocks.due` does, in any order.

    The book must be the one in force; `facts` are those of the connection.
    """
    kept = _kept.setdefault(ledger, Kept())
    with kept.lock:
        _open(kept, (clocks.gaming_day(book, now), _masters(connection)))
        here = _with_clocks(connection, book)
        kept.said = {code: kept.said[code] for code in here if code in kept.said}
        asked = {code: n for code, n in here.items() if not _holds(kept, code, n, now)}
        _ask(kept, facts, book, now, asked)
        found = [line for said in kept.said.values() for line in said.deadlines]
    return [line for line in found if line["status"] != "running"]


def _open(kept: Kept, key: Any) -> None:
    if kept.key != key:
        kept.key, kept.said = key, {}


def _masters(connection: Connection) -> tuple[Any, ...]:
    """What names the master data as it is now: when each sort of it was changed last."""
    table = tables.record.c
    query = select(table.of, func.max(table.changed)).where(table.of.in_(MASTER))
    return tuple(tuple(row) for row in connection.execute(query.group_by(table.of).order_by("of")))


def _with_clocks(connection: Connection, book: Value) -> dict[str, int]:
    """The items for which a clock of the rulebook can run, and when each was changed last.

    In most houses few of those that lie in the stores.
    """
    states = [clock.get("when", {}).get("state") for clock in book["clocks"]]
    table = tables.record.c
    query = select(table.id, table.changed).where(table.of == "item", table.live)
    if all(states):
        named = {one for state in states for one in ([state] if isinstance(state, str) else state)}
        query = query.where(table.state.in_(sorted(named)))
    return {row.id: row.changed for row in connection.execute(query.order_by(table.id))}


def _holds(kept: Kept, code: str, changed: int, now: int) -> bool:
    said = kept.said.get(code)
    return said is not None and said.changed == changed and said.at <= now < said.again


def _ask(kept: Kept, facts: Cache, book: Value, now: int, changed: dict[str, int]) -> None:
    """Ask the rules about some items. A lot is not asked about: its ranges are items too."""
    facts.fetch(("item", code) for code in changed)
    asked = [code for code in changed if not lots.is_lot(facts.get("item", code))]
    found: dict[str, list[Value]] = {code: [] for code in changed}
    for line in clocks.due(book, facts, asked, now):
        found[line["item"]].append(line)
    widest = max([clocks.SOON, *map(_warning, book["clocks"])])
    for code, lines in found.items():
        again = min([_again(line, widest) for line in lines], default=float("inf"))
        kept.said[code] = Said(changed[code], lines, now, again)


def _warning(clock: Value) -> int:
    return int(clock.get("soon", {}).get("minutes", 0)) * 60_000


def _again(line: Value, widest: int) -> float:
    """When a deadline must be asked about again: never, once it is overdue; else before any warning
    that it can have.
    """
    if line["status"] == "due":
        return float("inf")
    if line["status"] == "soon":
        return float(line["at"])
    return float(line["at"] - max(widest, (line["at"] - line["start"]) // 10) - 1)
