"""How a ledger bears its size: the rate of ingest, items' lives, pages, the feed and receipts.

`python bench/scale.py --events 10000000` makes a ledger of the simulated casino on SQLite with
synchronous=FULL: what the house has in custody, some 100,000 events of real ingest, then the rest
as `growing` says. Into it and into a small one real pushes go by turns, so that their rates are of
the same minutes; then it is read. bench/results/scale.json says what was real and what was grown.

10,000,000 events take about 20 minutes and 23 GB beside the system's temporary files (TMPDIR).
To grow needs no quiet machine, only the measuring does: `--grow-into FOLDER` makes the ledgers and
leaves them there, `--measure FOLDER` measures them, as often as wanted.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import growing, kept, reading, stocking, told
from bench.patterns import STEPS
from custody import collecting
from custody.config import Config
from custody.ledger.core import Ledger, open_ledger
from custody.simulation import filling
from custody.simulation.handheld import Handheld, Push

PERIOD = growing.period(filling.HANDHELDS)
ITEMS = 20_000  # in custody all the time
WINDOW = 20_000  # events over which a rate is taken
WINDOWS = 5
MANY = 10_000_000
NAMES = ("small", "large")
MADE = "made.json"  # how the ledgers of a folder came about
MODES = ("journal_mode", "synchronous")
Figures = dict[str, Any]


class Book:
    """A ledger that grows, the handhelds that push to it, and the hands of its clock.

    It is the one that was kept in the folder, or else a new one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.handhelds: list[Handheld]
        config = Config(folder / "data", f"sqlite:///{folder / 'custody.db'}")
        if (folder / kept.FILE).exists():
            now, self.handhelds = kept.read(folder)
            self.clock = filling.Clock(now)
            self.ledger = open_ledger(config, self.clock)
        else:
            self.ledger, self.clock = filling.make(config)
            self.handhelds = filling.enrol(self.ledger)
        self.busy = self.took = 0.0

    def keep(self) -> None:
        """End the lives that are under way, and let another process go on with the ledger."""
        self.ingest(-self._pushed % PERIOD)
        kept.keep(self.folder, self.clock.now, self.handhelds)

    @property
    def lives(self) -> int:
        """Return how many sticks, from the first on, have a whole life."""
        return self._pushed // PERIOD * (PERIOD // STEPS)

    @property
    def _pushed(self) -> int:
        return sum(one.sent for one in self.handhelds)

    def stock(self, items: int) -> None:
        hand = stocking.Stocker(self.ledger, items)
        while (push := hand.next(stocking.BATCH)).events:
            self.push(push)

    def ingest(self, events: int) -> None:
        for push in filling.pushes(self.handhelds, events):
            self.push(push)

    def push(self, push: Push) -> None:
        """Take a push; to make it is no part of the rate."""
        began, used = time.perf_counter(), time.process_time()
        answer = filling.take(self.ledger, self.clock, push)
        self.busy += time.process_time() - used
        self.took += time.perf_counter() - began
        if answer.exceptions:
            raise SystemExit(f"a life is not a clean one: {answer.exceptions[0]}")

    def grow(self, events: int) -> int:
        pushes = filling.pushes(self.handhelds, events)
        return growing.grow(self.ledger, self.clock, self.handhelds, pushes, _progress)

    def window(self) -> Figures:
        """Ingest one window and return its rates."""
        self.busy = self.took = 0.0
        self.ingest(WINDOW)
        return {"a_second": WINDOW / self.took, "a_processor_second": WINDOW / self.busy}


def _progress(events: int) -> None:
    if events % 500_000 == 0:
        print(f"{events:,} events grown", flush=True)


def step(name: str, begun: float) -> None:
    print(f"{time.monotonic() - begun:7.0f} s  {name}", flush=True)


