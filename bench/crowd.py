"""How a server bears a full house: 200 handhelds that push and pull, and 50 desks that listen.

`python bench/crowd.py --minutes 10` serves a ledger on SQLite in a process of its own and speaks to
it on loopback. Every ten seconds each handheld records two steps with tests/support/client, pushes
them and pulls what the others did; now and then a signer is missing, which is an exception that
somebody closes. Each handheld first puts some sticks of dice into the vault; then it takes one
after the other to a table, through play and to its destruction, and receives another for it, so
that as much leaves custody as comes. With `--nothing-leaves` it only receives and stores. Each desk
is signed on and has Today before it, which asks for its part anew once a minute as the page's own
script does; every twenty seconds it opens another page. bench/results/crowd.json says how long
answers took by kind, which errors there were, what the server and the crowd itself used by minute,
and which goals are met. One that is not met ends it with status 1.

With `--hurried` nobody waits: the same is done one after the other as fast as it is answered, by
some threads, for as many minutes of the crowd's time. So an hour's work shows what grows; how long
an answer took says nothing then. What it finds is in crowd-hurried.json.
"""

from __future__ import annotations

import argparse
import heapq
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import told
from bench.crowding import DESKS, PAUSE, Handheld, Notes, desk, leaves, stays
from bench.served import House, Wire
from custody.ledger import accounts
from custody.simulation import house as casino

PUSH_MS = 500  # that 95 of a hundred pushes take at most
FLAT = 0.05  # of its memory, that the server takes more at the end than half-way
HURRIED = 8  # threads of those who do not wait
Figures = dict[str, Any]
Acts = Iterator[float]


class InTime:
    """Each acts in time, in a thread of its own."""

    def __init__(self, some: list[Acts], seconds: float) -> None:
        self._began, self._seconds = time.monotonic(), seconds
        self._pool = ThreadPoolExecutor(len(some))
        self.parts = [self._pool.submit(self._act, one) for one in some]

    def now(self) -> float:
        """Return which second of the crowd's time it is."""
        return time.monotonic() - self._began

    def _act(self, one: Acts) -> None:
        turn = 0.0
        for pause in one:
            turn = max(turn + pause, self.now())  # who was late acts at once, and less often
            time.sleep(max(0.0, min(turn, self._seconds) - self.now()))
            if turn >= self._seconds:
                return


class Hurried:
    """Those of one thread act in the order of the crowd's time, and nobody waits for it."""

    def __init__(self, some: list[Acts], seconds: float) -> None:
        self._seconds = seconds
        self._at = [0.0] * HURRIED
        self._pool = ThreadPoolExecutor(HURRIED)
        shares = [some[n::HURRIED] for n in range(HURRIED)]
        self.parts = [self._pool.submit(self._act, n, share) for n, share in enumerate(shares)]

    def now(self) -> float:
        return min(self._at)

    def _act(self, number: int, share: list[Acts]) -> None:
        try:
            turns = [(next(one), n) for n, one in enumerate(share)]
            heapq.heapify(turns)
            while turns and turns[0][0] < self._seconds:
                self._at[number], n = turns[0]
                heapq.heapreplace(turns, (turns[0][0] + next(share[n]), n))
        finally:
            self._at[number] = self._seconds


def crowd(house: House, options: argparse.Namespace) -> Figures:
    """Let them all work for that long; return what was noted."""
    clients = [house.client(f"crowd-{n}") for n in range(options.handhelds)]
    for person in DESKS:
        accounts.new_link(house.ledger, person)  # which makes the account
    notes = Notes()
    for client in clients:
        assert isinstance(client.http, Wire)
        notes.note(client.http)
    work = stays if options.nothing_leaves else leaves
    some = [Handheld(client, n, notes).acts(work(n)) for n, client in enumerate(clients)]
    some += [desk(house, n, notes) for n in range(options.desks)]
    crowd = (Hurried if options.hurried else InTime)(some, 60 * options.minutes)
    by_minute = _watch(house, crowd.now, options.minutes)
    notes.errors.update(_ended(crowd.parts))
    times = {kind: _told(took) for kind, took in sorted(notes.took.items())}
    return {
        "handhelds": options.handhelds,
        "desks": options.desks,
        "minutes": options.minutes,
        "goals": _goals(notes.errors, by_minute) | ({} if options.hurried else _in_time(times)),
        "milliseconds": times,
        "errors": dict(notes.errors),
        "server_by_minute": by_minute,
        "events": house.ledger.size(),
    }


def _ended(parts: list[Future[None]]) -> list[str]:
    ended = [part.exception() for part in parts]
    return [f"ended early: {error!r}" for error in ended if error]


def _in_time(times: Figures) -> dict[str, bool]:
    return {f"p95 of a push under {PUSH_MS} ms": times["push"]["p95"] < PUSH_MS}


def _goals(errors: Counter[str], by_minute: list[Figures]) -> dict[str, bool]:
    half, end = (by_minute[at]["memory_mb"][1] for at in ((len(by_minute) - 1) // 2, -1))
    return {
        "no error": not errors,
        f"memory grows by less than {FLAT:.0%} in the second half": end < half * (1 + FLAT),
    }


def _watch(house: House, now: Callable[[], float], minutes: float) -> list[Figures]:
    """Return the server's memory, `[least, median, most]` of a minute since what answers leave
    behind comes and goes, what is in custody at its end, and its share of one processor.
    """
    found = []
    while (began := now()) < 60 * minutes:
        used, own, wall = house.processor(), time.process_time(), time.monotonic()
        memory = sorted(_memory(house, now, min(60 * minutes, 60 * (began // 60 + 1))))
        took = time.monotonic() - wall
        found.append(
            {
                "memory_mb": [memory[0], memory[len(memory) // 2], memory[-1]],
                "in_custody": house.in_custody(),
                "processor": round((house.processor() - used) / took, 2),
                "processor_of_the_crowd": round((time.process_time() - own) / took, 2),
            }
        )
        print(found[-1], flush=True)
    return found


def _memory(house: House, now: Callable[[], float], until: float) -> Iterator[int]:
    """Yield the server's memory once a second until then."""
    while True:
        yield house.memory()
        time.sleep(1)
        if now() >= until:
            return


def _told(took: list[float]) -> Figures:
    ordered = sorted(took)
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    found = {name: round(1000 * ordered[int(len(ordered) * part)], 1) for name, part in at.items()}
    return {**found, "worst": round(1000 * ordered[-1], 1), "count": len(ordered)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--handhelds", type=int, default=200)
    parser.add_argument("--desks", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--nothing-leaves", action="store_true")
    parser.add_argument("--hurried", action="store_true")
    options = parser.parse_args()
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-crowd-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        house = House(folder / "house", casino.setting())
        cleaning.callback(house.close)
        figures = crowd(house, options)
    sync = "SQLite, WAL, synchronous=FULL; one server process on loopback"
    how = "nobody waits" if options.hurried else f"{PAUSE:.0f} s between a handheld's acts"
    what = "nothing leaves" if options.nothing_leaves else "as much leaves as comes"
    name = "-".join(["crowd", *(["hurried"] if options.hurried else []),
                     *(["growing"] if options.nothing_leaves else [])])  # fmt: skip
    print(told.write(name, {"sync": sync, "pushes": f"two events a push, {how}", "custody": what,
                            **figures}))  # fmt: skip
    missed = [goal for goal, is_met in figures["goals"].items() if not is_met]
    for goal in missed:
        print(f"not met: {goal}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
