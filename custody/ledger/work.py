"""What one transaction will write: the projections, cached, changed and flushed at once.

`custody.ledger.append` and `custody.ledger.rebuild` both go through it, so that a rebuilt
projection is made by the very code that made it first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, select, update

from custody.ledger import rows, tables
from custody.ledger.cache import Cache, Key, Tips, Value
from custody.ledger.strict import dumps
from custody.ledger.upstream.names import NODE
from custody.ledger.versions import ASKED, SORTS

GONE = frozenset({"destroyed", "redeemed"})  # item states that leave the replicas (protocol.md)
# Records that no replica holds: what follows from them is in others.
DESK_ONLY = ("approval", "overlay", "kept", "chain", "day")
_HEADS = "SELECT * FROM head WHERE device = ? AND run = ? ORDER BY branch"
OPEN_EXCEPTION = "exception:"  # begins the id of the task that an open exception is


class Entry(NamedTuple):
    """One stored event. `event` is None when its bytes cannot be read; `why` says why."""

    position: int
    id: str
    device: str
    run: int
    branch: int
    seq: int
    received: int
    event: Value | None
    why: str | None


class Work(Cache):
    """The projections as this transaction sees them. `flush` writes what has changed."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._changed: dict[Key, int] = {}
        self._tips_changed: set[str] = set()
        self._tips_cut: set[str] = set()  # which may have fewer tips than the database has rows
        self._new: dict[str, list[dict[str, Any]]] = {}
        self._heads: dict[tuple[str, int], list[Value]] = {}
        self._raised: set[str] = set()
        self._raised_about: dict[str, list[list[str]]] = {}  # what `open` says of a code, unwritten
        self._ready: list[rows.Ready] = []
        self.shift = 0  # by how much the log grew since the positions here were given
        self._heads_changed: set[tuple[str, int, int]] = set()

    def put(self, of: str, id_: str, value: Value | None, position: int) -> None:
        """Set a record, as changed by the event at `position`."""
        if of == "item":
            self._move(id_, self.get(of, id_), value)
        elif of == "place" and self._places is not None:
            self._places[id_] = value or {}
        if self._versions is not None and (of in SORTS or id_.startswith(ASKED)):
            self._versions.outdate()
        self._records[of, id_] = value
        self._changed[of, id_] = position

    def _move(self, code: str, old: Value | None, new: Value | None) -> None:
        for value, present in ((old, False), (new, True)):
            place = self.place_of(value)
            if place in self._at:
                (self._at[place].add if present else self._at[place].discard)(code)
        noted = (old or {}).get("seals", [])
        for seal in (new or {}).get("seals", []):
            if seal not in noted and code not in self.sealed(seal):
                self._sealed[seal].add(code)
                self.add(tables.seal, seal=seal, code=code)

    def set_tips(self, code: str, tips: Tips) -> None:
        known = self._tips.get(code)
        if known is None or len(known) > len(tips):
            self._tips_cut.add(code)
        self._tips[code] = tips
        self._tips_changed.add(code)

    def raise_exception(self, row: dict[str, Any], codes: Iterable[str]) -> bool:
        """Open an exception about items; `row` has the columns of its table but `resolved`.

        The same exception of the same event is raised once; returns whether it was now.
        """
        if row["id"] in self._raised or self._is_told(row["id"]):
            return False
        self._raised.add(row["id"])
        self.add(tables.exception, **row, resolved=None)
        for code in sorted(set(codes)):
            known = self._open if code in self._open else self._raised_about
            known.setdefault(code, []).append([row["id"], row["kind"], row["event"]])
            self.add(tables.exception_item, code=code, exception=row["id"])
        return True

    def _is_told(self, id_: str) -> bool:
        """Say whether a site node's upstream told of an exception before its event came here: the
        node was restored, and the event comes again.
        """
        if not self.branches(NODE, 1):
            return False
        query = select(tables.exception.c.id).where(tables.exception.c.id == id_)
        return self.connection.scalar(query) is not None

    def close_exceptions(self, ids: Iterable[str], position: int) -> None:
        """Close exceptions by the event at `position`."""
        closed = sorted(set(ids))
        if not closed:
            return
        self.flush()
        table = tables.exception
        for some in rows.chunks(closed):
            still_open = table.c.id.in_(some) & table.c.resolved.is_(None)
            self.connection.execute(update(table).where(still_open).values(resolved=position))
        for code, known in self._open.items():
            self._open[code] = [one for one in known if one[0] not in closed]
        for id_ in closed:
            if self.get("task", OPEN_EXCEPTION + id_) is not None:
                self.put("task", OPEN_EXCEPTION + id_, None, position)

    def reopen_exceptions(self, ids: Iterable[str]) -> list[Value]:
        """Open exceptions again that were closed; return their rows, with their `items`."""
        wanted = sorted(set(ids))
        if not wanted:
            return []
        self.flush()
        table, item = tables.exception, tables.exception_item
        found: list[Value] = []
        for some in rows.chunks(wanted):
            self.connection.execute(update(table).where(table.c.id.in_(some)).values(resolved=None))
            query = select(table).where(table.c.id.in_(some)).order_by(table.c.id)
            found += [dict(row) for row in self.connection.execute(query).mappings()]
        for row in found:
            query = select(item.c.code).where(item.c.exception == row["id"])
            row["items"] = sorted(self.connection.scalars(query))
            for code in row["items"]:
                self._open.pop(code, None)
        return found

    def branches(self, device: str, run: int) -> list[Value]:
        """Return the heads of a run's branches, branch 1 first; [] before its first event."""
        if (device, run) not in self._heads:
            self._heads[device, run] = self.ask_heads(device, run)
        return self._heads[device, run]

    def ask_heads(self, device: str, run: int) -> list[Value]:
        """Ask the database for the heads of a run's branches, branch 1 first."""
        found = rows.find(self.connection, _HEADS, device, run)
        return [dict(row) for row in found.mappings()]

    def head(self, device: str, run: int, branch: int) -> Value:
        """Return the head of a branch that has begun: they are numbered from 1, without a gap."""
        return self.branches(device, run)[branch - 1]

    def advance(self, device: str, run: int, branch: int, marks: Value) -> None:
        """Move the head of a branch that has begun."""
        self.head(device, run, branch).update(marks)
        self._heads_changed.add((device, run, branch))

    def set_head(self, head: Value) -> None:
        known = self.branches(head["device"], head["run"])
        others = [one for one in known if one["branch"] != head["branch"]]
        known[:] = sorted([*others, head], key=lambda one: one["branch"])
        self._heads_changed.add((head["device"], head["run"], head["branch"]))

    def open(self, code: str) -> list[list[str]]:
        if code not in self._open:
            super().open(code).extend(self._raised_about.pop(code, ()))
        return self._open[code]

    def raised(self, event_id: str) -> list[list[Any]]:
        self.flush()
        return super().raised(event_id)

    def ended(self, event_id: str) -> list[list[Any]]:
        self.flush()
        return super().ended(event_id)

    def exception(self, id_: str) -> Value | None:
        self.flush()
        return super().exception(id_)

    def parent(self, code: str, event_id: str) -> str | None:
        self.flush()
        return super().parent(code, event_id)

    def claims(self, event_id: str) -> list[str]:
        self.flush()
        return super().claims(event_id)

    def then(self, event_id: str) -> Any:
        self.flush()
        return super().then(event_id)

    def add(self, table: Table, **row: Any) -> None:
        """Add a row that later events leave alone."""
        self._new.setdefault(table.name, []).append(row)

    def flush(self) -> None:
        """Write what has changed since the last flush."""
        self.prepare()
        for some in rows.chunks(sorted(self._tips_cut)):
            table = tables.item_tip
            self.connection.execute(table.delete().where(table.c.code.in_(some)))
        self._tips_cut.clear()
        for made in self._ready:
            rows.write(self.connection, made, self.shift)
        self._ready.clear()

    def prepare(self) -> None:
        """Make what has changed ready to be written."""
        self._prepare(tables.record, [self._row(*one) for one in self._changed.items()], True)
        codes = sorted(self._tips_changed)
        tips = [row for code in codes for row in tip_rows(code, self._tips[code])]
        self._prepare(tables.item_tip, tips, True)
        for name, new in self._new.items():
            self._prepare(tables.table(name), new, False)
        self._prepare(tables.head, [*self._changed_heads()], True)
        for noted in (self._changed, self._tips_changed, self._new, self._heads_changed):
            noted.clear()
        self._raised_about.clear()

    def _prepare(self, table: Table, found: list[dict[str, Any]], replacing: bool) -> None:
        if found:
            dialect = self.connection.dialect
            self._ready.append(rows.ready(dialect, table, found, replacing=replacing))

    def _changed_heads(self) -> list[Value]:
        found = {(d, r, h["branch"]): h for (d, r), known in self._heads.items() for h in known}
        return [found[key] for key in sorted(self._heads_changed)]

    def _row(self, key: Key, position: int) -> dict[str, Any]:
        of, id_ = key
        value = self._records[key]
        text = None if value is None else dumps(value)
        item = value if of == "item" and value is not None else {}
        return {
            "of": of,
            "id": id_,
            "value": text,
            "etag": None if text is None else hashlib.sha256(text.encode()).hexdigest(),
            "live": text is not None and of not in DESK_ONLY and not is_closed(item),
            "changed": position,
            "kind": item.get("kind"),
            "state": item.get("state"),
            "place": self.place_of(item) if item else None,
            "container": item.get("in"),
            "holder": item.get("holder"),
        }


def is_closed(item: Value) -> bool:
    """Say whether an item's life is over, so that no replica needs it (docs/backup.md).

    It is gone for good, or an envelope that was opened and emptied. Its record, history and events
    stay; a correction that gives it back its life gives it back to the replicas too.
    """
    if item.get("state") in GONE:
        return True
    holds = item.get("sealed") or item.get("contents") or item.get("disputed")
    return item.get("form") == "envelope" and bool(item.get("seals")) and not holds


def tip_rows(code: str, tips: Tips) -> list[dict[str, Any]]:
    """Return an item's rows of item_tip; line 0 leaves its value to the record."""
    return [
        {
            "code": code,
            "line": line,
            "event": event,
            "value": None if line == 0 or value is None else dumps(value),
        }
        for line, (event, value) in enumerate(tips)
    ]
