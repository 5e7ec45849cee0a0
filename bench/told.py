"""Write what was measured to bench/results, with the commit and the machine that it is of."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")


def commit() -> str:
    """Return the commit that is measured, with "+" where the tree has changed since.

    Other results that were written meanwhile change nothing that is measured.
    """
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":!/bench/results")
    return (_git("rev-parse", "--short", "HEAD") or "not of a checkout") + ("+" if changed else "")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, cwd=RESULTS.parent)
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    return {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "processors": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 1),  # 1 or more: it did other work as well
    }


BEGUN = {"commit": commit(), **machine()}  # as they were before anything was measured


def write(name: str, figures: dict[str, Any]) -> str:
    """Write figures as bench/results/<name>.json and return their text.

    They say themselves how durable what they measure is (`sync`).
    """
    text = json.dumps({**BEGUN, **figures}, indent=1) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(text)
    return text
