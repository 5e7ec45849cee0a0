"""Grow a ledger of the simulated casino to many millions of events within minutes.

Every line is made, chained and signed as it is for real, and its keys, leaf, signature, contact and
history are its own. Only the rules are not asked again for each life: the rows that they made of
one life of real ingest (`patterns`) are written for every further one. A ledger that was grown is
what a replay of its log makes, and its log verifies (tests/ledger/test_growing.py).

It grows by whole periods, after which every life is over. An item's record is written once, as it
is at the end; where ingest writes in place, the same rows fill their pages less well. SQLite only.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Callable, Iterable
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from typing import Any

from bench import patterns
from custody.ledger import totals
from custody.ledger.core import Ledger
from custody.ledger.log import leaf_hash
from custody.ledger.suspicions import CONTACT_MS
from custody.simulation import filling
from custody.simulation.handheld import GROUP, SECOND, Handheld, Push
from custody.simulation.lives import DAY

LIFE = GROUP * patterns.STEPS  # events of a group of sticks
COMMIT = 1_000_000  # events of a transaction: a page that changes often is then written once
CACHE = -6_000_000  # KiB
EVENT, BODY, SIGNATURE, CONTACT, LINK, POSTING, RECORD, TIP, SEAL = (
    *("event", "event_body", "signature", "contact", "event_item", "posting"),
    *("record", "item_tip", "seal"),
)
WRITTEN = (EVENT, BODY, SIGNATURE, CONTACT, LINK, POSTING, RECORD, TIP, SEAL)
POSTED_AT = patterns.column(POSTING, "at")


def period(handhelds: int, batch: int = filling.BATCH) -> int:
    """Return after how many events all lives begun are over, and each handheld pushed as often."""
    return handhelds * math.lcm(LIFE, batch)


def grow(
    ledger: Ledger,
    clock: filling.Clock,
    handhelds: list[Handheld],
    pushes: Iterable[Push],
    progress: Callable[[int], None] = lambda events: None,
) -> int:
    """Write whole periods of pushes into a ledger to which these handhelds pushed whole periods.

    They are made here and written by a process of its own. Returns how many events were written.
    """
    ledger.database.close()  # the writer must be alone, or cannot do without a journal
    start = handhelds[0].start
    context = get_context("spawn")
    mine, others = context.Pipe()
    path = ledger.database.engine.url.database
    told = (others, path, [one.id for one in handhelds], start, clock.now)
    writer = context.Process(target=_write, args=told)
    writer.start()
    others.close()
    written = 0
    for push in pushes:
        clock.now = max(clock.now, push.at + filling.LATE)
        mine.send((clock.now, push.body))
        written += push.events
        progress(written)
    mine.send(None)
    writer.join()
    if writer.exitcode:
        raise RuntimeError("the ledger could not be grown")
    with ledger.database.writing() as connection:
        totals.catch_up(connection)
    return written


def _write(pipe: Pipe, path: str, devices: list[str], start: int, now: int) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size={CACHE}"):
        connection.execute(f"PRAGMA {pragma}")
    triggers = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    connection.execute("BEGIN")
    for name, _ in triggers:  # they look at each row, and are put back
        connection.execute(f"DROP TRIGGER {name}")
    writer = Writer(connection, devices, start)
    while (told := pipe.recv()) is not None:
        writer.take(*told)
    writer.end()
    for _, text in triggers:
        connection.execute(text)
    connection.execute("COMMIT")
    connection.close()
    handle = os.open(path, os.O_RDWR)
    os.fsync(handle)  # or the first real push would wait for it
    os.close(handle)


class Writer:
    """Writes the rows of pushes in the order in which they come."""

    def __init__(self, connection: sqlite3.Connection, devices: list[str], start: int) -> None:
        self._connection = connection
        self._life = patterns.learn(connection, GROUP * len(devices))
        self._start = start
        self._number = {device: n for n, device in enumerate(devices)}
        self._position = connection.execute("SELECT max(position) + 1 FROM event").fetchone()[0]
        asked = "SELECT device, max(at) FROM contact GROUP BY device"
        self._contacts: dict[str, int] = dict(connection.execute(asked))
        self._told: dict[int, tuple[list[str], list[str], list[int]]] = {}
        self._last: dict[str, bytes] = {}
        self._statements = {name: self._insert(name) for name in WRITTEN}
        self._rows: dict[str, list[Any]] = {name: [] for name in WRITTEN}
        self._uncommitted = 0

    def _insert(self, table: str) -> str:
        columns = len(self._connection.execute(f"PRAGMA table_info({table})").fetchall())
        return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"

    def take(self, now: int, body: bytes) -> None:
        """Write one push that came at `now`, UTC ms."""
        first, *lines = body.split(b"\n")
        header = json.loads(first)
        device = header["device"]
        self._contact(device, now)
        for seq, line in enumerate(lines, header["first"]):
            self._event(device, seq, line, now)
        signed = [header[name] for name in ("last", "head", "sig")]
        self._rows[SIGNATURE].append((device, 1, 1, *signed))
        self._last[device] = lines[-1]
        self._flush(len(lines))

    def _contact(self, device: str, now: int) -> None:
        if now - self._contacts[device] >= CONTACT_MS:
            self._rows[CONTACT].append((device, now, self._position))
            self._contacts[device] = now

    def _event(self, device: str, seq: int, line: bytes, now: int) -> None:
        rows, position = self._rows, self._position
        id_ = sha256(line).hexdigest()
        rows[EVENT].append((position, id_, device, 1, 1, seq, now, leaf_hash(position, now, id_)))
        rows[BODY].append((position, line))
        self._project(device, seq, position, id_)
        self._position += 1

    def _project(self, device: str, seq: int, position: int, id_: str) -> None:
        """Write what an event makes of its stick and envelope."""
        day, within = divmod(seq - 1, LIFE)
        step, n = divmod(within, GROUP)
        number = (self._number[device] + day * len(self._number)) * GROUP + n + 1
        start = self._start + day * DAY + n * SECOND
        if step == 0:
            self._told[number] = (patterns.told_of(number, start), [], [])
        told, ids, positions = self._told[number]
        for in_envelope, parent in self._life.links[step]:
            up = None if parent is None else ids[parent]
            self._rows[LINK].append((told[in_envelope], position, up, 0))
        for posting in self._life.postings[step]:
            row = posting.fill(told)
            row[0], row[POSTED_AT] = position, start + patterns.AFTER[step]
            self._rows[POSTING].append(row)
        ids.append(id_)
        positions.append(position)
        if len(ids) == patterns.STEPS:
            del self._told[number]
            self._end_life(patterns.told_at_the_end(told, ids, start), positions)

    def _end_life(self, told: list[str], positions: list[int]) -> None:
        for table, step, pattern in self._life.ends:
            if table == RECORD:
                self._rows[RECORD].append(patterns.end_row(pattern, told, positions[step]))
            else:
                self._rows[table].append(pattern.fill(told))

    def _flush(self, events: int) -> None:
        for name, rows in self._rows.items():
            self._connection.executemany(self._statements[name], rows)
            rows.clear()
        self._uncommitted += events
        if self._uncommitted >= COMMIT:
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
            self._uncommitted = 0

    def end(self) -> None:
        """Move the heads of the handhelds' runs. Raises ValueError while a life is not over."""
        if self._told:
            raise ValueError("a ledger grows by whole periods")
        for device, line in self._last.items():
            event = json.loads(line)
            marks = [event["seq"], sha256(line).hexdigest(), event["at"], event["mono"], device]
            self._connection.execute(
                "UPDATE head SET seq = ?, id = ?, at = ?, mono = ? WHERE device = ?", marks
            )
