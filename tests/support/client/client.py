"""The client itself: enrols, records, syncs, and starts again from what its disk holds."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.client import receiving, sending, watching
from tests.support.client.asking import CAPTIVE, OFFLINE, Outcome, key_of
from tests.support.client.disk import FORKED, QUEUED, Disk, Kept
from tests.support.client.enrolling import Enrolling, read
from tests.support.device import NO_EVENT, Http, line_of, now_ms

TRUSTED_MS = 5 * 60_000  # for so long the server is believed to hold what it acknowledged
EMPTY: dict[str, Any] = {"items": []}


class Client(Enrolling):
    """One device and all its runs. `disk` outlives it: opening the same file again is a restart.

    `clock` is its wall clock in UTC ms, and may be wrong; `mono` runs on whatever that does.
    """

    def __init__(self, http: Http, path: Path, clock: Callable[[], int] = now_ms) -> None:
        self.http, self.clock = http, clock
        self.disk = Disk(path)
        self.boot = secrets.token_hex(4)
        self.started = time.monotonic_ns()
        self.heard: tuple[int, int] | None = None  # the server's clock, and our `mono` then
        self.doubts = False  # something suggests that the server lost events
        self.last_probe = -TRUSTED_MS
        self.log_problem = ""  # what `watch` found last
        self._keys: dict[int, Any] = {}

    @property
    def id(self) -> str:
        return str(self.disk.get("device", ""))

    @property
    def run(self) -> int:
        """The run that it records in."""
        return int(self.disk.get("run", 0))

    def key(self, run: int) -> Any:
        if run not in self._keys:
            self._keys[run] = key_of(next(r.key for r in self.disk.runs() if r.run == run))
        return self._keys[run]

    def mono(self) -> int:
        return (time.monotonic_ns() - self.started) // 1_000_000

    # --- recording ---

    def record(self, step: str, **fields: Any) -> str:
        """Write an event durably, and return its id."""
        return self.write(lambda run, seq, prev: line_of(self.event(run, seq, prev, step, fields)))

    def write(self, make: Callable[[int, int, str], bytes]) -> str:
        """Write what `make(run, seq, prev)` returns as the next line of the chain."""
        with self.disk.transaction():
            last = self.disk.last(self.run)
            seq, prev = (last.seq + 1, last.id) if last else (1, NO_EVENT)
            line = make(self.run, seq, prev)
            id_ = hashlib.sha256(line).hexdigest()
            self.disk.append(self.run, seq, id_, line)
        return id_

    def event(
        self, run: int, seq: int, prev: str, step: str, fields: dict[str, Any]
    ) -> dict[str, Any]:
        by = [{"person": p, "how": "badge+pin"} if isinstance(p, str) else p for p in fields["by"]]
        chain = {"v": 1, "device": self.id, "run": run, "seq": seq, "prev": prev}
        clocks = {"at": self.clock(), "offset": -300, "mono": self.mono(), "boot": self.boot}
        site = {"site": self.disk.get("site"), "rulebook": "md@2026.1", "day": "2026-12-01"}
        empty: dict[str, Any] = {"items": [], "with": {}, "saw": {}, "note": ""}
        empty |= dict.fromkeys(("from", "to", "into", "where"))
        told = {**clocks, "server": self.server_now(), **site, "step": step, **empty}
        return {**chain, **told, **fields, "by": by}

    def server_now(self) -> int | None:
        """Return the server's clock as this start heard it, moved on by `mono`."""
        return self.heard and self.heard[0] + self.mono() - self.heard[1]

    def saw(self, *codes: str) -> dict[str, str]:
        """Return the last event known of each code: its own that the feed does not show, else the
        first of the tips that it shows.
        """
        found: dict[str, str] = {}
        for code in codes:
            item = self.disk.record("item", code)
            if item:
                found[code] = item["last"][0]
        for kept in self.beyond():
            found |= {
                code: kept.id for code in (read(kept.line) or EMPTY)["items"] if code in codes
            }
        return found

    def beyond(self) -> list[Kept]:
        """Return its events that the replica does not show yet."""
        shown = {run.run: run.shown for run in self.disk.runs()}
        kept = self.disk.events("state != ?", FORKED)
        return [one for one in kept if one.seq > shown[one.run]]

    def waiting(self) -> list[Kept]:
        return self.disk.events("state = ?", QUEUED)

    # --- contact ---

    def sync(self, *, watch: bool = True) -> str:
        """Everything out, everything in, the log looked at; return "" or what is in the way."""
        if not self.id:
            return "wiped"
        if self.doubtful():
            sending.probe(self)
        trouble = sending.drain(self)
        if trouble in (OFFLINE, CAPTIVE):
            self.last_probe = -TRUSTED_MS  # the server may be restored while it is out of reach
            return trouble
        pulled = receiving.pull(self)
        if pulled == "revoked" and not self.waiting():
            return self._obey()
        if pulled == "" and watch:
            self.log_problem = watching.watch(self)
        if self.doubts and pulled == "" and self.doubtful():
            sending.probe(self)
            trouble = sending.drain(self) or trouble
        return trouble or pulled

    def _obey(self) -> str:
        """Wipe a revoked device, but only once the server was asked if it still holds all: it may
        have been restored, and nobody else has what it lost.
        """
        sending.probe(self)
        trouble = sending.drain(self)
        if trouble or self.waiting():
            return trouble
        self.disk.wipe()
        return "wiped"

    def doubtful(self) -> bool:
        """Say whether to ask if the server still holds what it acknowledged, and note the asking:
        something it said looks like a restore, or it was not asked for long.
        """
        asked = self.doubts or self.mono() - self.last_probe >= TRUSTED_MS
        if asked:
            self.doubts, self.last_probe = False, self.mono()
        return asked

    def shown_note(self) -> str:
        """Return the checkpoint that goes along with a request, "" for none."""
        note = self.disk.get("note")
        return watching.header(note) if note and note != self.disk.get("refused_note") else ""

    def stand_by(self, outcome: Outcome) -> bool:
        """Say whether to ask again without the checkpoint that was sent along: where the log
        contradicts it, it is kept as the proof; where it proves nothing, it is dropped.
        """
        if outcome.type == "log-rewritten":
            self.doubts = True
            self.disk.set("log_problem", watching.REWRITTEN)
            self.disk.set("refused_note", self.disk.get("note"))
            return True
        if outcome.type == "bad-checkpoint":
            self.disk.set("note", None)
            return True
        return False

    def close(self) -> None:
        self.disk.close()