def made(book: Book, events: int, begun: float) -> Figures:
    """Make a ledger of about that many events; return how it came about."""
    book.stock(ITEMS)
    book.ingest(PERIOD)
    real = book.ledger.size()
    step(f"{real:,} events by real ingest", begun)
    began = time.monotonic()
    grown = book.grow(max(1, round((events - real) / PERIOD)) * PERIOD)
    took = time.monotonic() - began
    step(f"{grown:,} events grown", begun)
    return {
        "events_by_real_ingest": real,
        "events_grown": grown,
        "grown_in_seconds": round(took),
        "how": "lines, chains, signatures, keys and leaves as for real; of each life grown the rows"
        " that the rules made of one that was ingested (bench/growing.py)",
    }


def signed(ledger: Ledger) -> Figures:
    """Sign the log, which makes the tiles of all that was grown."""
    began, used = time.monotonic(), time.process_time()
    ledger.log.fresh()
    return {
        "seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(time.process_time() - used, 1),
    }


def rates(small: Book, large: Book) -> Figures:
    """Push to both ledgers by turns, and compare."""
    sizes = {"small": small.ledger.size(), "large": large.ledger.size()}
    for book in (small, large):
        book.window()  # which is not counted
    pairs = [(small.window(), large.window()) for _ in range(WINDOWS)]
    found: Figures = {"windows": f"{WINDOWS} of {WINDOW:,} events each, by turns", "events": sizes}
    for what in ("a_second", "a_processor_second"):
        few, many = (sorted(pair[n][what] for pair in pairs)[WINDOWS // 2] for n in (0, 1))
        ratios = sorted(pair[1][what] / pair[0][what] for pair in pairs)
        found[what] = {
            "small": round(few),
            "large": round(many),
            "large_to_small": round(ratios[WINDOWS // 2], 3),
            "large_to_small_of_each_pair": [round(ratio, 3) for ratio in ratios],
        }
    return found


def mode(ledger: Ledger) -> str:
    with ledger.database.engine.connect() as connection:
        asked = [connection.exec_driver_sql(f"PRAGMA {one}").scalar() for one in MODES]
    return (
        f"SQLite {sqlite3.sqlite_version}, journal {asked[0]}, synchronous={asked[1]} (2 is FULL)"
    )


def grow(folder: Path, events: int) -> None:
    """Make a small ledger and one of about that many events, and leave them in a folder."""
    begun = time.monotonic()
    small, large = (Book(folder / name) for name in NAMES)
    small.stock(ITEMS)
    small.ingest(PERIOD)
    step("the small ledger is there", begun)
    found: Figures = {"made": made(large, events, begun), "events": large.ledger.size()}
    found |= {"tiles_of_what_was_grown": signed(large.ledger)}
    step("the log is signed", begun)
    for book in (small, large):
        book.keep()
        book.ledger.close()
    (folder / MADE).write_text(json.dumps(found))


def measure(folder: Path) -> Iterator[Figures]:
    """Yield what is known after each part: the whole takes long, and no part is lost."""
    begun = time.monotonic()
    small, large = (Book(folder / name) for name in NAMES)
    found: Figures = {"sync": mode(large.ledger), **json.loads((folder / MADE).read_text())}
    found["ingest"] = rates(small, large)
    for book in (small, large):
        book.keep()
    yield found
    step("rates are measured", begun)
    found["bytes"] = sizes(large)
    for name, book in (("large", large), ("small", small)):
        found[f"reads_{name}"] = reading.of(book.ledger, book.lives)
        yield found
        step(f"reads of the {name} ledger are measured", begun)
        book.ledger.close()


def sizes(book: Book) -> Figures:
    tiles = (book.folder / "data" / "log").rglob("*")
    return {
        "database": (book.folder / "custody.db").stat().st_size,
        "log": sum(one.stat().st_size for one in tiles),
    }


def measured(folder: Path) -> None:
    for found in measure(folder):
        text = told.write("scale", found)
    print(text)


def main() -> None:
    collecting.seldom()  # as a serving process does
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=MANY)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--grow-into", type=Path, metavar="FOLDER")
    where.add_argument("--measure", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    if asked.grow_into:
        return grow(asked.grow_into, asked.events)
    if asked.measure:
        return measured(asked.measure)
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-scale-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        grow(folder, asked.events)
        measured(folder)


if __name__ == "__main__":
    main()
