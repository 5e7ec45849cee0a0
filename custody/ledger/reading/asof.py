"""The ledger as at a past instant: as known then, or as known now.

*Known then* is what the ledger said at that instant: the events below a log position, whatever
their clocks say. *Known now* is what by all that the log holds today had happened by that instant:
what handhelds told of late is in it, and what was corrected since is not. Late facts and
corrections make the two differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from custody.ledger import judging, rows, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.events import read
from custody.ledger.versions import Versions
from custody.rules import codes, context, lots, refold
from custody.rules.exception_kinds import CLAIM

THEN, NOW = "then", "now"
KNOWN = (THEN, NOW)
NOTED = refold.NOTED  # what they say of others holds for all time


class Moment(NamedTuple):
    """An instant (UTC ms), and what is known of it: the events below `position`.

    `held` is how many events the log held at the instant.
    """

    at: int
    known: str
    position: int
    held: int


class Link(NamedTuple):
    """One event in an item's history, and the event that it continued (an id, or None)."""

    position: int
    id: str
    parent: str | None


def moment(connection: Connection, at: int, known: str) -> Moment:
    """Return the moment of an instant as known `then` or `now`."""
    size = _size(connection)
    held = _received_by(connection, at, size)
    return Moment(at, known, size if known == NOW else held, held)


def first_from(connection: Connection, at: int) -> int:
    """Return the position of the first event that came at an instant (UTC ms) or later; the log's
    size where none did.
    """
    return _received_by(connection, at - 1, _size(connection))


def _size(connection: Connection) -> int:
    highest = connection.scalar(select(func.max(tables.event.c.position)))
    return 0 if highest is None else int(highest) + 1


def _received_by(connection: Connection, at: int, size: int) -> int:
    """Return how many events the log held at an instant, by halves: positions follow receipt."""
    table, low, high = tables.event.c, 0, size
    while low < high:
        middle = (low + high) // 2
        received = connection.scalar(select(table.received).where(table.position == middle))
        low, high = (middle + 1, high) if int(received or 0) <= at else (low, middle)
    return low


class AsOf(Cache):
    """The facts of the rules with every item's links, read some hundred items at a time.

    `rules` is the book of the moment: the one in force at its position, or today's. An item's
    events are taken by the master data that each met (`versions`), as wherever the rules fold an
    item again; `master` is that of the moment, None where it is today's.
    """

    def __init__(self, connection: Connection, when: Moment) -> None:
        super().__init__(connection)
        self.when = when
        self._versions = self.versions = Versions(connection, self.positions)
        self.master = self.versions.at(max(0, when.position - 1))
        self.rules = judging.book_of(self) if self.master is None else self.master.book
        self.gone = frozenset(self.rules["gone"])
        self.memo: dict[Any, Any] = {}
        self._links: dict[str, list[Link]] = {}
        self._claims: dict[str, list[str]] = {}

    def load(self, wanted: Iterable[str]) -> None:
        """Read ahead the histories of items, with the bodies of their events."""
        asked = list(wanted)
        self.fetch_tips(asked)
        names = {name for code in asked for name in self.names(code)} - set(self._links)
        self._links.update({name: [] for name in names})
        link, event = tables.event_item.c, tables.event.c
        for some in rows.chunks(sorted(names)):
            query = (
                select(link.code, link.position, event.id, link.parent)
                .join(tables.event, event.position == link.position)
                .where(link.code.in_(some), link.apart.is_(False))
                .order_by(link.code, link.position)
            )
            for code, position, id_, parent in self.connection.execute(query):
                self._links[code].append(Link(position, id_, parent))
                self.positions.note(id_, position)
        self._bodies({one.position for name in names for one in self._links[name]})

    def _bodies(self, positions: set[int]) -> None:
        event, body = tables.event.c, tables.event_body.c
        for some in rows.chunks(sorted(positions)):
            query = (
                select(event.id, body.body)
                .join(tables.event_body, body.position == event.position)
                .where(event.position.in_(some))
            )
            for id_, raw in self.connection.execute(query):
                if ("event", id_) not in self._records:
                    self._records["event", id_] = read(rows.raw(raw)).event

    def names(self, code: str) -> list[str]:
        """Return the codes under which an item's events are noted: a range's, before it was cut."""
        tips = self.tips(code)
        if not tips and ".." in code:  # it was cut since: its first serial has the same past
            tips = [
                tip for one in lots.find(self, code.partition("..")[0]) for tip in self.tips(one)
            ]
        trails = [(value or {}).get("trail", []) for _, value in tips]
        return list(dict.fromkeys([code, *(name for trail in trails for name in trail)]))

    def history(self, code: str) -> list[Link]:
        """Return an item's links in the order of the log, those not yet known left out."""
        self.load([code])
        found = [one for name in self.names(code) for one in self._links[name]]
        return sorted(one for one in found if one.position < self.when.position)

    def parent(self, code: str, event_id: str) -> str | None:
        """Return the event that another continued for an item, as known; None where it began it."""
        if code not in self._parents:
            self.load([code])
            links = [one for name in self.names(code) for one in self._links[name]]
            self._parents[code] = {one.id: one.parent for one in reversed(links)}
        return self._parents[code].get(event_id)

    def claims(self, event_id: str) -> list[str]:
        if event_id not in self._claims:
            self._claims[event_id] = super().claims(event_id)
        return self._claims[event_id]

    def tips_then(self, code: str) -> list[str]:
        """Return the ends of an item's history as known, the canonical one first.

        An event takes the place of the end that it continues, or stands beside the others; the
        resolution of a claim leaves one.
        """
        tips: list[str] = []
        for link in self.history(code):
            if link.parent not in tips:
                tips.append(link.id)
            elif len(tips) > 1 and self._ends_dispute(code, link.id):
                tips = [link.id]
            else:
                tips[tips.index(link.parent)] = link.id
        return tips

    def _ends_dispute(self, code: str, event_id: str) -> bool:
        """Say whether an event resolved claims on an item, as `rules.resolving` has it."""
        event = self.get("event", event_id) or {}
        named = str((event.get("with") or {}).get("exception"))
        if event.get("step") != "resolve" or named == CLAIM:
            return event.get("step") == "resolve"
        table, item = tables.exception.c, tables.exception_item.c
        about = select(table.id).join(tables.exception_item, item.exception == table.id)
        query = about.where(table.id == named, table.kind == CLAIM)
        return self.connection.scalar(query.where(item.code.in_(self.names(code)))) is not None

    def value(self, code: str, tip: str) -> Value | None:
        """Return an item's value at the end of a branch, without what happened later."""
        later = self._later(code, tip) if self.when.known == NOW else []
        memo = None if later else self.memo
        found: Value | None = refold.state(self.rules, self, code, tip, later, memo)
        return found

    def _later(self, code: str, tip: str) -> list[str]:
        """The events on the way to a tip that happened after the instant."""
        path = [(id_, self.get("event", id_)) for id_ in refold.path(self, code, tip)]
        return [
            id_
            for id_, event in path
            if event is not None
            and event["step"] not in NOTED
            and context.effective(event) > self.when.at
        ]

    def first(self, code: str) -> Value | None:
        """Return an item's value on its canonical branch; None before it was in custody."""
        tips = self.tips_then(code)
        return self.value(code, tips[0]) if tips else None

    def meant(self, code: str) -> list[str]:
        """Return the items that a code stands for now: the parts of a range that was cut since."""
        if self.tips(code):
            return [code]
        try:
            return lots.find(self, code) or [code]
        except codes.CodeRangeError:
            return [code]
