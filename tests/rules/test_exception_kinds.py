"""Kinds of exceptions have their names in one place (custody.rules.exception_kinds)."""

import ast
from pathlib import Path

from custody.rulebooks import loader
from custody.rules import exception_kinds

ROOT = Path(__file__).parents[2] / "custody"
WORDS = {value for name, value in vars(exception_kinds).items() if name.isupper()}
# Words of other things as well: a problem of the protocol, a clock, a fork of a run.
OTHERS_TOO = {"log-rewritten", "clock", "late", "unreadable", "fork"}


def test_the_names_are_those_of_the_vocabularys_closed_list() -> None:
    words = loader.rulebook("MD")["vocabulary"]["exceptions"]["words"]
    assert sorted(WORDS) == sorted(words)


def test_no_module_but_one_writes_a_kind_of_exception_out() -> None:
    written = {
        f"{path.relative_to(ROOT)}: {node.value}"
        for path in ROOT.rglob("*.py")
        if path.name != "exception_kinds.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in WORDS - OTHERS_TOO
    }
    assert not written
