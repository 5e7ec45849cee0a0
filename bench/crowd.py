"""How a server bears a full house: 200 handhelds that push and pull, and 50 desks that listen.

`python bench/crowd.py --minutes 10` serves a ledger on SQLite in a process of its own and speaks to
it on loopback. Every ten seconds each handheld records two steps with tests/support/client, pushes
them and pulls what the others did; now and then a signer is missing, which is an exception. Each
desk is signed on and has Today before it, which asks for its part anew once a minute as the page's
own script does; every twenty seconds it opens another page. bench/results/crowd.json says how long
answers took by kind, which errors there were, what the server and the crowd itself used by minute,
and which goals are met. One that is not met ends it with status 1.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import told
from bench.served import House, Wire
from custody.ledger import accounts
from custody.routes.guard import COOKIE
from tests.support import cast
from tests.support.client import Client, receiving, sending

PAUSE = 10.0  # seconds between a handheld's acts, as at busy tables
LOOK = 20.0  # seconds between the pages that a desk opens
LISTEN = 60.0  # seconds after which Today asks again (templates/desk/today/show.html)
MISSING = 50  # of so many acts one lacks a signer
PUSH_MS = 500  # that 95 of a hundred pushes take at most
FLAT = 0.05  # of its memory, that the server takes more at the end than half-way
DESKS = ("fay", "sam", "sue", "pam", "ash")
PART = {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Current-URL": "/"}
Figures = dict[str, Any]


class Notes:
    """What all that take part note: seconds by kind, and errors by what they were."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.took: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.codes: list[str] = []  # of items that desks may look at

    def note(self, wire: Wire) -> None:
        wire.seen = lambda kind, took: self.took[kind].append(took)
        wire.failed = lambda what: self.errors.update([what])

    def wait(self, until: float) -> bool:
        """Wait for that moment; say whether there is time left."""
        time.sleep(max(0.0, min(until, self.end) - time.monotonic()))
        return time.monotonic() < self.end


def handheld(client: Client, number: int, notes: Notes) -> None:
    """Record, push and pull in turn until the end."""
    turn = time.monotonic() + PAUSE * (number % 50) / 50  # they did not all start at once
    for done in itertools.count():
        if not notes.wait(turn):
            return
        turn = max(turn + PAUSE, time.monotonic())
        code = f"C{number:03}-{done:06}"
        missing = (number + done) % MISSING == 0
        first = client.record("receive", **cast.receive(code))
        stored = {**cast.store(code), "saw": {code: first}}
        client.record("store", **(stored | {"by": ["fay"]} if missing else stored))
        trouble = sending.drain(client) or receiving.pull(client)
        if trouble:
            notes.errors.update([f"handheld: {trouble}"])
        notes.codes.append(code)


def desk(house: House, number: int, notes: Notes) -> None:
    """Look at Today, listen, and open other pages until the end."""
    wire = Wire(house.server.port)
    notes.note(wire)
    cookie = secrets.token_urlsafe()
    accounts.open_session(house.ledger, DESKS[number % len(DESKS)], cookie)
    headers = {"Cookie": f"{COOKIE}={cookie}"}
    turn = time.monotonic() + LOOK * (number % 50) / 50
    notes.wait(turn)
    wire.request("GET", "/", headers, None)
    turn += LOOK
    for done in itertools.count(1):
        if not notes.wait(turn):
            return
        turn = max(turn + LOOK, time.monotonic())
        if done % round(LISTEN / LOOK) == 0:
            wire.request("GET", "/", {**headers, **PART}, None)
        wire.request("GET", _page(number + done, notes), headers, None)


def _page(turn: int, notes: Notes) -> str:
    code = notes.codes[turn * 7 % len(notes.codes)] if notes.codes else ""
    pages = ("/exceptions", f"/items/{code}", "/due", f"/find?q={code}", "/stock/vault")
    return pages[turn % len(pages)] if code else "/exceptions"


def crowd(house: House, handhelds: int, desks: int, minutes: float) -> Figures:
    """Let them all work for that long; return what was noted."""
    clients = [house.client(f"crowd-{n}") for n in range(handhelds)]
    for person in DESKS:
        accounts.new_link(house.ledger, person)  # which makes the account
    notes = Notes(time.monotonic() + 60 * minutes)
    for client in clients:
        assert isinstance(client.http, Wire)
        notes.note(client.http)
    with ThreadPoolExecutor(handhelds + desks) as pool:
        parts = [pool.submit(handheld, client, n, notes) for n, client in enumerate(clients)]
        parts += [pool.submit(desk, house, n, notes) for n in range(desks)]
        by_minute = _watch(house, notes.end)
    ended = [part.exception() for part in parts]
    notes.errors.update([f"ended early: {error!r}" for error in ended if error])
    times = {kind: _told(took) for kind, took in sorted(notes.took.items())}
    return {
        "handhelds": handhelds,
        "desks": desks,
        "minutes": minutes,
        "goals": _goals(notes.errors, times["push"]["p95"], by_minute),
        "milliseconds": times,
        "errors": dict(notes.errors),
        "server_by_minute": by_minute,
        "events": house.ledger.size(),
    }


def _goals(errors: Counter[str], push_p95: float, by_minute: list[Figures]) -> dict[str, bool]:
    half, end = (by_minute[at]["memory_mb"][1] for at in ((len(by_minute) - 1) // 2, -1))
    return {
        "no error": not errors,
        f"p95 of a push under {PUSH_MS} ms": push_p95 < PUSH_MS,
        f"memory grows by less than {FLAT:.0%} in the second half": end < half * (1 + FLAT),
    }


def _watch(house: House, end: float) -> list[Figures]:
    """Return the server's memory, `[least, median, most]` of a minute since what answers leave
    behind comes and goes, and its share of one processor.
    """
    found = []
    while (left := end - time.monotonic()) > 0:
        used, own, began = house.processor(), time.process_time(), time.monotonic()
        memory = sorted(_memory(house, began + min(60.0, left)))
        took = time.monotonic() - began
        found.append(
            {
                "memory_mb": [memory[0], memory[len(memory) // 2], memory[-1]],
                "processor": round((house.processor() - used) / took, 2),
                "processor_of_the_crowd": round((time.process_time() - own) / took, 2),
            }
        )
        print(found[-1], flush=True)
    return found


def _memory(house: House, until: float) -> Iterator[int]:
    """Yield the server's memory once a second until then."""
    while True:
        yield house.memory()
        if (left := until - time.monotonic()) <= 0:
            return
        time.sleep(min(1.0, left))


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
    options = parser.parse_args()
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-crowd-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        house = House(folder / "house")
        cleaning.callback(house.close)
        figures = crowd(house, options.handhelds, options.desks, options.minutes)
    sync = "SQLite, WAL, synchronous=FULL; one server process on loopback"
    how = f"two events a push, {PAUSE:.0f} s between a handheld's acts"
    print(told.write("crowd", {"sync": sync, "pushes": how, **figures}))
    missed = [goal for goal, is_met in figures["goals"].items() if not is_met]
    for goal in missed:
        print(f"not met: {goal}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
