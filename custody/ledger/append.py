"""Append events: the only writer of events and, through `projecting`, of projections."""

from __future__ import annotations

from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from sqlalchemy import Connection

from custody.ledger import bodies, keys, rows, tables
from custody.ledger.branching import Place, find_place
from custody.ledger.chain import Batch, BatchRefused, check_chain, check_signature
from custody.ledger.core import DESK, Ledger
from custody.ledger.events import Line
from custody.ledger.foreseeing import Foresight, MustHold
from custody.ledger.log import leaf_hash
from custody.ledger.projecting import project, read_ahead
from custody.ledger.strict import reload
from custody.ledger.telling import sentence
from custody.ledger.upstream.names import NODE, signed_as
from custody.ledger.work import Entry, Work
from custody.rules import codes_range

KEYS = (*Entry._fields[:7], "leaf")  # the columns of `event`

_KEY = "SELECT jwk FROM device_key WHERE device = ? AND run = ?"
_RAISED = """
SELECT id, event, seq, kind, clause, value, position FROM exception
WHERE device = ? AND run = ? AND branch = ? AND seq BETWEEN ? AND ?
"""
_ABOUT = "SELECT exception, code FROM exception_item WHERE exception IN :values ORDER BY code"


class Pushed(NamedTuple):
    """What a push came to: `acked` is the highest seq held without a gap; `fork` a seq or None."""

    acked: int
    size: int
    exceptions: list[dict[str, Any]]
    fork: int | None


def push(ledger: Ledger, batch: Batch) -> Pushed:
    """Check a device's batch and store what is new of it, whole or not at all, durably.

    It is judged before the lock is held, if it can be. Raises BatchRefused with nothing stored.
    """
    check_chain(batch)
    foreseen = foresee(ledger, batch)

    def act(connection: Connection, again: bool) -> Pushed:
        """What was foreseen can be written once: its rows are then of these log positions."""
        return _take(connection, batch, None if again else foreseen, ledger.clock())

    return ledger.together.write(act, len(batch.lines))


def _take(
    connection: Connection, batch: Batch, foreseen: Foresight | None, received: int
) -> Pushed:
    work: Work
    if foreseen is not None and foreseen.still_holds(connection, received):
        work, place = foreseen, keep(connection, foreseen, batch, received)
    else:
        work, place = judge(connection, batch, received)
    work.flush()
    heads = work.branches(batch.device, batch.run)
    raised = raised_by(connection, batch, [head["branch"] for head in heads])
    return Pushed(heads[0]["seq"], log_size(connection), raised, place.fork)


def foresee(ledger: Ledger, batch: Batch) -> Foresight | None:
    """Judge a batch by a snapshot; None where only who holds the lock can.

    What is refused by a snapshot may be right by now, so refusing is left to the lock, too.
    """
    if signed_as(batch.device) in (DESK, NODE):  # their events are of master data
        return None
    with ledger.database.reading() as connection:
        try:
            check_signature(batch, run_key(connection, batch.device, batch.run))
            work = Foresight(connection)
            return work if _foresee(work, batch, ledger.clock()) else None
        except (BatchRefused, MustHold):
            return None


def _foresee(work: Foresight, batch: Batch, received: int) -> bool:
    work.place = place = find_place(work, batch)
    lines = batch.lines[place.start :]
    if not lines:
        return False
    entries = entries_of(batch, place, work.size, received)
    work.expect(entries)
    begin_branch(work, place)
    read_ahead(work, entries)
    for entry in entries:
        project(work, entry)
    work.prepare()
    work.bodies = ready_bodies(work.connection, work.size, lines)
    return True


def keep(connection: Connection, foreseen: Foresight, batch: Batch, received: int) -> Place:
    """Store the rows of what was foreseen; what came of it is left to `flush`."""
    assert foreseen.place is not None
    assert foreseen.bodies is not None
    foreseen.move(connection)
    start = foreseen.size + foreseen.shift
    bodies.make_room(connection, start)
    entries = entries_of(batch, foreseen.place, start, received)
    _insert(connection, entries, foreseen.bodies, foreseen.shift, batch)
    return foreseen.place


def judge(connection: Connection, batch: Batch, received: int) -> tuple[Work, Place]:
    """Judge and store a batch by the state that only who holds the lock can change."""
    check_signature(batch, run_key(connection, batch.device, batch.run))
    work = Work(connection)
    place = find_place(work, batch)
    store(work, place, batch, received)
    return work, place


