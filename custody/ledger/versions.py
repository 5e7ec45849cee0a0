"""What the events of the log met: people, places, rulebook, setting and requisitions by position.

Versions are never written over (`tables.master`), so that an item that is folded again is taken by
the table that stood there, and by the book that was in force when each of its events came.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from custody.ledger import books, rows, tables
from custody.ledger.events import read
from custody.ledger.identities import Positions
from custody.ledger.strict import reload
from custody.ledger.upstream.names import NODE
from custody.rules import context, requisitions
from custody.rules import tables as gaming

Value = dict[str, Any]
Key = tuple[str, str]
NONE: Value = {}
PLACE = "place"
SORTS = ("person", PLACE, "rulebook", "setting")
TABLE = "table"  # the step, and the part of a place that it folds
CORRECT = "correct"
CHANGING = (TABLE, CORRECT)  # the steps that change a table; `site_event` names its place
ASKED = requisitions.TASK  # what effects ask for
LAST = "\uffff"  # after all ids that begin so
Change = Callable[[Value | None], Value | None]  # from a place's value to the next


class Versions:
    """The versions that one connection sees, each read when it is first asked for."""

    def __init__(self, connection: Connection, positions: Positions) -> None:
        self.connection = connection
        self.positions = positions
        self._since: dict[Key, list[int]] = {}
        self._values: dict[tuple[str, str, int], Value | None] = {}
        self._books: dict[tuple[int, ...], Value] = {}
        self._met: dict[int, Met] = {}
        self._places: dict[str, list[tuple[int, Value | None]]] = {}
        self._newest: int | None = None

    def outdate(self) -> None:
        """Ask again what there is: there are versions, or steps of tables, that came since."""
        self._since.clear()
        self._places.clear()
        self._newest = None

    def at(self, position: int) -> Met | None:
        """Return what an event at a position met; None where nothing has changed since."""
        if self._newest is None:
            self._newest = _newest(self.connection)
        if position >= self._newest:
            return None
        if position not in self._met:
            self._met[position] = Met(self, position)
        return self._met[position]

    def of_event(self, event_id: str) -> Met | None:
        """Return what an event of the log met; None where nothing has changed since."""
        position = self.positions.of(event_id)
        return None if position is None else self.at(position)

    def value(self, of: str, id_: str, position: int) -> Value | None:
        """Return a record as its last version up to a position says, or None."""
        since = self._last((of, id_), position)
        if since < 0:
            return None
        key = (of, id_, since)
        if key not in self._values:
            table = tables.master.c
            query = select(table.value).where(
                table.of == of, table.id == id_, table.since_position == since
            )
            text = self.connection.scalar(query)
            self._values[key] = None if text is None else reload(text)
        return self._values[key]

    def _last(self, key: Key, position: int) -> int:
        """Return since when a record was as it was at a position; -1 before its first version."""
        if key not in self._since:
            table = tables.master.c
            query = select(table.since_position).where(table.of == key[0], table.id == key[1])
            self._since[key] = list(self.connection.scalars(query.order_by(table.since_position)))
        since = self._since[key]
        number = bisect_right(since, position)
        return since[number - 1] if number else -1

    def book(self, position: int) -> Value:
        """Return the book in force at a position."""
        site = self.value("setting", "site", position) or NONE
        keys = (("rulebook", str(site.get("rulebook"))), ("setting", "site"))
        known = tuple(self._last(key, position) for key in (*keys, ("setting", "controls")))
        if known not in self._books:
            rulebook, controls = keys[0], ("setting", "controls")
            parts = (self.value(*rulebook, position) or NONE, site)
            self._books[known] = books.of((*parts, self.value(*controls, position) or NONE))
        return self._books[known]

    def place(self, id_: str, position: int) -> Value | None:
        """Return a place as an event at a position met it, a table with the games that it had."""
        if id_ not in self._places:
            self._places[id_] = [*self._lives_of(id_)]
        lives = self._places[id_]
        number = bisect_left(lives, position, key=lambda life: life[0])
        return lives[number - 1][1] if number else None

    def _lives_of(self, id_: str) -> Iterator[tuple[int, Value | None]]:
        """Yield each value that a place has had, with the position of what changed it."""
        value: Value | None = None
        for position, change in sorted(self._changes_of(id_), key=lambda one: one[0]):
            value = change(value)
            yield position, value

    def _changes_of(self, id_: str) -> Iterator[tuple[int, Change]]:
        master, event = tables.master.c, tables.event.c
        query = (
            select(master.since_position, master.value, event.device)
            .outerjoin(tables.event, event.position == master.since_position)
            .where(master.of == PLACE, master.id == id_)
        )
        for position, text, device in self.connection.execute(query):
            yield position, partial(_given, None if text is None else reload(text), device)
        for position, event_id, step in self._steps_of(id_):
            yield position, partial(_stepped, event_id, step)

    def _steps_of(self, id_: str) -> list[tuple[int, str, Value]]:
        """The events that opened, closed or changed a table, and what corrected them."""
        site, event, body = tables.site_event.c, tables.event.c, tables.event_body.c
        query = (
            select(event.position, event.id, body.body)
            .join(tables.site_event, site.position == event.position)
            .join(tables.event_body, body.position == event.position)
            .where(site.step.in_(CHANGING), site.place == id_)
        )
        found = self.connection.execute(query).all()
        return [(at, id_, read(rows.raw(raw)).event or {}) for at, id_, raw in found]


class Met(NamedTuple):
    """The master data that an event at a position met; what the rules ask as `then`."""

    versions: Versions
    position: int

    @property
    def book(self) -> Value:
        """The book in force at the position: rulebook, site and controls together."""
        return self.versions.book(self.position)

    def get(self, of: str, id_: str) -> Value | None:
        if of == PLACE:
            return self.versions.place(id_, self.position)
        return self.versions.value(of, id_, self.position)

    def task(self, id_: str, now: Value | None) -> Value | None:
        """Return a task as it was, of those that effects ask for; `now` is what it is now."""
        if not id_.startswith(ASKED):
            return now
        found: Value | None = requisitions.as_met(now, self._came_before)
        return found

    def _came_before(self, event_id: str) -> bool:
        position = self.versions.positions.of(event_id)
        return position is None or position < self.position  # None: a site node does not hold it


def _newest(connection: Connection) -> int:
    """Return from which position on master data, tables and requisitions are as they are now."""
    master, site, record = tables.master.c, tables.site_event.c, tables.record.c
    given = select(func.max(master.since_position)).where(master.of.in_(SORTS))
    steps = site.step.in_(CHANGING) & site.place.is_not(None)
    stepped = select(func.max(site.position)).where(steps)
    tasks = (record.of == "task") & (record.id >= ASKED) & (record.id < ASKED + LAST)
    found = map(connection.scalar, (stepped, select(func.max(record.changed)).where(tasks)))
    after = [0 if position is None else int(position) + 1 for position in found]
    return max(connection.scalar(given) or 0, *after)


def _given(value: Value | None, device: str | None, before: Value | None) -> Value | None:
    """Return a place as it was given, with what steps made of its table: a site node's upstream
    gives that, too.
    """
    if value is None or before is None or TABLE not in before or device == NODE:
        return value
    return {**value, TABLE: before[TABLE]}


def _stepped(event_id: str, event: Value, place: Value | None) -> Value | None:
    """Return a table's place after a step that changed it, or after that one's correction."""
    if place is None:
        return None
    if event.get("step") == CORRECT:
        return {**place, TABLE: (place.get(TABLE) or {}).get("before")}
    told = {"id": event_id, "at": context.effective(event), "with": event.get("with") or {}}
    return {**place, TABLE: gaming.part(place, told)}
