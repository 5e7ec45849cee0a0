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
State = tuple[str | None, int]  # the last rebuild, and the last position of the log


class Scope:
    """One process's lines, `<of> <id> <etag>` sorted, and their digest."""

    def __init__(self) -> None:
        self._one = threading.Lock()
        self._state: State | None = None
        self._line: dict[tuple[str, str], bytes] = {}
        self._lines: list[bytes] = []
        self._digest = ""

    def digest(self, connection: Connection) -> str:
        """Return SHA-256 over the sorted lines of the state that a connection sees."""
        state = state_of(connection)
        with self._one:
            if self._state != state:
                if self._state is None or self._state[0] != state[0] or self._state[1] > state[1]:
                    self._begin()
                self._follow(connection, state)
            return self._digest

    def _begin(self) -> None:
        """Forget everything: there is nothing yet, there was a rebuild, or the log is shorter."""
        self._state, self._line, self._lines = None, {}, []

    def _follow(self, connection: Connection, state: State) -> None:
        table = tables.record.c
        query = select(table.of, table.id, table.etag, table.live)
        known = self._state
        query = query.where(table.live if known is None else table.changed > known[1])
        found = {
            (of, id_): _line(of, id_, etag) if live else None
            for of, id_, etag, live in connection.execute(query)
        }
        if known is None:
            self._line = {key: line for key, line in found.items() if line is not None}
            self._lines = sorted(self._line.values())
        else:
            for key, line in found.items():
                self._put(key, line)
        self._state = state
        self._digest = hashlib.sha256(b"".join(self._lines)).hexdigest()

    def _put(self, key: tuple[str, str], line: bytes | None) -> None:
        old = self._line.pop(key, None)
        if old is not None:
            del self._lines[bisect_left(self._lines, old)]
        if line is not None:
            self._line[key] = line
            insort(self._lines, line)


def _line(of: str, id_: str, etag: str) -> bytes:
    return f"{of} {id_} {etag}\n".encode()


def state_of(connection: Connection) -> State:
    """Return what a connection's state of the projections is named by."""
    found = rows.find(connection, _STATE, REBUILT).one()
    return found[0], -1 if found[1] is None else found[1]
