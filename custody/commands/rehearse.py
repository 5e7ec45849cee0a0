"""`custody rehearse`: play scenarios against a rulebook and say whether each verdict is the
expected one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from custody.rulebooks import overlay, overlay_merge
from custody.rulebooks.loader import rulebook, site
from custody.rulebooks.schema import RulebookError
from custody.rulebooks.zones import UnknownZoneError
from custody.rules import portal
from custody.rules_host.micropython import (
    MissingInterpreterError,
    MissingNodeError,
    Portal,
    PortalError,
)

Call = Callable[[str, dict[str, Any]], Any]
SCENARIO_ERROR = 2


class ScenarioError(Exception):
    """A scenario cannot be played. Attributes: `line`, `problem`."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line, self.problem = line, problem


@click.command("rehearse")
@click.option(
    "--under",
    type=click.Choice(["cpython", "micropython"]),
    default="cpython",
    show_default=True,
    help="The interpreter that runs the rules.",
)
@click.option(
    "--overlay",
    "overlay_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="An operator's overlay (operator.toml), put on the rulebook of each scenario.",
)
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
def command(under: str, overlay_file: Path | None, paths: tuple[Path, ...]) -> None:
    """Play scenarios (JSON Lines) against an empty ledger.

    Ends with 0 when every verdict is the expected one, 1 when one differs, 2 when a file has a
    mistake.
    """
    with ExitStack() as stack:
        call = _interpreter(under, stack)
        outcomes = [_file(call, path, overlay_file) for path in paths]
    passed = outcomes.count("passed")
    click.echo(f"{passed} passed, {len(outcomes) - passed} failed")
    if "mistake" in outcomes:
        raise SystemExit(SCENARIO_ERROR)
    if "failed" in outcomes:
        raise SystemExit(1)


def _interpreter(under: str, stack: ExitStack) -> Call:
    if under == "cpython":
        return _here
    try:
        return stack.enter_context(Portal()).call
    except (MissingNodeError, MissingInterpreterError) as error:
        raise click.ClickException(str(error)) from error


def _here(name: str, given: dict[str, Any]) -> Any:
    """Call the core in this interpreter, without the door's JSON, so that errors keep their
    trace.
    """
    return portal.FUNCTIONS[name](portal.known({}), given)


def _file(call: Call, path: Path, overlay_file: Path | None) -> str:
    """Play one file, print what came of it, and return `passed`, `failed` or `mistake`."""
    try:
        checks = _play(call, _text(path), overlay_file)
    except ScenarioError as error:
        click.echo(f"{path}, line {error.line}: {error.problem}", err=True)
        return "mistake"
    except (OSError, RulebookError, PortalError) as error:
        mine = isinstance(error, RulebookError) and error.file == str(path)
        click.echo(str(error) if mine else f"{path}: {error}", err=True)
        return "mistake"
    wrong = [check for check in checks if not check["ok"]]
    click.echo(f"{path}: {_verdict(len(checks), len(wrong))}")
    for check in wrong:
        click.echo(f"  line {check['line']}: {check['text']}")
    return "failed" if wrong else "passed"


def _text(path: Path) -> str:
    """Return what stands in a file. Raises OSError, and RulebookError where it is not UTF-8."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise RulebookError(str(path), line, f"This is not UTF-8: {error.reason}.") from error


def _verdict(checks: int, wrong: int) -> str:
    return f"{wrong} of {checks} verdicts differ" if wrong else f"all {checks} verdicts as expected"


def _play(call: Call, text: str, overlay_file: Path | None) -> list[dict[str, Any]]:
    scene = _answer(call("setting", {"text": text}))
    try:
        book, register = _rules(scene["regime"], overlay_file)
        given = {"text": text, "rulebook": book, "site": {**site(scene), "register": register}}
    except (UnknownZoneError, RulebookError) as error:
        raise ScenarioError(1, str(error)) from error
    checks: list[dict[str, Any]] = _answer(call("rehearse", given))["checks"]
    return checks


def _rules(regime: str, overlay_file: Path | None) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return the rulebook of a regime with an overlay on it, and the overlay's choices by day."""
    own = rulebook(regime)
    if overlay_file is None:
        return own, []
    read = overlay.read(overlay_file.name, _text(overlay_file), own)
    first = read.said["in_force"]
    chosen = overlay_merge.choices(read.said)
    return overlay_merge.merge(own, [(read.id, read.said)]), [
        [name, first, None, value] for name, value in chosen.items()
    ]


def _answer(told: dict[str, Any]) -> dict[str, Any]:
    if "mistake" in told:
        raise ScenarioError(told["mistake"]["line"], told["mistake"]["problem"])
    played: dict[str, Any] = told["played"]
    return played
