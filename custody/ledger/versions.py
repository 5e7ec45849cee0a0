"""Master data as the events of the log met it: people, places, rulebook and setting by position.

Versions are never written over (`tables.master`), so that an item that is folded again is taken by
the table that stood there, and by the book that was in force when each of its events came.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from custody.ledger import books, rows, tables
from custody.ledger.events import read
from custody.ledger.strict import reload
from custody.rules import context
from custody.rules import tables as gaming

Value = dict[str, Any]
Key = tuple[str, str]
NONE: Value = {}
SORTS = ("person", "place", "rulebook", "setting")
TABLE = "table"  # the type of such a place, the step, and the part that the step folds
CORRECT = "correct"


class Versions:
    """The versions that one connection sees, each read when it is first asked for."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._since: dict[Key, list[int]] = {}
        self._values: dict[tuple[str, str, int], Value | None] = {}
        self._books: dict[tuple[int, ...], Value] = {}
        self._met: dict[int, Met] = {}
        self._steps: dict[str, list[tuple[int, str, Value]]] = {}
        self._newest = _newest(connection)

    def at(self, position: int) -> Met | None:
        """Return what an event at a position met; None where nothing has changed since."""
        if position >= self._newest:
            return None
        if position not in self._met:
            self._met[position] = Met(self, position)
        return self._met[position]

    def of_event(self, event_id: str) -> Met | None:
        """Return what an event of the log met; None where nothing has changed since."""
        table = tables.event.c
        position = self.connection.scalar(
            select(func.min(table.position)).where(table.id == event_id)
        )
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
        value = self.value("place", id_, position)
        if value is None or value.get("type") != TABLE:
            return value
        for since, event_id, event in self._steps_of(id_):
            if since < position:
                value = _stepped(value, event_id, event)
        return value

    def _steps_of(self, id_: str) -> list[tuple[int, str, Value]]:
        """The events that opened, closed or changed a table, and the corrections of such ones."""
        if id_ not in self._steps:
            mine = self._site_events(tables.site_event.c.place == id_, TABLE)
            ids = {event_id for _, event_id, _ in mine}
            told = self._site_events(tables.site_event.c.place.is_(None), CORRECT) if mine else []
            mine += [one for one in told if _corrects(one[2]) in ids]
            self._steps[id_] = sorted(mine, key=lambda one: one[0])
        return self._steps[id_]

    def _site_events(self, where: Any, step: str) -> list[tuple[int, str, Value]]:
        site, event, body = tables.site_event.c, tables.event.c, tables.event_body.c
        query = (
            select(event.position, event.id, body.body)
            .join(tables.site_event, site.position == event.position)
            .join(tables.event_body, body.position == event.position)
            .where(site.step == step, where)
        )
        found = self.connection.execute(query).all()
        return [(at, id_, read(rows.raw(raw)).event or {}) for at, id_, raw in found]


class Met(NamedTuple):
    """The master data that an event at a position met; what the rules ask as `then`."""

    versions: Versions
    position: int

    @property
    def book(self) -> Value:
        return self.versions.book(self.position)

    def get(self, of: str, id_: str) -> Value | None:
        if of == "place":
            return self.versions.place(id_, self.position)
        return self.versions.value(of, id_, self.position)


def _newest(connection: Connection) -> int:
    """Return from which position on master data and tables are as they are now."""
    master, site = tables.master.c, tables.site_event.c
    given = select(func.max(master.since_position)).where(master.of.in_(SORTS))
    stepped = select(func.max(site.position)).where(site.step.in_((TABLE, CORRECT)))
    return max(connection.scalar(given) or 0, (connection.scalar(stepped) or -1) + 1)


def _corrects(event: Value) -> Any:
    return (event.get("with") or {}).get("event")


def _stepped(place: Value, event_id: str, event: Value) -> Value:
    """Return a table's place after one of its steps, or after the correction of its last one."""
    last = place.get(TABLE) or {}
    if event.get("step") == CORRECT:
        wrong = last.get("event") == _corrects(event)
        return {**place, TABLE: last["before"]} if wrong else place
    told = {"id": event_id, "at": context.effective(event), "with": event.get("with") or {}}
    return {**place, TABLE: gaming.part(place, told)}
