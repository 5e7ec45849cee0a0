"""Scenarios played to their end, with the ledger that they leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from custody.rulebooks import loader
from custody.rules import core, rehearsal, script
from custody.rules.facts import Book

SCENARIOS = Path(__file__).parents[1] / "scenarios"


class Story(NamedTuple):
    """A scenario's book, the ledger at its end and the verdicts that differed."""

    book: dict[str, Any]
    ledger: Book
    surprises: list[str]


def files(*names: str) -> list[Path]:
    """Return the scenarios whose names fit, those handed and our own; at least one of each."""
    found = [path for name in names for path in sorted(SCENARIOS.glob(f"{name}.jsonl"))]
    found += [path for name in names for path in sorted(SCENARIOS.glob(f"own/{name}.jsonl"))]
    assert found, names
    return found


def told(path: Path) -> Story:
    """Play a scenario under this interpreter."""
    lines = script.lines(path.read_text("utf-8"))
    scene = script.setting(lines)
    book = core.load(loader.rulebook(scene["regime"]), loader.site(scene))
    stage = rehearsal._stage(book, script.cast(book, scene))
    checks = [rehearsal._line(stage, number, line) for number, line in lines[1:]]
    surprises = [check["text"] for check in checks if check is not None and not check["ok"]]
    return Story(book, stage["server"], surprises)
