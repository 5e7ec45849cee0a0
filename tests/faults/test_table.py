"""Every fault of the list has its tests, and the page says which."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

import pytest

from tests.faults import table

ROOT = Path(__file__).parents[2]


@lru_cache
def functions_of(file: str) -> dict[str, ast.FunctionDef]:
    tree = ast.parse((ROOT / file).read_text())
    return {one.name: one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}


@pytest.mark.parametrize(("fault", "tests"), table.FAULTS, ids=[one[0] for one in table.FAULTS])
def test_each_fault_has_tests_that_are_there(
    fault: str, tests: tuple[tuple[str, str], ...]
) -> None:
    assert tests, f"nothing tries {fault}"
    for file, name in tests:
        assert name in functions_of(file), f"{file} has no {name}"


def test_no_fault_is_listed_twice() -> None:
    faults = [fault for fault, _ in table.FAULTS]
    assert len(faults) == len(set(faults))


def test_the_page_of_faults_is_the_table() -> None:
    page = (ROOT / "docs" / "faults.md").read_text()
    assert page == table.markdown(), "run `python -m tests.faults.table > docs/faults.md`"
