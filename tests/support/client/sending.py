"""Send the queue: whole stretches, by run and seq, until nothing is left or something is wrong."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from tests.support.client.asking import CAPTIVE, OFFLINE, Outcome, call
from tests.support.client.disk import ACKED, FORKED, QUEUED, Kept
from tests.support.client.enrolling import STRANGE
from tests.support.device import NDJSON, body_of

if TYPE_CHECKING:
    from tests.support.client.client import Client

MOST, BYTES = 500, (1 << 20) - 4096
PACK_FROM = 1024


def drain(client: Client) -> str:
    """Return "" when nothing waits any more, else what is in the way."""
    most = MOST
    while batch := _stretch(client, most):
        outcome = _send(client, batch)
        if outcome.status == 413 and len(batch) > 1:
            most = max(1, len(batch) // 2)
            continue
        trouble = _settle(client, batch, outcome)
        if trouble:
            return trouble
    return ""


def _stretch(client: Client, most: int) -> list[Kept]:
    """Return the first stretch of the queue that fits one request: one run, no gap."""
    lost = [run.run for run in client.disk.runs() if run.state in ("lost", "unknown")]
    queue = [kept for kept in client.disk.events("state = ?", QUEUED) if kept.run not in lost]
    taken: list[Kept] = []
    room = BYTES
    for kept in queue[:most]:
        if taken and (kept.run, kept.seq) != (taken[-1].run, taken[-1].seq + 1):
            break
        room -= len(kept.line) + 1
        if room < 0 and taken:
            break
        taken.append(kept)
    return taken


def _send(client: Client, batch: list[Kept]) -> Outcome:
    run, first = batch[0].run, batch[0].seq
    body = body_of(client.key(run), client.id, run, first, [kept.line for kept in batch])
    headers = {"Content_Type": NDJSON}
    if len(body) >= PACK_FROM:
        body, headers["Content_Encoding"] = gzip.compress(body, 1), "gzip"
    return call(client, run, "POST", "/sync/v1/events", body, **headers)


def _settle(client: Client, batch: list[Kept], outcome: Outcome) -> str:
    run, first, last = batch[0].run, batch[0].seq, batch[-1].seq
    if outcome.type == "":
        return _acknowledge(client, run, first, outcome.json["acked"])
    if outcome.type in (OFFLINE, CAPTIVE):
        return outcome.type
    if outcome.type == "gap":
        return _gap(client, run, outcome.json["expected"])
    if outcome.type == "fork":
        with client.disk.transaction():
            client.disk.set_run(run, state="forked")
            where = "run = ? AND seq BETWEEN ? AND ?"
            client.disk.set_state(FORKED, where, run, first, last, at=client.clock())
        return ""
    if outcome.type == "bad-chain" and outcome.json.get("field") == "prev":
        return _step_back(client, run, first, last)
    if outcome.type in STRANGE:
        client.disk.set_run(run, state="unknown")
    return "" if client.stand_by(outcome) else outcome.type


def _acknowledge(client: Client, run: int, first: int, acked: int) -> str:
    newest = client.disk.last(run)
    with client.disk.transaction():
        client.disk.set_run(run, acked=acked)
        if newest and acked > newest.seq:  # another device has this key and went on: a clone
            client.disk.set_run(run, state="forked")
        where = "run = ? AND seq <= ? AND state = 'queued'"
        client.disk.set_state(ACKED, where, run, acked, at=client.clock())
    return "" if acked >= first else "not-acked"


def _gap(client: Client, run: int, expected: int) -> str:
    """Send from where the server expects; one that expects what is forgotten has lost events."""
    lowest = client.disk.lowest(run)
    if lowest is None or expected < lowest:
        client.disk.set_run(run, state="lost")
        return "lost"
    requeue(client, run, expected)
    return ""


def _step_back(client: Client, run: int, first: int, last: int) -> str:
    """Send from further back: the server holds another event before `first`, so the histories part
    earlier than that. From where they part on, it takes them as a fork.
    """
    lowest = client.disk.lowest(run) or first
    if first <= lowest:
        client.disk.set_run(run, state="lost")
        return "lost"
    requeue(client, run, max(lowest, first - 2 * (last - first + 1)))
    return ""


def requeue(client: Client, run: int, first: int) -> None:
    """Queue again what the server no longer holds, or may not hold."""
    with client.disk.transaction():
        client.disk.set_state(QUEUED, "run = ? AND seq >= ?", run, first)


def probe(client: Client) -> None:
    """Queue again the last event of each run that the server has been given: its answer, `gap` or
    not, tells whether the server still has them.
    """
    for run in client.disk.runs():
        given = client.disk.events("run = ? AND state != ?", run.run, QUEUED)
        if run.state in ("good", "forked") and given:
            client.disk.set_state(QUEUED, "run = ? AND seq = ?", run.run, given[-1].seq)
