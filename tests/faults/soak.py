"""`make soak`: a thousand fault runs over both databases, and what came of them as JSON.

python -m tests.faults.soak --seeds 1000 --jobs 2 --out bench/results/soak.json
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from multiprocessing import Process
from pathlib import Path
from typing import Any

from tests.faults.runs import Played, RunFailed, stage
from tests.faults.spoiling import FAULTS

ROOT = Path(__file__).parents[2]
EVERY = 10  # runs between two lines of progress


def play_some(seeds: list[int], journal: Path) -> None:
    """Play seeds one after another; write down each as it ends, and say how far it is."""
    failed = 0
    with stage() as made, journal.open("a") as file:
        for number, seed in enumerate(seeds, 1):
            try:
                ended: dict[str, Any] = made.play(seed)._asdict()
            except RunFailed as error:
                traceback.print_exc()
                failed += 1
                ended = {"seed": seed, "failed": str(error)}
            print(json.dumps(ended), file=file, flush=True)
            if number % EVERY == 0:
                print(f"{number} of {len(seeds)} runs, {failed} failed", flush=True)


def play_all(seeds: list[int], jobs: int) -> list[dict[str, Any]]:
    """Play seeds in several processes at once; one that is interrupted gives what has ended."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        journals = [Path(folder) / f"{job}.jsonl" for job in range(jobs)]
        parts = [seeds[job::jobs] for job in range(jobs)]
        players = [Process(target=play_some, args=one) for one in zip(parts, journals, strict=True)]
        try:
            for player in players:
                player.start()
            for player in players:
                player.join()
        except KeyboardInterrupt:
            for player in players:
                player.terminate()
                player.join()
        lines = [line for each in journals if each.exists() for line in each.open()]
    return [json.loads(line) for line in lines]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    began, started = time.monotonic(), time.time()
    ended = play_all(list(range(given.first, given.first + given.seeds)), given.jobs)
    failed = [one["failed"] for one in ended if "failed" in one]
    played = [Played(**one) for one in ended if "failed" not in one]
    report = (
        {"asked": given.seeds}
        | summary(played, failed)
        | _when(started, time.monotonic() - began, given.jobs)
    )
    text = json.dumps(report, indent=1) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text)
    return 0 if len(played) == given.seeds else 1


def summary(played: list[Played], failed: list[str]) -> dict[str, Any]:
    """Return how many runs of what came to what."""
    counted = sum((Counter(one.counted) for one in played), Counter[str]())
    databases = Counter(one.database for one in played)
    points = {name[7:]: n for name, n in sorted(counted.items()) if name.startswith("armed: ")}
    faults = {name: counted[name] for name in sorted(FAULTS)}
    others = {n: c for n, c in sorted(counted.items()) if n not in FAULTS and n[:7] != "armed: "}
    seconds = sorted(one.seconds for one in played)
    return {
        "runs": len(played) + len(failed),
        "failed": failed,
        "databases": dict(databases),
        "first_seed": min((one.seed for one in played), default=None),
        "last_seed": max((one.seed for one in played), default=None),
        "faults_of_the_network": faults,
        "kills_armed_at": points,
        "what_else_happened": others,
        "seconds_a_run": {
            "median": round(seconds[len(seconds) // 2], 2) if seconds else None,
            "longest": round(seconds[-1], 2) if seconds else None,
        },
        "server_cpu_seconds": round(sum(one.cpu for one in played), 1),
    }


def _when(started: float, seconds: float, jobs: int) -> dict[str, Any]:
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    commit = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    return {
        "seconds": round(seconds),
        "jobs": jobs,
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started)),
        "commit": commit.strip(),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "sqlite": sqlite3.sqlite_version,
        "processors": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 1),
    }


if __name__ == "__main__":
    sys.exit(main())
