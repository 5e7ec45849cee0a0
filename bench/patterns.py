"""What real ingest made of one life of a stick, as patterns of the rows that it wrote.

In a pattern is left open what differs from one life to the next: codes, seal, places, gaming day,
ids and times. Everything else is as the rules left it.
"""

from __future__ import annotations

import datetime
import re
import sqlite3
from hashlib import sha256
from typing import Any, NamedTuple

from custody.ledger import tables
from custody.rules import codes
from custody.simulation import house
from custody.simulation.lives import life

STEPS = len(list(life(1)))
AFTER = [step.after for step in life(1)]
DAY_STARTS = 6 * 3_600_000 + 5 * 3_600_000  # 06:00 in New York, in milliseconds of a UTC day
Row = tuple[Any, ...]


class Pattern(NamedTuple):
    """A row, and by column the text in which some of what is told stands, by its place there."""

    row: Row
    texts: tuple[tuple[int, str, tuple[int, ...]], ...]

    def fill(self, told: list[str]) -> list[Any]:
        filled = list(self.row)
        for column, text, places in self.texts:
            filled[column] = text % tuple([told[place] for place in places])
        return filled


class Life(NamedTuple):
    """By step the links `(of the envelope?, step of the parent or None)` and postings of a life,
    and the rows that its last step leaves: `(table, step that it is of, row)`.
    """

    links: list[list[tuple[bool, int | None]]]
    postings: list[list[Pattern]]
    ends: list[tuple[str, int, Pattern]]


def column(table: str, name: str) -> int:
    return [one.name for one in tables.table(table).columns].index(name)


CHANGED, VALUE, ETAG = (column("record", name) for name in ("changed", "value", "etag"))


def told_of(number: int, start: int) -> list[str]:
    """Return what is particular to the n-th stick but the ids of its events and their times.

    `start` is UTC ms of its first step.
    """
    table, pit = house.table(number), house.pit(number)
    day = datetime.datetime.fromtimestamp((start - DAY_STARTS) / 1000, datetime.UTC)
    named = [codes.make("DS", number), codes.make("EV", number), f"S{number:08}", table, pit]
    return [*named, day.date().isoformat()]


def told_at_the_end(told: list[str], ids: list[str], start: int) -> list[str]:
    return [*told, *ids, *[str(start + after) for after in AFTER]]


def end_row(pattern: Pattern, told: list[str], changed: int) -> list[Any]:
    """Return the row of a record that an event at position `changed` left."""
    row = pattern.fill(told)
    row[CHANGED], row[ETAG] = changed, sha256(row[VALUE].encode()).hexdigest()
    return row


def learn(connection: sqlite3.Connection, number: int) -> Life:
    """Read what real ingest made of the n-th stick's life."""
    stick, envelope = codes.make("DS", number), codes.make("EV", number)
    asked = "SELECT position FROM event_item WHERE code = ? ORDER BY position"
    positions = [position for (position,) in connection.execute(asked, (stick,))]
    events = [_rows(connection, "event", "position = ?", position)[0] for position in positions]
    ids = [row[column("event", "id")] for row in events]
    body = connection.execute("SELECT body FROM event_body WHERE position = ?", positions[:1])
    start = int(re.findall(rb'^{"at":(\d+)', body.fetchone()[0])[0])
    told = told_at_the_end(told_of(number, start), ids, start)

    def links(position: int) -> list[tuple[bool, int | None]]:
        found = _rows(connection, "event_item", "position = ? ORDER BY code", position)
        return [(code == envelope, ids.index(up) if up else None) for code, _, up, _ in found]

    def postings(position: int) -> list[Pattern]:
        found = _rows(connection, "posting", "position = ? ORDER BY line", position)
        return [_pattern(row, told) for row in found]

    found = [
        *(("record", row) for row in _rows(connection, "record", "id IN (?, ?)", stick, envelope)),
        *(("item_tip", row) for row in _rows(connection, "item_tip", "code = ?", stick)),
        *(("item_tip", row) for row in _rows(connection, "item_tip", "code = ?", envelope)),
        *(("seal", row) for row in _rows(connection, "seal", "code = ?", envelope)),
    ]
    return Life(
        [links(position) for position in positions],
        [postings(position) for position in positions],
        [
            (name, positions.index(row[CHANGED]) if name == "record" else 0, _pattern(row, told))
            for name, row in found
        ],
    )


def _rows(connection: sqlite3.Connection, table: str, where: str, *values: Any) -> list[Row]:
    return list(connection.execute(f"SELECT * FROM {table} WHERE {where}", values))


def _pattern(row: Row, told: list[str]) -> Pattern:
    places = {text: place for place, text in enumerate(told)}
    wanted = re.compile("|".join(sorted(map(re.escape, places), key=len, reverse=True)))
    found = []
    for at, value in enumerate(row):
        if isinstance(value, str) and wanted.search(value):
            named = tuple(places[one] for one in wanted.findall(value))
            found.append((at, wanted.sub("%s", value.replace("%", "%%")), named))
    return Pattern(row, tuple(found))
