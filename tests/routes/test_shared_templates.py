"""Partials that the desk (Jinja) and the handheld (Nunjucks) both render say the same on both.

Nunjucks silently renders nothing for some of what Jinja knows (`is none`, `for ... if`, negative
indexes), takes an empty list for true and writes null as nothing. So partials keep to a listed
subset, and one set of fixtures, with each value in turn made empty, null, false and hostile, is
rendered by both and compared.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, nodes

import custody
from custody.routes.pages import written
from custody_build.node import node

ROOT = Path(__file__).parents[2]
TEMPLATES = Path(custody.__file__).parent / "templates"
SHARED = sorted(f"shared/{path.name}" for path in (TEMPLATES / "shared").glob("*.html"))
FIXTURES: dict[str, list[Any]] = json.loads(
    Path(__file__).with_name("shared_fixtures.json").read_text()
)
ALLOWED = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.Getattr),
    *(nodes.Getitem, nodes.If, nodes.For, nodes.And, nodes.Or, nodes.Not, nodes.Compare),
    *(nodes.Operand, nodes.Filter, nodes.Include, nodes.Concat),
)
FILTERS = frozenset({"length", "lower", "upper"})
HOSTILE = "<script>\"'&</script>"
MUTATIONS: tuple[Any, ...] = ("", None, False, True, 0, -1, HOSTILE)


def environment() -> Environment:
    # Jinja drops a file's last line break unless told; on a page it means nothing.
    loader = FileSystemLoader(TEMPLATES)
    made = Environment(loader=loader, autoescape=True, keep_trailing_newline=True)
    made.finalize = written
    return made


def faults(source: str) -> list[str]:
    """Return what a partial uses beyond the subset, with its line."""
    found = []
    for node_ in environment().parse(source).find_all(nodes.Node):
        if not isinstance(node_, ALLOWED):
            found.append(f"line {node_.lineno}: {type(node_).__name__}")
        elif isinstance(node_, nodes.Filter) and node_.name not in FILTERS:
            found.append(f"line {node_.lineno}: filter {node_.name}")
        elif isinstance(node_, nodes.For) and (node_.test or node_.recursive):
            found.append(f"line {node_.lineno}: a loop with a condition")
        elif isinstance(node_, nodes.Getitem) and not isinstance(node_.arg, nodes.Const):
            found.append(f"line {node_.lineno}: an index that is computed")
        elif isinstance(node_, nodes.Operand) and node_.op not in ("eq", "ne"):
            found.append(f"line {node_.lineno}: comparison {node_.op}")
    return found


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_partial_keeps_to_what_both_engines_know(name: str) -> None:
    assert faults((TEMPLATES / name).read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        "{% if a is none %}x{% endif %}",
        "{% for x in a if x %}{{ x }}{% endfor %}",
        "{{ a[-1] }}",
        "{{ a | join(', ') }}",
        "{{ a() }}",
        "{% set x = 1 %}",
        "{% if a > 1 %}x{% endif %}",
        "{{ a if b else c }}",
    ],
)
def test_the_lint_finds_what_one_engine_does_not_know(source: str) -> None:
    assert faults(source)


def test_every_shared_partial_has_fixtures() -> None:
    assert sorted(FIXTURES) == SHARED


def test_both_engines_render_every_fixture_and_every_odd_value_alike(tmp_path: Path) -> None:
    wanted = [[name, case] for name in SHARED for case in cases(name)]
    assert len(wanted) > 100
    asked = tmp_path / "wanted.json"
    asked.write_text(json.dumps(wanted))
    script = Path(__file__).with_name("render_shared.mjs")
    theirs = json.loads(node(str(script), str(TEMPLATES), str(asked), cwd=ROOT))
    engine = environment()
    for (name, case), their in zip(wanted, theirs, strict=True):
        ours = engine.get_template(name).render(case)
        assert ours.replace("&#34;", "&quot;") == their, (name, case)  # two ways to escape one sign


def cases(name: str) -> Iterator[Any]:
    """Yield a partial's fixtures, then each again with one value made odd."""
    for fixture in FIXTURES[name]:
        yield fixture
        yield from odd(fixture)


def odd(value: Any) -> Iterator[Any]:
    """Yield copies of a value in which one part, however deep, is replaced by each odd value."""
    if isinstance(value, dict):
        parts: list[Any] = list(value)
    elif isinstance(value, list):
        parts = list(range(len(value)))
    else:
        return
    for part in parts:
        for other in [*replacements(value[part]), *odd(value[part])]:
            copied = value.copy()
            copied[part] = other
            yield copied


def replacements(value: Any) -> list[Any]:
    """Return what may stand instead of a value: a list stays a list, an object stays one."""
    if isinstance(value, list):
        return [[]]
    return [] if isinstance(value, dict) else list(MUTATIONS)
