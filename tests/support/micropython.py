"""Runs a module of plain test functions under MicroPython, as the handheld would run what it tests.

Such a module imports only `custody.rules` and has neither fixtures nor parameters.
"""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files
from pathlib import Path

from custody.rules_host.micropython import node, vendor


def failures(module: Path) -> tuple[int, list[str]]:
    """How many tests of the module ran, and each that failed with its traceback."""
    script = Path(__file__).with_name("micropython.mjs")
    rules = str(files("custody") / "rules")
    done = subprocess.run(
        [node(), str(script), str(vendor()), rules, str(module)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout.splitlines()[-1])
    return report["ran"], report["failed"]
