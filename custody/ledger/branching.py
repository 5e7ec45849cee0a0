"""Where a push belongs: the branch that it continues, or where it forks off (protocol.md)."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from custody.ledger import rows
from custody.ledger.cache import Value
from custody.ledger.chain import Batch, BatchRefused, prev_of
from custody.ledger.events import NO_EVENT
from custody.ledger.upstream.names import CHAIN, run_id
from custody.ledger.work import Work

_IDS = """
SELECT seq, id FROM event WHERE device = ? AND run = ? AND branch = ? AND seq BETWEEN ? AND ?
"""


class Place(NamedTuple):
    """The branch that takes the batch's lines from index `start` on; `head` is what they continue.

    `fork` is the seq at which the batch's history leaves branch 1, or None in branch 1.
    """

    head: Value
    start: int
    fork: int | None


class Run:
    """What is stored of a run around a batch's seqs: branches and event ids."""

    def __init__(self, work: Work, batch: Batch) -> None:
        self.batch = batch
        self.heads: list[Value] = list(work.branches(batch.device, batch.run))
        self.ids = _ids(work.connection, batch, [head["branch"] for head in self.heads])
        told = work.get(CHAIN, run_id(batch.device, batch.run)) or {}
        self.forked: int | None = told.get("forked")  # as a site node's upstream says

    def fork(self) -> int | None:
        """Return the seq at which the run's histories part, here or upstream."""
        return self.heads[1]["first"] if len(self.heads) > 1 else self.forked

    def id_at(self, branch: int, seq: int) -> str | None:
        """Return the id of a branch's event, looking in its parents below its first."""
        if seq == 0:
            return NO_EVENT
        head = self.heads[branch - 1]
        if seq < head["first"]:
            return self.id_at(head["parent"], seq)
        return self.ids.get((branch, seq))

    def common(self, branch: int) -> int | None:
        """Return how many leading lines the branch holds; None if the batch cannot join it."""
        batch, top = self.batch, self.heads[branch - 1]["seq"]
        if batch.first > top + 1:
            return None
        count = 0
        for line in batch.lines[: max(0, top - batch.first + 1)]:
            if self.id_at(branch, batch.first + count) != line.id:
                break
            count += 1
        if count == 0:
            prev = prev_of(batch)
            if prev is None:  # an unreadable line: it may follow, but not say where a fork begins
                return None if 1 < batch.first <= top else 0
            if prev != self.id_at(branch, batch.first - 1):
                return None
        return count


def _ids(connection: Connection, batch: Batch, branches: list[int]) -> dict[tuple[int, int], str]:
    """Return the ids of a run's events around a batch by branch and seq.

    Each branch is asked by itself: without it, an index would be read for the whole run.
    """
    found: dict[tuple[int, int], str] = {}
    for branch in branches:
        asked = (batch.device, batch.run, branch, batch.first - 1, batch.last)
        for seq, id_ in rows.find(connection, _IDS, *asked):
            found[branch, seq] = id_
    return found


def find_place(work: Work, batch: Batch) -> Place:
    """Return where a batch belongs. Raises BatchRefused: `gap`, or `bad-chain` at line 2."""
    run = Run(work, batch)
    if not run.heads:
        return _first_push(batch)
    commons = {head["branch"]: run.common(head["branch"]) for head in run.heads}
    joined = {branch: count for branch, count in commons.items() if count is not None}
    if not joined:
        raise _unjoined(batch, run)
    best = max(joined, key=lambda branch: (joined[branch], branch))
    return _place(batch, run, best, joined[best])


def _first_push(batch: Batch) -> Place:
    if batch.first > 1:
        raise BatchRefused("gap", "this run has no events here yet", 409, expected=1)
    prev = prev_of(batch)
    if prev not in (None, NO_EVENT):
        raise _bad_prev(prev, NO_EVENT)
    return Place(new_head(batch, 1, 1, 1, NO_EVENT), 0, None)


def _unjoined(batch: Batch, run: Run) -> BatchRefused:
    top = max(head["seq"] for head in run.heads)
    if batch.first > top + 1:
        expected = run.heads[0]["seq"] + 1 if len(run.heads) == 1 else top + 1
        last = batch.first - 1
        missing = f"event {last}" if expected == last else f"events {expected} to {last}"
        detail = f"this server has not had {missing} of this run: send from there"
        return BatchRefused("gap", detail, 409, expected=expected)
    prev = prev_of(batch)
    if prev is None:
        detail = "line 2 cannot be read, and is not the event held here: send the one before it too"
        return BatchRefused("gap", detail, 409, expected=batch.first - 1)
    return _bad_prev(prev, run.id_at(1, batch.first - 1))


def _bad_prev(found: str | None, wanted: str | None) -> BatchRefused:
    detail = f"line 2: prev is {found!r}; it must be {wanted!r}"
    return BatchRefused("bad-chain", detail, line=2, field="prev")


def _place(batch: Batch, run: Run, branch: int, count: int) -> Place:
    head, rest = run.heads[branch - 1], len(batch.lines) - count
    fork = run.fork()
    continues = batch.first + count == head["seq"] + 1
    if rest == 0 or (continues and not (fork and branch == 1)):
        return Place(head, count, fork if branch == 1 else head["first"])
    seq = batch.first + count
    before = run.id_at(branch, seq - 1) or NO_EVENT
    return Place(new_head(batch, len(run.heads) + 1, branch, seq, before), count, seq)


def new_head(batch: Batch, branch: int, parent: int, first: int, before: str) -> Value:
    """Return the head of a branch that has no events of its own yet."""
    return {
        "device": batch.device,
        "run": batch.run,
        "branch": branch,
        "parent": parent,
        "first": first,
        "seq": first - 1,
        "id": before,
        "at": None,
        "mono": None,
        "boot": None,
    }
