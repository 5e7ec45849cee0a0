"""Facts that one transaction has read: each asked of the database once, then kept up to date."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import identities, rows, tables
from custody.ledger.contacts import Contacts
from custody.ledger.strict import loads, reload
from custody.ledger.versions import Versions

Value = dict[str, Any]
Key = tuple[str, str]
Tips = list[list[Any]]  # [[event id, value or None], ...], the canonical branch first
ADDED = ("last", "history", "disputed")  # what the ledger adds to an item's folded value
# Statements as text: what a thousand of them cost to put together is most of what they cost.
_RECORDS = "SELECT id, value FROM record WHERE \"of\" = '{}' AND id IN :values"
_ETAG = "SELECT etag FROM record WHERE \"of\" = 'rulebook' AND id = ?"
_RULEBOOK = "SELECT value FROM record WHERE \"of\" = 'rulebook' AND id = ?"
_TIPS = "SELECT code, line, event, value FROM item_tip WHERE code IN :values ORDER BY code, line"
_SEALS = "SELECT seal, code FROM seal WHERE seal IN :values"
_AT = "SELECT id FROM record WHERE \"of\" = 'item' AND place = ?"
_OPEN = """
SELECT x.id, x.kind, x.event FROM exception AS x JOIN exception_item AS i ON i.exception = x.id
WHERE i.code = ? AND x.resolved IS NULL ORDER BY x.position, x.id
"""
SHARED = ("setting", "place", "person")  # few, or asked for by every transaction
MOST_RULEBOOKS = 8
_rulebooks: dict[str, Value] = {}  # by the SHA-256 of their text


def folded(value: Value | None) -> Value | None:
    """Return what the rules folded of an item's value, without what the ledger added."""
    if value is None:
        return None
    return {key: part for key, part in value.items() if key not in ADDED}


@lru_cache(maxsize=2000)
def _shared(text: str) -> Any:
    """Return the value of a text that many transactions read: the same object each time.

    Keyed by the text itself, so that no process can take an old value for the present one.
    """
    return reload(text)


