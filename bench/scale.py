"""How a ledger bears its size: the rate of ingest as it grows, and how long an item's life takes.

`python bench/scale.py --events N` grows a ledger of the simulated casino on SQLite with
synchronous=FULL, event by event through the whole path, and writes bench/results/scale.json, which
says the size that was measured. Rates are a second of processor time, so that they compare on a
machine that does other work.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import told
from custody import collecting
from custody.app import create_app
from custody.config import Config
from custody.ledger import accounts, feed
from custody.ledger.core import Ledger
from custody.ledger.reading import life
from custody.routes.guard import COOKIE
from custody.rules import codes
from custody.simulation import filling

WINDOW = 20_000  # events over which a rate is taken
SAMPLES = 300  # items looked up
Figures = dict[str, Any]


def grow(ledger: Ledger, clock: filling.Clock, events: int) -> list[Figures]:
    """Push that many events; return the rate of each window."""
    windows: list[Figures] = []
    handhelds = filling.enrol(ledger)
    done, busy = 0, 0.0
    for push in filling.pushes(handhelds, events):  # making the events is no part of the rate
        processor = time.process_time()
        answer = filling.take(ledger, clock, push)
        busy += time.process_time() - processor
        if answer.exceptions:
            raise SystemExit(f"a life is not a clean one: {answer.exceptions[0]}")
        done += push.events
        if done % WINDOW == 0:
            windows.append({"at": done, "events_per_processor_second": round(WINDOW / busy)})
            print(windows[-1], flush=True)
            busy = 0.0
    return windows


def percentiles(times: list[float]) -> Figures:
    ordered = sorted(times)
    at = {"median": 0.5, "p95": 0.95}
    found = {
        name: round(ordered[int(len(ordered) * share)] * 1000, 2) for name, share in at.items()
    }
    return {**found, "worst": round(ordered[-1] * 1000, 2), "count": len(ordered)}


def each(codes_: list[str], act: Callable[[str], object], clock: Callable[[], float]) -> Figures:
    """Return how many milliseconds an act takes for each of these codes."""
    times = []
    for code in codes_:
        began = clock()
        act(code)
        times.append(clock() - began)
    return percentiles(times)


def sticks(events: int) -> list[str]:
    """Return codes of sticks whose whole lives are in a ledger of that size, drawn by a seed."""
    whole = events // 13 - filling.HANDHELDS * 50
    drawn = random.Random(7)
    return [codes.make("DS", drawn.randrange(1, max(2, whole))) for _ in range(SAMPLES)]


def lives(ledger: Ledger, events: int) -> Figures:
    some = sticks(events)
    app = create_app(ledger.config, ledger)
    client = app.test_client()
    cookie = "a cookie of the measurement"
    accounts.open_session(ledger, "admin", cookie)
    client.set_cookie(COOKIE, cookie)

    def show(code: str) -> None:
        answer = client.get(f"/items/{code}")
        assert answer.status_code == 200, answer.text

    def look(code: str) -> None:
        assert len(life.of_item(ledger, code)["entries"]) == 13

    look(some[0])
    show(some[0])
    return {
        "at_the_database_ms": each(some, look, time.perf_counter),
        "at_the_page_ms": each(some, show, time.perf_counter),
        "at_the_database_processor_ms": each(some, look, time.process_time),
        "at_the_page_processor_ms": each(some, show, time.process_time),
    }


def first_page(ledger: Ledger) -> Figures:
    """Return what a handheld that starts from nothing asks for: all that is in its scope."""
    began, cursor, changes, more = time.process_time(), "", 0, True
    while more:
        page = feed.changes_after(ledger, cursor, feed.MOST)
        cursor, more, changes = page.cursor, page.more, changes + len(page.changes)
    return {"records": changes, "processor_seconds": round(time.process_time() - began, 2)}


def measure(folder: Path, events: int) -> Figures:
    ledger, clock = filling.make(Config(folder / "data", f"sqlite:///{folder / 'custody.db'}"))
    try:
        windows = grow(ledger, clock, events)
        with ledger.database.engine.connect() as connection:
            sync = connection.exec_driver_sql("PRAGMA synchronous").scalar()
        first, last = windows[0], windows[-1]
        rates = [one["events_per_processor_second"] for one in (first, last)]
        return {
            "events": ledger.size(),
            "database_bytes": (folder / "custody.db").stat().st_size,
            "sync": f"SQLite, WAL, synchronous={sync} (2 is FULL)",
            "first_window": first,
            "last_window": last,
            "last_to_first": round(rates[1] / rates[0], 3),
            "item_life": lives(ledger, events),
            "replica_from_nothing": first_page(ledger),
        }
    finally:
        ledger.close()


def main() -> None:
    collecting.seldom()  # as a serving process does
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=400_000)
    events = parser.parse_args().events // WINDOW * WINDOW
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-scale-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        print(told.write("scale", measure(folder, events)))


if __name__ == "__main__":
    main()
