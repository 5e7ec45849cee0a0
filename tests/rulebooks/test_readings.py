"""docs/readings.md: what is unclear in the texts, and how it is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from custody.rulebooks import coverage
from custody.rulebooks.citing import citations

TABLE = Path(__file__).parents[2] / "docs" / "readings.md"


def rows() -> list[list[str]]:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


@pytest.mark.parametrize("row", rows(), ids=[row[0] for row in rows()])
def test_a_reading_names_its_clause_and_the_files_that_enforce_it(row: list[str]) -> None:
    clause, section, unclear, reading, where = row
    assert clause in coverage.clauses()
    assert all((section, unclear, reading))
    files = re.findall(r"`([a-z0-9_]+\.toml)`", where)
    assert files
    assert {one.file for one in citations()[clause]} & set(files), clause


def test_every_regime_has_readings_and_no_clause_two() -> None:
    found = [row[0] for row in rows()]
    assert len(found) == len(set(found))
    assert {coverage.clauses()[one]["regime"] for one in found} == {"MD", "NY", "US542", "US543"}
