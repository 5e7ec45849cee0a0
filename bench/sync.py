"""How sync bears a house, seen by a client in Python: a first sync, and a shift that drains.

`python bench/sync.py` serves a ledger on SQLite in a process of its own, speaks to it on loopback
as tests/support/client does, with a durable disk, and writes bench/results/sync.json. The same in
the app itself, in Chromium, is bench/test_handheld_sync.py. Takes half a minute.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import told
from bench.served import House, Wire
from tests.support import cast
from tests.support.client import receiving, sending

ITEMS, SHIFT, PIECE = 20_000, 500, 250
Figures = dict[str, Any]


def first_sync(house: House, items: int) -> Figures:
    """Measure how long a handheld that knows nothing takes to hold a house's items."""
    stocked = house.client("stocked")
    for start in range(0, items, PIECE):
        stocked.record("receive", **cast.receive(*(f"S-{start + n:06}" for n in range(PIECE))))
    assert sending.drain(stocked) == ""
    new = house.client("new")
    began = time.perf_counter()
    assert receiving.pull(new) == ""
    took = time.perf_counter() - began
    assert new.disk.record("item", f"S-{items - 1:06}")
    return {"items": items, "seconds": round(took, 2), "disk": "SQLite of the client, in Python"}


def shift(house: House) -> Figures:
    """Measure how long a shift that was recorded without a network takes to drain."""
    client = house.client("shift")
    for n in range(SHIFT):
        client.record("receive", **cast.receive(f"T-{n:06}"))
    wire = client.http
    assert isinstance(wire, Wire)
    began = time.perf_counter()
    assert sending.drain(client) == ""
    took = time.perf_counter() - began
    return {
        "events": SHIFT,
        "seconds": round(took, 2),
        "bytes_of_bodies_an_event": round(wire.sent / SHIFT),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    options = parser.parse_args()
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-sync-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        house = House(folder / "stocked")
        cleaning.callback(house.close)
        figures: Figures = {"sync": "SQLite, WAL, synchronous=FULL; one server process on loopback"}
        figures["first_sync"] = first_sync(house, options.items)
        figures["shift"] = shift(house)
    print(told.write("sync", figures))


if __name__ == "__main__":
    main()
