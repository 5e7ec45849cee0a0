"""How every clause is met: the entries of the rulebooks, and the tests and scenarios of them.

What exercises a clause is read from the tests' text. An installed package has no tests, so the
result lies beside this file as `coverage.json`; `python -m custody.rulebooks.coverage`, run where
the tests are, writes it and docs/clauses.md anew, and a test fails while either is stale.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from custody.rulebooks.citing import Citation, citations, ways

CORE, ADJACENT, OUT = "core", "adjacent", "out"
ID = re.compile(r"\b(?:MD|NY|US)-[A-Za-z0-9.\-]*[A-Za-z0-9]")
# Tests in which clause ids are data, and nothing of the clause is tried.
DATA_ONLY = (
    *("test_rulebooks.py", "test_clauses.py", "test_coverage.py", "test_citing.py"),
    "test_taken_out.py",
)
Exercised = dict[str, dict[str, list[str]]]


class Row(NamedTuple):
    """One clause: its row of clauses.csv, how it is met, where, and what tries it."""

    clause: dict[str, str]
    ways: list[str]
    entries: tuple[Citation, ...]
    tests: list[str]
    scenarios: list[str]

    @property
    def status(self) -> str:
        """`met`; `untried` or `missing` (of a core clause); `not covered yet`; `out of scope`."""
        if self.clause["scope"] == OUT:
            return "out of scope"
        if not self.entries:
            return "missing" if self.clause["scope"] == CORE else "not covered yet"
        return "met" if self.tests or self.scenarios else "untried"


@cache
def clauses() -> dict[str, dict[str, str]]:
    """Return every clause by its id, with the columns of clauses.csv."""
    text = files("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8")
    return {row["id"]: row for row in csv.DictReader(text.splitlines())}


def rows(scope: str | None = None, tried: Exercised | None = None) -> list[Row]:
    """Return the clauses (of one scope, where it is named) in the order of clauses.csv."""
    known = exercised() if tried is None else tried
    return [row(id_, known) for id_, one in clauses().items() if scope in (None, one["scope"])]


def row(id_: str, tried: Exercised | None = None) -> Row:
    """Return one clause. Raises KeyError for an id that is none."""
    clause, found = clauses()[id_], citations().get(id_, ())
    by = (exercised() if tried is None else tried).get(id_, {})
    how = ways(clause["check"], found)
    return Row(clause, how, found, by.get("tests", []), by.get("scenarios", []))


@cache
def exercised() -> Exercised:
    """Return what the tests and scenarios try, as it was when this package was built."""
    text = files("custody.rulebooks").joinpath("coverage.json").read_text("utf-8")
    found: Exercised = json.loads(text)
    return found


def read_tests(folder: Path) -> Exercised:
    """Return the tests and scenarios below a folder by the clauses that they name."""
    found: Exercised = {}
    for kind, named in (("tests", _in_tests(folder)), ("scenarios", _in_scenarios(folder))):
        for clause, name in named:
            if clause in clauses():
                found.setdefault(clause, {}).setdefault(kind, []).append(name)
    return {
        clause: {kind: sorted(set(names)) for kind, names in sorted(by.items())}
        for clause, by in sorted(found.items())
    }


def _in_tests(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("test_*.py")):
        if path.name not in DATA_ONLY:
            text, name = path.read_text("utf-8"), path.relative_to(folder.parent).as_posix()
            for first, last, test in _functions(text, name):
                for clause in ID.findall("\n".join(text.splitlines()[first - 1 : last])):
                    yield clause, test


def _functions(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """Yield first and last line of each test, and of what stands beside the tests for several."""
    for node in ast.parse(text).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        last = node.end_lineno or node.lineno
        test = node.name if isinstance(node, ast.FunctionDef) else ""
        yield first, last, f"{name}::{test}" if test.startswith("test_") else name


def _in_scenarios(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((folder / "scenarios").rglob("*.jsonl")):
        name = path.relative_to(folder / "scenarios").with_suffix("").as_posix()
        for line in path.read_text("utf-8").splitlines():
            for clause in _tried(line.strip()):
                yield clause, name


def _tried(line: str) -> list[str]:
    """Return the clauses of a scenario's line: of a verdict, of `due`, of an `# about` line."""
    if line.startswith("# about "):
        return ID.findall(line)
    if not line or line.startswith("#"):
        return []
    said = json.loads(line)
    expected = said.get("expect")
    named = expected if said.get("ask") == "due" and isinstance(expected, list) else []
    return [clause for clause in [said.get("clause"), *named] if isinstance(clause, str)]


def tell(tried: Exercised) -> str:
    """Return the text of coverage.json."""
    return json.dumps(tried, indent=1, ensure_ascii=False) + "\n"


def write(root: Path) -> None:
    """Write coverage.json and docs/clauses.md of a checkout."""
    from custody.rulebooks.coverage_table import markdown

    tried = read_tests(root / "tests")
    Path(__file__).with_name("coverage.json").write_text(tell(tried), "utf-8")
    (root / "docs" / "clauses.md").write_text(markdown(rows(tried=tried)), "utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[2])
