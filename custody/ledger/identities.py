"""Where the log holds an event: the positions of an id.

Ids are hashes, so an index by them is written at a place of its own for every event; in a log of
millions each such page is one to be read first. The index `event_block_id` therefore has a part
for each block of positions, and in it only the beginning of an id: all that a push writes lies in
the newest part, and stays in memory. Who looks for an id asks every part, some 2 us each, and 306
of them at ten million events. Taking an event asks for none: that it came before is seen by its
chain (device, run, branch, seq), which the database keeps unique.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from custody.ledger import rows
from custody.ledger.tables import BLOCK, WORD_OF_ID, WORD_SIZE

# `id = ?` would have SQLite put the value into `substr(id, ...)` too, which then is not what the
# index is of any more: all of a block's part would be read.
_POSITIONS = f"""
WITH RECURSIVE block(n) AS (
    SELECT {BLOCK} FROM (SELECT max(position) AS position FROM event) AS newest
    UNION ALL SELECT n - 1 FROM block WHERE n > 0
)
SELECT position FROM block CROSS JOIN event
WHERE ({BLOCK}) = n AND {WORD_OF_ID} = ? AND id || '' = ? ORDER BY position
"""


def positions(connection: Connection, id_: str) -> list[int]:
    """Return where an event is in the log: at several positions if two chains hold its bytes."""
    return [*rows.find(connection, _POSITIONS, id_[:WORD_SIZE], id_).scalars()]


def first(connection: Connection, id_: str) -> int | None:
    """Return the first position of an event, None where the log does not hold it."""
    return next(iter(positions(connection, id_)), None)


class Positions:
    """The first positions of events, each asked for once; an event never gets another."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[str, int] = {}

    def note(self, id_: str, position: int) -> None:
        """Keep a position that is known from elsewhere; that of an event's first one."""
        self._known.setdefault(id_, position)

    def of(self, id_: str) -> int | None:
        """Return the first position of an event, None where the log does not hold it (yet)."""
        if id_ not in self._known:
            found = first(self._connection, id_)
            if found is None:
                return None
            self._known[id_] = found
        return self._known[id_]


def all_of(connection: Connection, ids: Iterable[str]) -> set[int]:
    """Return the positions of those of some events that the log holds."""
    return {position for id_ in sorted(set(ids)) for position in positions(connection, id_)}