class Cache:
    """The store that `custody.rules.branches` asks (docs/architecture.md), over SQL.

    `fetch` and `fetch_tips` read ahead with few statements; what was not read ahead costs one each.
    `gone` are the item states of the rulebook in which an item is at no place any more.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.gone: frozenset[str] = frozenset()  # judging.book_of sets it
        self._records: dict[Key, Value | None] = {}
        self._tips: dict[str, Tips] = {}
        self._at: dict[str, set[str]] = {}
        self._sealed: dict[str, set[str]] = {}
        self._open: dict[str, list[list[str]]] = {}
        self._contacts: dict[str, Contacts] = {}
        self._places: dict[str, Value] | None = None
        self._versions: Versions | None = None
        self.positions = identities.Positions(connection)
        self._parents: dict[str, dict[str, str | None]] = {}
        self._linked: dict[str, int] = {}  # up to which position `_parents` has a code's links
        self.book: tuple[tuple[Value, ...], Value] | None = None  # judging.book_of keeps it here

    def get(self, of: str, id_: str) -> Value | None:
        """Return the present value of a record, or None. It must not be changed in place."""
        key = (of, id_)
        try:
            return self._records[key]
        except KeyError:
            return self._asked(key)

    def _asked(self, key: Key) -> Value | None:
        """Ask the database for a record that was not asked for before."""
        of, id_ = key
        if of == "exception":  # which is closed without a word to this
            return self.exception(id_)
        if of == "then":
            met: Value | None = self.then(id_)  # no value, but asked by the rules like one
            return met
        if of == "event":
            self._records[key] = self._event(id_)
        else:
            self.fetch([key])
        return self._records[key]

    def then(self, event_id: str) -> Any:
        """Return the master data that an event of the log met; None where it is as it is now."""
        self._versions = self._versions or Versions(self.connection, self.positions)
        return self._versions.of_event(event_id)

    def exception(self, id_: str) -> Value | None:
        """Return the kind of an exception and whether it is open: `{"kind", "open"}`, or None."""
        table = tables.exception.c
        query = select(table.kind, table.resolved).where(table.id == id_)
        found = self.connection.execute(query).first()
        return None if found is None else {"kind": found.kind, "open": found.resolved is None}

    def _event(self, id_: str) -> Value | None:
        position, table = self.positions.of(id_), tables.event_body.c
        if position is None:
            return None
        body = self.connection.scalar(select(table.body).where(table.position == position))
        return None if body is None else loads(rows.raw(body))

    def fetch(self, wanted: Iterable[Key]) -> None:
        """Read records that are not cached yet; what is not there is None."""
        missing: dict[str, set[str]] = {}
        for key in wanted:
            if key not in self._records:
                missing.setdefault(key[0], set()).add(key[1])
        for id_ in missing.pop("rulebook", ()):
            self._records["rulebook", id_] = self._rulebook(id_)
        for of, ids in missing.items():
            self._records.update(dict.fromkeys((of, id_) for id_ in ids))
            read = _shared if of in SHARED else reload
            for id_, value in rows.among(self.connection, _RECORDS.format(of), sorted(ids)):
                self._records[of, id_] = None if value is None else read(value)

    def _rulebook(self, id_: str) -> Value | None:
        """Return a rulebook, whose text is far the longest: it is read where this process has not
        read the same, which its hash tells.
        """
        etag = rows.find(self.connection, _ETAG, id_).scalar()
        if etag is None:
            return None
        found = _rulebooks.get(etag)
        if found is None:
            found = reload(rows.find(self.connection, _RULEBOOK, id_).scalar_one())
            if len(_rulebooks) >= MOST_RULEBOOKS:
                _rulebooks.clear()
            found = _rulebooks.setdefault(etag, found)
        return found

    def assume_new(self, codes: Iterable[str]) -> None:
        """Take items that come into being now for unknown, without asking the database."""
        for code in codes:
            self._records.setdefault(("item", code), None)

    def all(self, of: str) -> list[tuple[str, Value]]:
        """Return every record of a kind with its id, sorted by id."""
        table = tables.record.c
        query = select(table.id).where(table.of == of, table.value.is_not(None))
        self.fetch((of, id_) for id_ in self.connection.scalars(query).all())
        found = [
            (id_, value) for (kind, id_), value in self._records.items() if kind == of and value
        ]
        return sorted(found, key=lambda one: one[0])

    def at(self, place: str) -> list[str]:
        """Return the sorted codes of the items now at a place and still in custody."""
        if place not in self._at:
            found = self.ask_at(place)
            for (of, id_), value in self._records.items():
                if of == "item":
                    (found.add if self.place_of(value) == place else found.discard)(id_)
            self._at[place] = found
        return sorted(self._at[place])

    def ask_at(self, place: str) -> set[str]:
        """Ask the database for the codes of the items at a place."""
        return set(rows.find(self.connection, _AT, place).scalars())

    def place_of(self, value: Value | None) -> str | None:
        """Return the place of an item's value; None for one that is at no place any more."""
        if value is None or value.get("state") in self.gone:
            return None
        return value.get("place")

    def places(self, type_: str) -> list[str]:
        """Return the sorted ids of the places of a type."""
        if self._places is None:
            known = {id_: value for (of, id_), value in self._records.items() if of == "place"}
            self._places = self.ask_places() | {id_: value or {} for id_, value in known.items()}
        return sorted(id_ for id_, place in self._places.items() if place.get("type") == type_)

    def ask_places(self) -> dict[str, Value]:
        """Ask the database for every place."""
        table = tables.record.c
        query = select(table.id, table.value).where(table.of == "place", table.value.is_not(None))
        return {id_: _shared(text) for id_, text in self.connection.execute(query)}

    def sealed(self, seal: str) -> list[str]:
        """Return the sorted codes of envelopes that carry or carried a seal."""
        if seal not in self._sealed:
            self.fetch_sealed([seal])
        return sorted(self._sealed[seal])

    def fetch_sealed(self, seals: Iterable[str]) -> None:
        """Read ahead which envelopes seals were put on."""
        missing = sorted({seal for seal in seals if seal not in self._sealed})
        self._sealed.update(self.ask_sealed(missing))

    def ask_sealed(self, seals: list[str]) -> dict[str, set[str]]:
        """Ask the database for the envelopes on which seals are or were."""
        found: dict[str, set[str]] = {seal: set() for seal in seals}
        for seal, code in rows.among(self.connection, _SEALS, seals) if seals else ():
            found[seal].add(code)
        return found

    def open(self, code: str) -> list[list[str]]:
        """Return [exception id, kind, event id] of each open exception that names the code."""
        if code not in self._open:
            self._open[code] = self.ask_open(code)
        return self._open[code]

    def ask_open(self, code: str) -> list[list[str]]:
        """Ask the database for the open exceptions that name a code."""
        return [list(row) for row in rows.find(self.connection, _OPEN, code)]

    def raised(self, event_id: str) -> list[list[Any]]:
        """Return [exception id, kind, reason or None] of each open exception an event raised."""
        table = tables.exception.c
        query = select(table.id, table.kind, table.value).where(
            table.event == event_id, table.resolved.is_(None)
        )
        found = self.connection.execute(query.order_by(table.id))
        return [[id_, kind, reload(value)["values"].get("reason")] for id_, kind, value in found]

    def ended(self, event_id: str) -> list[list[Any]]:
        """Return [exception id, kind] of each exception that an event closed."""
        table = tables.exception.c
        query = select(table.id, table.kind).where(table.resolved.in_(self._held(event_id)))
        return [list(row) for row in self.connection.execute(query.order_by(table.id))]

    def _held(self, event_id: str) -> list[int]:
        return identities.positions(self.connection, event_id)

    def tips(self, code: str) -> Tips:
        """Return the ends of an item's history, the canonical one first; [] for an unknown item."""
        if code not in self._tips:
            self.fetch_tips([code])
        return self._tips[code]

    def fetch_tips(self, codes: Iterable[str]) -> None:
        missing = sorted({code for code in codes if code not in self._tips})
        self.fetch(("item", code) for code in missing)
        self._tips.update({code: [] for code in missing})
        if not missing:
            return
        for code, line, event, value in rows.among(self.connection, _TIPS, missing):
            parsed = None if value is None else reload(value)
            tip = folded(self._records["item", code]) if line == 0 else parsed
            self._tips[code].append([event, tip])

    def contacts(self, device: str) -> Contacts:
        """Return when a device was in touch."""
        if device not in self._contacts:
            self._contacts[device] = Contacts(self.connection, device)
        return self._contacts[device]

    def parent(self, code: str, event_id: str) -> str | None:
        """Return the event that an event continued for this code, or None."""
        if event_id not in self._parents.get(code, {}):
            self._read_links(code)
        return self._parents[code].get(event_id)

    def _read_links(self, code: str) -> None:
        """Read those of a code's links that are not known yet: who asks for one asks for more."""
        link, event = tables.event_item.c, tables.event.c
        query = (
            select(link.position, event.id, link.parent)
            .join(tables.event, event.position == link.position)
            .where(link.code == code, link.position > self._linked.get(code, -1))
            .where(link.apart.is_(False))
            .order_by(link.position)
        )
        known = self._parents.setdefault(code, {})
        for position, id_, parent in self.connection.execute(query):
            known.setdefault(id_, parent)
            self.positions.note(id_, position)
            self._linked[code] = position

    def claims(self, event_id: str) -> list[str]:
        """Return the sorted codes of the items that an event has claimed."""
        link = tables.event_item.c
        query = (
            select(link.code)
            .where(link.position.in_(self._held(event_id)), link.apart.is_(False))
            .order_by(link.code)
        )
        return list(self.connection.scalars(query))
