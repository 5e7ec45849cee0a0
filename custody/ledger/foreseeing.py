"""Judge a batch before the ledger's lock is held, and say in the lock whether that still holds.

Rules take most of a push's time. So a batch is judged by a snapshot, noting what the database
answered; whoever then holds the lock asks again for just that. Where one answer has become another,
or something was asked that cannot be asked again for less than judging, the batch is judged in the
lock, by the very same code: what is stored is always what judging one batch after the other gives.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from custody.ledger import rows, tables
from custody.ledger.branching import Place
from custody.ledger.cache import Cache, Value
from custody.ledger.scope import state_of
from custody.ledger.work import Entry, Work

MOST = 20_000  # events since the snapshot beyond which judging again is as cheap


class MustHold(Exception):
    """What was asked can only be answered by who holds the lock, or can change unnoticed."""


class Foresight(Work):
    """The projections as one snapshot shows them, with a batch taken into them.

    What is never asked again is the records: all in the cache count as read. `move` lets it write.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.state = state_of(connection)
        self.size = self.state[1] + 1
        self.place: Place | None = None
        self.bodies: rows.Ready | None = None
        self._latest = 0
        self._was_at: dict[str, set[str]] = {}
        self._was_sealed: dict[str, set[str]] = {}
        self._was_open: dict[str, list[list[str]]] = {}
        self._was_places: dict[str, Value] | None = None
        self._were_heads: dict[tuple[str, int], list[Value]] = {}
        self._may_write = False

    # What is asked, and noted.

    def ask_at(self, place: str) -> set[str]:
        found = super().ask_at(place)
        self._was_at[place] = set(found)
        return found

    def ask_sealed(self, seals: list[str]) -> dict[str, set[str]]:
        found = super().ask_sealed(seals)
        self._was_sealed.update({seal: set(codes) for seal, codes in found.items()})
        return found

    def ask_open(self, code: str) -> list[list[str]]:
        found = super().ask_open(code)
        self._was_open[code] = list(found)
        return found

    def ask_places(self) -> dict[str, Value]:
        self._was_places = super().ask_places()
        return dict(self._was_places)

    def ask_heads(self, device: str, run: int) -> list[Value]:
        found = super().ask_heads(device, run)
        self._were_heads[device, run] = [dict(head) for head in found]
        return found

    # What is left to who holds the lock: the log itself, and what an event did in it.

    def flush(self) -> None:
        if not self._may_write:
            raise MustHold
        super().flush()

    def _event(self, id_: str) -> Value | None:
        raise MustHold

    def then(self, event_id: str) -> None:
        raise MustHold

    def expect(self, entries: list[Entry]) -> None:
        """Note what the entries' times must be below for their receipt not to matter.

        Raises MustHold where it does: an event that cannot be read has no time of its own.
        """
        for entry in entries:
            if entry.event is None:
                raise MustHold
            told = entry.event.get("server")
            self._latest = max(self._latest, entry.event["at"] if told is None else told)
        if self._latest > entries[0].received:
            raise MustHold

    # What is asked again in the lock.

    def still_holds(self, connection: Connection, received: int) -> bool:
        """Say whether judging the batch now, by whoever alone may append, would give the same."""
        now = state_of(connection)
        self.shift = now[1] - self.state[1]
        if now[0] != self.state[0] or not 0 <= self.shift <= MOST:
            return False
        if received < self._latest or not self._are_contacts(connection):
            return False
        return now == self.state or self._is_untouched(Cache(connection))

    def move(self, connection: Connection) -> None:
        """Write through the connection by which it still holds, at the log's present end."""
        self._may_write, self.connection = True, connection

    def _are_contacts(self, connection: Connection) -> bool:
        return all(known.are_the_same(connection) for known in self._contacts.values())

    def _is_untouched(self, now: Cache) -> bool:
        return (
            self._are_heads(now.connection)
            and self._are_records(now)
            and (not self._was_sealed or now.ask_sealed([*self._was_sealed]) == self._was_sealed)
            and all(now.ask_open(code) == known for code, known in self._was_open.items())
        )

    def _are_heads(self, connection: Connection) -> bool:
        now = Work(connection)
        return all(now.ask_heads(*run) == known for run, known in self._were_heads.items())

    def _are_records(self, now: Cache) -> bool:
        """Say whether no record that was read has changed, nor who is at a place, nor the places.

        Every change of a record is told by the position of its event, also of one that is gone.
        """
        homes = {code: place for place, codes in self._was_at.items() for code in codes}
        table = tables.record.c
        query = select(table.of, table.id, table.place).where(table.changed >= self.size)
        for of, id_, place in now.connection.execute(query):
            if (of, id_) in self._records:
                return False
            home = homes.get(id_) if of == "item" else None
            if of == "item" and home != place and (home or place in self._was_at):
                return False
            if of == "place" and self._was_places is not None and not self._is_type(now, id_):
                return False
        return True

    def _is_type(self, now: Cache, id_: str) -> bool:
        """Say whether a place still is of its type, all that is asked of places together."""
        known = (self._was_places or {}).get(id_) or {}
        return known.get("type") == (now.get("place", id_) or {}).get("type")
