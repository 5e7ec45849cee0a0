"""The digest of all that is in a replica's scope, kept up to date by what changed since.

Each process keeps the scope's lines as of one size of the log. They follow from the database alone,
so that it does not matter which process answers.
"""

from __future__ import annotations

import hashlib
import threading
from bisect import bisect_left, insort

from sqlalchemy import Connection, select

from custody.ledger import rows, tables

_STATE = "SELECT (SELECT value FROM meta WHERE key = ?), (SELECT max(position) FROM event)"
REBUILT = "rebuilt"  # the row of meta by which serving processes see that there was a rebuild
ETAG = 65  # bytes of a line behind its id: an etag and the end of the line
State = tuple[str | None, int]  # the last rebuild, and the last position of the log


class Scope:
    """One process's lines, `<of> <id> <etag>` sorted, and their digest."""

    def __init__(self) -> None:
        self._one = threading.Lock()
        self._state: State | None = None
        self._lines: list[bytes] = []
        self._digest = ""

    def digest(self, connection: Connection) -> str:
        """Return SHA-256 over the sorted lines of the state that a connection sees."""
        return self.present(connection) or self._anew(connection)

    def present(self, connection: Connection) -> str | None:
        """Return the same, or None where a newer state is kept than the connection sees.

        What is kept stays then: of those who come in turns with older and newer states, which under
        load is every other, each would have all of it read again.
        """
        state = state_of(connection)
        with self._one:
            known = self._state
            if known is not None and known[0] == state[0] and known[1] > state[1]:
                return None
            if known != state:
                self._follow(connection, state)
            return self._digest

    def _anew(self, connection: Connection) -> str:
        """Forget what is kept: it may be of a log that is no more."""
        with self._one:
            self._state = None
            self._follow(connection, state_of(connection))
            return self._digest

    def _follow(self, connection: Connection, state: State) -> None:
        if self._state is None or self._state[0] != state[0]:  # there was a rebuild
            self._lines = _all(connection)
        else:
            table = tables.record.c
            query = select(table.of, table.id, table.etag, table.live)
            query = query.where(table.changed > self._state[1])
            for of, id_, etag, live in connection.execute(query):
                self._put(of, id_, etag if live else None)
        self._state = state
        self._digest = hashlib.sha256(b"".join(self._lines)).hexdigest()

    def _put(self, of: str, id_: str, etag: str | None) -> None:
        """Write a record's line in the place of the one that it had, or take it out."""
        start = _line(of, id_, "")[:-1]
        at = bisect_left(self._lines, start)
        while at < len(self._lines) and self._lines[at].startswith(start):
            if len(self._lines[at]) == len(start) + ETAG:
                del self._lines[at]
                break
            at += 1  # an id that goes on behind a blank
        if etag is not None:
            insort(self._lines, _line(of, id_, etag))


def _all(connection: Connection) -> list[bytes]:
    table = tables.record.c
    query = select(table.of, table.id, table.etag).where(table.live)
    return sorted([_line(of, id_, etag) for of, id_, etag in connection.execute(query)])


def _line(of: str, id_: str, etag: str) -> bytes:
    return f"{of} {id_} {etag}\n".encode()


def state_of(connection: Connection) -> State:
    """Return what a connection's state of the projections is named by."""
    found = rows.find(connection, _STATE, REBUILT).one()
    return found[0], -1 if found[1] is None else found[1]
