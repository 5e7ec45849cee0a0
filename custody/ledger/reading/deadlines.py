"""The deadlines of everything in custody, without asking the rules about each item each time.

What a clock says follows from the rulebook, the setting, the gaming day, an item's value and its
place. Most items of a house came and moved together, so they are kept in groups of which one
answer holds for all. A change reaches what it can change: an item its own line, a place the groups
that lie there, a rulebook or a new gaming day the answers but not the groups. It is kept in this
process alone, for the items in custody, and holds nothing that cannot be asked again.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Select, func, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.scope import state_of
from custody.ledger.strict import dumps, reload
from custody.rules import clocks, lots

BOOK = ("setting", "rulebook")
# What tells items apart of which a clock says the same. `contents` tells only whether it is empty.
OWN = ("code", "last", "history", "disputed", "trail", "span", "seal", "seals", "contents")
STANDS_AS, TO_DESTROY = "at_security", "to_destroy"
States = tuple[str, ...] | None
Group = tuple[bytes, str | None]  # of the value without what is the item's own, and the place


class Said(NamedTuple):
    """What the rules said of a group at `at`: good until `again`.

    Only what presses is kept: most things in custody wait for nothing yet.
    """

    pressing: tuple[Value, ...]
    at: int
    again: float


class Kept:
    """The items for which a clock can run, in groups, and what was said of each group."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.state: Any = None
        self.states: Any = None
        self.under: Any = None
        self.groups: dict[str, Group] = {}
        self.members: dict[Group, dict[str, None]] = {}
        self.said: dict[Group, Said] = {}

    def forget(self) -> None:
        self.state, self.under = None, None
        self.groups, self.members, self.said = {}, {}, {}

    def put(self, code: str, group: Group | None) -> None:
        """Put an item into its group, or out of all."""
        old = self.groups.pop(code, None)
        if old is not None:
            self.members[old].pop(code)
            if not self.members[old]:
                del self.members[old]
                self.said.pop(old, None)
        if group is not None:
            self.groups[code] = group
            self.members.setdefault(group, {})[code] = None


_kept: WeakKeyDictionary[Ledger, Kept] = WeakKeyDictionary()


def warm(ledger: Ledger) -> None:
    """Ask ahead what the next page will show."""
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        kept = _kept.setdefault(ledger, Kept())
        with kept.lock:
            _refresh(kept, connection, facts, book, ledger.clock())


def pressing(
    ledger: Ledger, connection: Connection, facts: Cache, book: Value, now: int
) -> list[Value]:
    """Return the deadlines of items that are `due` or `soon`, as `clocks.due` does, in any order.

    The book must be the one in force; `facts` are those of the connection. One caller asks at a
    time; who comes meanwhile waits and has the answers.
    """
    kept = _kept.setdefault(ledger, Kept())
    with kept.lock:
        _refresh(kept, connection, facts, book, now)
        return [
            {**line, "item": code}
            for group, said in kept.said.items()
            if said.pressing
            for code in kept.members[group]
            for line in said.pressing
        ]


def _refresh(kept: Kept, connection: Connection, facts: Cache, book: Value, now: int) -> None:
    """Bring everything up to date, unless another connection saw more events already."""
    state = state_of(connection)
    rebuilt = kept.state is not None and kept.state[0] != state[0]
    if kept.state is not None and not rebuilt and kept.state[1] > state[1]:
        return
    if rebuilt or kept.states != _states(book):
        kept.forget()
        kept.states = _states(book)
    if kept.state != state:
        _follow(kept, connection, kept.states, state)
    _ask(kept, facts, book, now)


def _follow(kept: Kept, connection: Connection, states: States, state: Any) -> None:
    """Take in what has changed since the last time."""
    known = kept.state
    for id_, live, place, text in connection.execute(_items(states, known)):
        kept.put(id_, _group(text, place) if live else None)
    if known is not None:
        for place in _places_changed(connection, known[1]):
            for group in [one for one in kept.said if one[1] == place]:
                del kept.said[group]
    kept.state = state


def _states(book: Value) -> States:
    """The states in which a clock of the rulebook can run (`marks.standing`); None for any."""
    states = [clock.get("when", {}).get("state") for clock in book["clocks"]]
    if not all(states):
        return None
    named = {one for state in states for one in ([state] if isinstance(state, str) else state)}
    return tuple(sorted(named | {TO_DESTROY} if STANDS_AS in named else named))


def _items(states: States, known: Any) -> Select[Any]:
    """The items that can have a deadline; all of them, or those that changed since."""
    table = tables.record.c
    runs = table.live if states is None else table.live & table.state.in_(states)
    query = select(table.id, runs.label("runs"), table.place, table.value)
    query = query.where(table.of == "item")
    return query.where(runs if known is None else table.changed > known[1])


def _places_changed(connection: Connection, position: int) -> Iterable[str]:
    table = tables.record.c
    query = select(table.id).where(table.of == "place", table.changed > position)
    return connection.scalars(query).all()


def _group(text: str, place: str | None) -> Group | None:
    """A lot is not asked about: its ranges are items too."""
    value = reload(text)
    if lots.is_lot(value):
        return None
    alike = {name: part for name, part in value.items() if name not in OWN}
    alike["attributes"] = {k: v for k, v in value["attributes"].items() if k != "serial"}
    alike["contents"] = bool(value.get("contents"))
    return hashlib.sha256(dumps(alike).encode()).digest(), place


def _ask(kept: Kept, facts: Cache, book: Value, now: int) -> None:
    """Ask the rules about one item of each group of which nothing good is known."""
    under = (clocks.gaming_day(book, now), _book_changed(facts.connection))
    if kept.under != under:
        kept.under, kept.said = under, {}
    wanted = {
        next(iter(members)): group
        for group, members in kept.members.items()
        if not _holds(kept.said.get(group), now)
    }
    facts.fetch(("item", code) for code in wanted)
    widest = max([clocks.SOON, *map(_warning, book["clocks"])])
    for code, group in wanted.items():
        lines = clocks.due(book, facts, [code], now)
        again = min([_again(line, widest) for line in lines], default=float("inf"))
        pressing = tuple([line for line in lines if line["status"] != "running"])
        kept.said[group] = Said(pressing, now, again)


def _book_changed(connection: Connection) -> int:
    table = tables.record.c
    return int(connection.scalar(select(func.max(table.changed)).where(table.of.in_(BOOK))) or 0)


def _holds(said: Said | None, now: int) -> bool:
    return said is not None and said.at <= now < said.again


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
