"""What the handheld loads of the rules: the same code on the same lines, and no text for people."""

import ast
from pathlib import Path

import pytest

from custody_build.bare import bare

RULES = sorted((Path(__file__).parents[2] / "custody" / "rules").rglob("*.py"))


def undocumented(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if documented and ast.get_docstring(node) is not None:
            rest = node.body[1:]
            node.body = rest if rest or isinstance(node, ast.Module) else [ast.Pass()]
    return tree


def told(tree: ast.Module) -> str:
    """Return the code, each node with its line."""
    lines = [
        getattr(node, "lineno", 0) for node in ast.walk(tree) if not isinstance(node, ast.Pass)
    ]
    return ast.dump(tree) + str(lines)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_each_rule_is_the_same_code_on_the_same_lines(path: Path) -> None:
    text = path.read_text("utf-8")
    assert told(ast.parse(bare(text))) == told(undocumented(ast.parse(text)))


def test_what_is_left_out_is_text_for_people_alone() -> None:
    text = (
        '"""Rules."""\n\nSIGN = "# no comment"  # a comment\n\n\nclass Wrong(Exception):\n'
        '    """Raised.\n\n    Twice."""\n\n\ndef of(found):\n    """One."""\n    return "é"  # é\n'
    )
    assert bare(text) == (
        '\n\nSIGN = "# no comment"\n\n\nclass Wrong(Exception):\n'
        '    pass\n\n\n\n\ndef of(found):\n\n    return "é"\n'
    )
    assert bare("") == "\n"
