"""Where a rulebook names a clause: the entry's file, line and heading, and what it does there."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from custody.rulebooks.lines import Lines
from custody.rulebooks.loader import REGIMES, parts

Entry = dict[str, Any]

# How an entry's own parts meet a clause, by the word under which they stand.
INNER = {"signers": "role", "fields": "evidence", "needs": "gate", "checklist": "checklist"}
WHOLE = {"clock": "clock", "count": "count", "control": "setting", "approval": "setting"}
COUNTED = ("inventory", "reconciliation")
# What a step does for a clause that only the whole entry names, by how clauses.csv says it is
# checked: the entry must have the part, or be of a step, that does so.
STEPS = {
    "report": ("report", "notify", "hand_over", "examine", "preshuffle", "destroy", "cancel"),
    "count": ("count", "examine", "adjust"),
}
BY_CHECK = {"role": "signers", "evidence": "fields", "physical": "checklist"}


class Citation(NamedTuple):
    """One entry that names a clause. `ways` are `gate`, `role`, `evidence`, ... or `entry` where
    only the whole entry names it; `text` is the entry as it was read.
    """

    file: str
    line: int
    heading: str
    part: str
    ways: tuple[str, ...]
    entry: Entry


@cache
def citations() -> dict[str, tuple[Citation, ...]]:
    """Return the citations of every clause that a rulebook names, by clause id."""
    found: dict[str, list[Citation]] = {}
    for regime in REGIMES:
        for name in parts(regime):
            for clause, citation in _of_file(name):
                found.setdefault(clause, []).append(citation)
    return {clause: tuple(some) for clause, some in found.items()}


def _of_file(name: str) -> Iterator[tuple[str, Citation]]:
    text = files("custody.rulebooks").joinpath(name).read_text("utf-8")
    lines = Lines(name, text)
    for part, where, entry in _entries(tomllib.loads(text)):
        for clause, ways in sorted(_named(part, entry).items()):
            line = lines.first(where)
            yield clause, Citation(name, line, _heading(part, where, entry), part, ways, entry)


def _entries(book: Entry) -> Iterator[tuple[str, Any, Entry]]:
    for part, content in book.items():
        if part == "limits":
            for kind, limits in content.items():
                for index, one in enumerate(limits):
                    yield part, (f"limits.{kind}", index), one
        elif isinstance(content, list):
            for index, one in enumerate(content):
                yield part, (part, index), one
        elif part == "control":
            for name, one in content.items():
                yield part, (part, name), one


def _named(part: str, entry: Entry) -> dict[str, tuple[str, ...]]:
    """Return every clause that an entry names, with how each is met."""
    found: dict[str, set[str]] = {}
    for clause in listed(entry.get("clause")):
        found.setdefault(clause, set()).add(_whole(part, entry))
    for clause in listed(entry.get("variance")):
        found.setdefault(clause, set()).add("report")
    for word, way in INNER.items():
        for one in entry.get(word, []):
            for clause in listed(one.get("clause")):
                found.setdefault(clause, set()).add(way)
    return {clause: tuple(sorted(ways)) for clause, ways in found.items()}


def _whole(part: str, entry: Entry) -> str:
    if part == "paper":
        return "evidence"
    if part == "record":
        return "count" if entry["name"] in COUNTED else "report"
    return {**WHOLE, "limits": "gate", "family": "role"}.get(part, "entry")


def _heading(part: str, where: Any, entry: Entry) -> str:
    if part == "control":
        return f"[control.{where[1]}]"
    said = entry.get("step") or entry.get("name") or entry.get("kinds") or entry.get("games") or ""
    about = ", ".join(f"{key} {_words(value)}" for key, value in entry.get("when", {}).items())
    return " ".join(filter(None, [f"[[{where[0]}]]", _words(said), about and f"({about})"]))


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    return " or ".join(map(str, listed(value)))


def listed(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


def ways(check: str, found: tuple[Citation, ...]) -> list[str]:
    """Return how a clause is met: by the parts that name it; where only whole entries do, by what
    those entries hold of the kind that `check` (of clauses.csv) says, else as a gate.
    """
    exact = {way for one in found for way in one.ways if way != "entry"}
    return sorted(exact or {_by_entry(check, one) for one in found})


def _by_entry(check: str, one: Citation) -> str:
    steps = listed(one.entry.get("step"))
    if any(step in STEPS.get(check, ()) for step in steps):
        return check
    part = BY_CHECK.get(check, "")
    return INNER[part] if one.entry.get(part) else "gate"
