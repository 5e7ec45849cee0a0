"""The deadlines of everything in custody, without asking the rules about each item each time.

What a clock says follows from the rulebook, the setting, the gaming day, an item's value and its
place. Kept are, in this process alone, the items for which a clock runs, and nothing of those that
wait for nothing, which are most of a house. A change reaches what it can change: an item itself, a
place what lies there, a rulebook or a new gaming day all that can have a deadline. Nothing is held
that cannot be asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Connection, false, func, or_, select, true

from custody.ledger import judging, rows, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.scope import State, state_of
from custody.ledger.strict import dumps
from custody.rules import clocks, lots
from custody.rules.book import on

BOOK = ("setting", "rulebook")
# What tells items apart of which a clock says the same. `contents` tells only whether it is empty.
OWN = ("code", "last", "history", "disputed", "trail", "span", "seal", "seals", "contents")
STANDS_AS, TO_DESTROY = "at_security", "to_destroy"
ENVELOPE = "envelope"  # goes by the kind of what is in it
_record = tables.record.c


class Said(NamedTuple):
    """What the rules said at `at` of an item for which a clock runs: good until `again`.

    Only what presses is kept.
    """

    pressing: tuple[Value, ...]
    at: int
    again: float

    def holds(self, now: int) -> bool:
        """Say whether the rules would say the same at an instant (UTC ms)."""
        return self.at <= now < self.again


class Kept:
    """What was said of each item for which a clock runs, as of `state`; `under` is the gaming day
    and which book.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.state: State | None = None
        self.under: Any = None
        self.said: dict[str, Said] = {}

    def put(self, codes: Iterable[str], said: dict[str, Said]) -> None:
        """Keep what was said of some items, and nothing of the others of them."""
        for code in codes:
            self.said.pop(code, None)
        self.said.update(said)


_kept: WeakKeyDictionary[Ledger, Kept] = WeakKeyDictionary()


def warm(ledger: Ledger) -> None:
    """Ask ahead what the next page will show."""
    with ledger.database.reading() as connection:
        book = judging.book_of(Cache(connection))
        kept = _kept.setdefault(ledger, Kept())
        with kept.lock:
            _refresh(kept, connection, book, ledger.clock())


def pressing(ledger: Ledger, connection: Connection, book: Value, now: int) -> list[Value]:
    """Return the deadlines of items that are `due` or `soon`, as `clocks.due` does, in any order.

    The book must be the one in force. One caller asks at a time; who comes meanwhile waits and has
    the answers.
    """
    kept = _kept.setdefault(ledger, Kept())
    with kept.lock:
        _refresh(kept, connection, book, now)
        return [
            {**line, "item": code} for code, said in kept.said.items() for line in said.pressing
        ]


def _refresh(kept: Kept, connection: Connection, book: Value, now: int) -> None:
    """Bring everything up to date, unless another connection saw more events already."""
    state, known = state_of(connection), kept.state
    is_rebuilt = known is not None and known[0] != state[0]
    if known is not None and not is_rebuilt and known[1] > state[1]:
        return
    day = clocks.gaming_day(book, now)
    book, under = on(book, day), (day, _book_changed(connection))
    if known is None or is_rebuilt or kept.under != under:
        kept.state, kept.said = None, {}
        reached = set(_codes(connection, _can_run(book)))
    else:
        reached = {code for code, said in kept.said.items() if not said.holds(now)}
        reached |= _changed(connection, known[1]) if known != state else set()
    for some in rows.chunks(sorted(reached)):
        kept.put(some, _ask(connection, book, some, now))
    kept.state, kept.under = state, under


def _changed(connection: Connection, position: int) -> set[str]:
    """Return the items that changed after a position, and those that lie where a place did."""
    found = set(_codes(connection, _record.changed > position))
    places = select(_record.id).where(_record.of == "place", _record.changed > position)
    for place in connection.scalars(places).all():
        found.update(_codes(connection, _record.place == place))
    return found


def _codes(connection: Connection, meant: ColumnElement[bool]) -> Sequence[str]:
    return connection.scalars(select(_record.id).where(_record.of == "item", meant)).all()


def _can_run(book: Value) -> ColumnElement[bool]:
    """Of which items a clock can run, as far as their columns say."""
    states: dict[tuple[str, ...], set[str] | None] = {}  # by kinds; None for any
    for clock in book["clocks"]:
        kinds, more = (_words(clock.get("when", {}).get(name)) for name in ("kind", "state"))
        known = states.get(kinds, set())
        states[kinds] = None if known is None or not more else known.union(more)
    selected = [_of_kind(kinds) & _in_state(some) for kinds, some in states.items()]
    return _record.live & or_(false(), *selected)


def _words(told: str | list[str] | None) -> tuple[str, ...]:
    return () if told is None else (told,) if isinstance(told, str) else tuple(told)


def _of_kind(kinds: tuple[str, ...]) -> ColumnElement[bool]:
    """`marks.kind`: an envelope may go by the kind of what is in it."""
    return _record.kind.in_([*kinds, ENVELOPE]) if kinds else true()


def _in_state(states: set[str] | None) -> ColumnElement[bool]:
    """`marks.standing`: what is to be destroyed stands as what lies at security."""
    if states is None:
        return true()
    return _record.state.in_(sorted(states | {TO_DESTROY} if STANDS_AS in states else states))


def _ask(connection: Connection, book: Value, codes: list[str], now: int) -> dict[str, Said]:
    """Return what the rules say of those of some items for which a clock runs: alike ones are asked
    about once, and a lot is not, since its ranges are items too.
    """
    facts, found = Cache(connection), {}
    asked = _codes(connection, _record.id.in_(codes) & _can_run(book))
    facts.fetch(("item", code) for code in asked)
    said: dict[str, Said | None] = {}
    for code in asked:
        value = facts.get("item", code)
        if value is None or lots.is_lot(value):
            continue
        alike = _alike(value)
        if alike not in said:
            said[alike] = _said(book, facts, code, now)
        if one := said[alike]:
            found[code] = one
    return found


def _alike(value: Value) -> str:
    """Return what is the same of items of which a clock says the same."""
    alike = {name: part for name, part in value.items() if name not in OWN}
    alike["attributes"] = {k: v for k, v in value["attributes"].items() if k != "serial"}
    alike["contents"] = bool(value.get("contents"))
    return dumps(alike)


def _said(book: Value, facts: Cache, code: str, now: int) -> Said | None:
    """Return what the rules say of an item; None where no clock runs."""
    lines = clocks.due(book, facts, [code], now)
    if not lines:
        return None
    widest = max([clocks.SOON, *map(_warning, book["clocks"])])
    pressing = tuple([line for line in lines if line["status"] != "running"])
    return Said(pressing, now, min(_again(line, widest) for line in lines))


def _book_changed(connection: Connection) -> int:
    query = select(func.max(_record.changed)).where(_record.of.in_(BOOK))
    return int(connection.scalar(query) or 0)


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