def run_key(connection: Connection, device: str, run: int) -> EllipticCurvePublicKey:
    """Return the public key of a device's run. Raises BatchRefused (404) when it never enrolled."""
    jwk = rows.find(connection, _KEY, device, run).scalar()
    if jwk is None:
        raise BatchRefused(
            "not-enrolled", f"run {run} of this device never enrolled", 404, field="run"
        )
    return keys.key_of(reload(jwk))


def log_size(connection: Connection) -> int:
    """Return the number of events in the log."""
    highest = rows.find(connection, "SELECT max(position) FROM event").scalar()
    return 0 if highest is None else int(highest) + 1


def store(work: Work, place: Place, batch: Batch, received: int) -> list[Entry]:
    """Store a batch's lines from `place.start` on and project them. Returns the stored entries."""
    lines = batch.lines[place.start :]
    if not lines:
        return []
    start = log_size(work.connection)
    bodies.make_room(work.connection, start)
    entries = entries_of(batch, place, start, received)
    _insert(work.connection, entries, ready_bodies(work.connection, start, lines), 0, batch)
    begin_branch(work, place)
    read_ahead(work, entries)
    for entry in entries:
        project(work, entry)
    return entries


def begin_branch(work: Work, place: Place) -> None:
    """Note where a branch starts, when these are its first events."""
    head = place.head
    if head["seq"] < head["first"]:
        names = ("device", "run", "branch", "parent", "first")
        work.add(tables.branch, **{name: head[name] for name in names})
        work.set_head(head)


def entries_of(batch: Batch, place: Place, start: int, received: int) -> list[Entry]:
    """Return a batch's entries from `place.start` on, with the log positions from `start` on."""
    device, run, branch, first = batch.device, batch.run, place.head["branch"], batch.first
    offset = start - place.start
    return [
        Entry(offset + n, line.id, device, run, branch, first + n, received, line.event, line.why)
        for n, line in enumerate(batch.lines[place.start :], place.start)
    ]


def ready_bodies(connection: Connection, start: int, lines: list[Line]) -> rows.Ready:
    found = [{"position": start + n, "body": line.raw} for n, line in enumerate(lines)]
    return rows.ready(connection.dialect, tables.event_body, found)


def _insert(
    connection: Connection, entries: list[Entry], raws: rows.Ready, shift: int, batch: Batch
) -> None:
    found = [
        dict(
            zip(
                KEYS, (*entry[:7], leaf_hash(entry.position, entry.received, entry.id)), strict=True
            )
        )
        for entry in entries
    ]
    rows.insert(connection, tables.event, found)
    rows.write(connection, raws, shift)
    signed = {"device": batch.device, "run": batch.run, "branch": entries[0].branch}
    signed |= {"last": batch.last, "head": batch.head, "sig": batch.sig}
    rows.insert(connection, tables.signature, [signed])


def raised_by(connection: Connection, batch: Batch, branches: list[int]) -> list[dict[str, Any]]:
    """Return the exceptions that a batch's events raised, now or when they came first: in the order
    of the log, those of one event by kind, clause and items.

    `branches` are those of the run, each asked by itself, as its events are: their index has the
    branch before the seq. What another branch holds at the same seqs is another event's.
    """
    ids = {line.id for line in batch.lines}
    asked = [(batch.device, batch.run, branch, batch.first, batch.last) for branch in branches]
    rows_ = (row for one in asked for row in rows.find(connection, _RAISED, *one).mappings())
    found = [dict(row) for row in rows_ if row["event"] in ids]
    if not found:
        return []
    codes: dict[str, list[str]] = {}
    for exception, code in rows.among(connection, _ABOUT, [one["id"] for one in found]):
        codes.setdefault(exception, []).append(code)

    def order(one: dict[str, Any]) -> tuple[Any, ...]:
        told = codes.get(one["id"], [])
        return one["position"], one["kind"], one["clause"] or "", told, one["id"]

    return [
        {
            "id": one["id"],
            "seq": one["seq"],
            "kind": one["kind"],
            "clause": one["clause"],
            "items": codes_range.told(codes.get(one["id"], [])),
            "text": sentence(one["kind"], reload(one["value"])["values"]),
        }
        for one in sorted(found, key=order)
    ]
