"""When a device was in touch: what its sign-on leases are counted from."""

from __future__ import annotations

from bisect import bisect_right

from sqlalchemy import Connection

from custody.ledger import rows

WINDOW_MS = 170 * 3_600_000  # a little more than the longest lease
MOST = 2000
NEVER = 2**62
_MINE = 'SELECT "at", since_position FROM contact WHERE device = ? AND "at"'
_OLDER = f'{_MINE} < ? ORDER BY "at" DESC LIMIT 1'
_NEWER = f'{_MINE} >= ? ORDER BY "at" LIMIT {MOST}'
_COUNT = 'SELECT count(*) FROM contact WHERE device = ? AND "at" BETWEEN ? AND ?'


class Contacts:
    """The contacts of one device around moments that were asked for, a window at a time."""

    def __init__(self, connection: Connection, device: str) -> None:
        self._connection = connection
        self._device = device
        self._rows: list[tuple[int, int]] = []  # (at, since_position), by at
        self._ats: list[int] = []
        self._from: int | None = None
        self._until: int | None = None
        self._loaded: list[tuple[int, int | None, int]] = []  # from, to and number of what was read

    def before(self, moment: int, position: int) -> int | None:
        """Return the last contact at or before a moment, as the log knew it at a position."""
        if not self._covers(moment):
            self._load(moment)
        index = bisect_right(self._ats, moment) - 1
        while index >= 0 and self._rows[index][1] > position:
            index -= 1
        return self._rows[index][0] if index >= 0 else None

    def _covers(self, moment: int) -> bool:
        if self._from is None or moment < self._from:
            return False
        return self._until is None or moment <= self._until

    def _load(self, moment: int) -> None:
        start = moment - WINDOW_MS
        older, newer = (
            [(row[0], row[1]) for row in rows.find(self._connection, query, self._device, start)]
            for query in (_OLDER, _NEWER)
        )
        self._rows = [*older, *newer]
        self._ats = [at for at, _ in self._rows]
        self._from, self._until = moment, newer[-1][0] if len(newer) == MOST else None
        start = self._rows[0][0] if self._rows and self._rows[0][0] < start else 0
        self._loaded.append((start, self._until, len(self._rows)))

    def are_the_same(self, connection: Connection) -> bool:
        """Say whether another connection sees no contact more among those that were read."""
        return all(
            count == _count(connection, self._device, start, until)
            for start, until, count in self._loaded
        )


def _count(connection: Connection, device: str, start: int, until: int | None) -> int:
    found = rows.find(connection, _COUNT, device, start, NEVER if until is None else until)
    return int(found.scalar_one())
