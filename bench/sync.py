"""How sync bears a house: a first sync, a shift that drains, and many handhelds at once.

`python bench/sync.py --minutes 10` serves a ledger on SQLite in a process of its own, speaks to it
on loopback as tests/support/client does, with a durable disk each, and writes
bench/results/sync.json. Of the crowd every handheld records, pushes and pulls in turn, and every
desk asks again for its first page; the server's processor time and memory are its own.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import told
from custody.config import load
from custody.ledger import devices
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from tests.faults.forge import cpu_seconds
from tests.support import cast
from tests.support.client import Client, receiving, sending
from tests.support.device import Answer, SocketHttp
from tests.support.server import Server

ITEMS, SHIFT, PIECE = 20_000, 500, 250
PAUSE = 10.0  # seconds between a handheld's acts, as at busy tables
Figures = dict[str, Any]


class Wire(SocketHttp):
    """Counts the bytes of bodies that go out, and keeps how long each push took."""

    sent = 0

    def __init__(self, port: int) -> None:
        super().__init__("127.0.0.1", port, 60)
        self.pushes: list[float] = []
        self.failed: list[str] = []

    def request(self, method: str, path: str, headers: Any, body: bytes | None) -> Answer:
        began = time.perf_counter()
        answer = super().request(method, path, headers, body)
        if path.startswith("/sync/v1/events"):
            self.sent += len(body or b"")
            self.pushes.append(time.perf_counter() - began)
        if answer.status >= 400:
            self.failed.append(f"{method} {path}: {answer.status}")
        return answer


class House:
    """A founded casino, its server's process, and its handhelds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        config = load(folder / "data")
        found(config, check_setting(cast.setting()))
        self.ledger: Ledger = open_ledger(config)
        self.server = Server("serve", folder / "data").start()

    def client(self, name: str) -> Client:
        made = Client(Wire(self.server.port), self.folder / f"{name}.db")
        outcome = made.enrol(devices.new_code(self.ledger))
        assert outcome.status == 201, outcome
        return made

    def memory(self) -> int:
        """Return the server's resident memory in MB."""
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) // 1024

    def processor(self) -> float:
        """Return the seconds of processor time that the server has used."""
        return cpu_seconds(self.server.process.pid)

    def close(self) -> None:
        self.server.stop()
        self.ledger.close()


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
        "bytes_an_event_on_the_wire": round(wire.sent / SHIFT),
    }


def crowd(house: House, handhelds: int, desks: int, minutes: float) -> Figures:
    """Measure pushes of many handhelds at once, while desks read."""
    clients = [house.client(f"crowd-{n}") for n in range(handhelds)]
    end = time.monotonic() + 60 * minutes
    troubles: list[str] = []
    looks: list[float] = []
    memory, used, own = [house.memory()], house.processor(), time.process_time()
    threads = [
        *(
            threading.Thread(target=_work, args=(one, n, end, troubles))
            for n, one in enumerate(clients)
        ),
        *(threading.Thread(target=_look, args=(house, end, looks, troubles)) for _ in range(desks)),
    ]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        time.sleep(min(10, max(0.1, end - time.monotonic())))
        memory.append(house.memory())
    for thread in threads:
        thread.join()
    wires = [one.http for one in clients if isinstance(one.http, Wire)]
    pushes = sorted(took for wire in wires for took in wire.pushes)
    failed = [line for wire in wires for line in wire.failed] + troubles
    return {
        "handhelds": handhelds,
        "desks": desks,
        "minutes": minutes,
        "pushes": len(pushes),
        "push_ms": {"median": _ms(pushes, 0.5), "p95": _ms(pushes, 0.95), "worst": _ms(pushes, 1)},
        "processor_seconds": {
            "server": round(house.processor() - used),
            "clients": round(time.process_time() - own),
        },
        "desk_answers": len(looks),
        "errors": len(failed),
        "first_errors": failed[:3],
        "server_memory_mb": {
            "start": memory[0],
            "half": memory[len(memory) // 2],
            "end": memory[-1],
        },
    }


def _work(client: Client, number: int, end: float, troubles: list[str]) -> None:
    time.sleep(PAUSE * (number % 50) / 50)  # they did not all start at once
    done = 0
    while time.monotonic() < end:
        began = time.monotonic()
        client.record("receive", **cast.receive(f"C{number:03}-{done:06}"))
        done += 1
        trouble = sending.drain(client) or receiving.pull(client)
        if trouble:
            troubles.append(trouble)
        time.sleep(max(0.0, PAUSE - (time.monotonic() - began)))


def _look(house: House, end: float, looks: list[float], troubles: list[str]) -> None:
    http = SocketHttp("127.0.0.1", house.server.port, 60)
    while time.monotonic() < end:
        began = time.perf_counter()
        answer = http.request("GET", "/health", {}, None)
        looks.append(time.perf_counter() - began)
        if answer.status != 200:
            troubles.append(f"/health: {answer.status}")
        time.sleep(PAUSE)


def _ms(ordered: list[float], part: float) -> int:
    return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]) if ordered else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--handhelds", type=int, default=200)
    parser.add_argument("--desks", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-sync-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        house = House(folder / "stocked")
        cleaning.callback(house.close)
        figures: Figures = {"sync": "SQLite, WAL, synchronous=FULL; one server process on loopback"}
        figures["first_sync"] = first_sync(house, options.items)
        print(figures["first_sync"], flush=True)
        figures["shift"] = shift(house)
        print(figures["shift"], flush=True)
        busy = House(folder / "busy")
        cleaning.callback(busy.close)
        figures["crowd"] = crowd(busy, options.handhelds, options.desks, options.minutes)
    print(told.write("sync", figures))


if __name__ == "__main__":
    main()
