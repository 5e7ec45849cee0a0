"""Measure: `make bench`, or `python -m bench PART...` for some of it (docs/measuring.md).

Each part is a process of its own and writes bench/results itself; one that fails keeps no other
from being measured.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Part(NamedTuple):
    """`minutes` on a quiet machine with two processors."""

    name: str
    what: str
    minutes: int
    command: tuple[str, ...]


PARTS = (
    Part("rules", "the rules core by itself", 1, ("bench/rules.py",)),
    Part("ingest", "ingest, beside bare inserts and a document database", 1, ("bench/ingest.py",)),
    Part("sync", "a first sync and a shift, by a client in Python", 1, ("bench/sync.py",)),
    Part("handheld", "the app in Chromium, the log, a failover", 8, ("-m", "pytest", "bench")),
    Part("desk", "the desk's pages with many items in custody", 1, ("-m", "bench.desk")),
    Part("crowd", "200 handhelds and 50 desks at once", 12, ("bench/crowd.py",)),
    Part("scale", "ten million events", 25, ("bench/scale.py",)),
)


def main(names: list[str]) -> int:
    known = {part.name: part for part in PARTS}
    wrong = [name for name in names if name not in known]
    if wrong:
        print(f"there is no part {wrong[0]!r}; the parts are {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[name] for name in names] or list(PARTS)
    failed = [part.name for number, part in enumerate(chosen, 1) if not _run(part, number, chosen)]
    if failed:
        print(f"-- failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _run(part: Part, number: int, chosen: list[Part]) -> bool:
    left = sum(one.minutes for one in chosen[number - 1 :])
    print(f"-- {part.name}, {number} of {len(chosen)}: {part.what}", flush=True)
    print(f"   about {part.minutes} min, {left} min to the end", flush=True)
    began = time.monotonic()
    done = subprocess.run([sys.executable, *part.command], cwd=ROOT, check=False)
    print(f"   {part.name} took {(time.monotonic() - began) / 60:.1f} min", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
