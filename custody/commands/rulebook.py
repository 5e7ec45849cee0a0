"""`custody rulebook`: check an operator's overlay, and put it on a ledger's rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger import editions, judging, overlays
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger, open_ledger
from custody.rulebooks import loader, overlay
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.lines import Lines

FILE = click.argument(
    "path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


@click.group("rulebook")
def command() -> None:
    """The rulebook of a site, and the operator's overlay (operator.toml) on it."""


@command.command("check")
@FILE
def check(path: Path) -> None:
    """Read an overlay and say what is wrong with it: file, line, key, and what may stand there.

    Ends with 0 when it could be loaded, 1 when not.
    """
    try:
        text = _text(path)
        regime = str(loader.parse(path.name, text).get("regime", ""))
        read = overlay.read(path.name, text, _of(path.name, text, regime))
        overlays.check(read)
    except RulebookError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{read.id}: in force from {read.said['in_force']}, document {read.document}")


def _of(name: str, text: str, regime: str) -> dict[str, Any]:
    """The rulebook for which an overlay says that it is."""
    if regime not in loader.REGIMES:
        told = f"there is no regime '{regime}'"
        raise Lines(name, text).unknown(None, told, "regime", loader.REGIMES)
    return loader.rulebook(regime)


@command.command("load")
@ledger_options
@FILE
@telling_errors
def load(data: str | None, database: str | None, path: Path) -> None:
    """Put an overlay on a ledger's rulebook, from the day that it names.

    A file with a mistake changes nothing. Several versions may be loaded: each holds up to the
    day of the next.
    """
    ledger = open_ledger(config_of(data, database))
    try:
        entry = overlays.load(ledger, path.name, _text(path), [])
        click.echo(f"Event {entry.position}: {_in_force(ledger)}")
    finally:
        ledger.close()


@command.command("show")
@ledger_options
@telling_errors
def show(data: str | None, database: str | None) -> None:
    """Print the id of the rulebook by which a ledger's events are judged now.

    Says beside it whether this version of Custody brings another edition.
    """
    ledger = open_ledger(config_of(data, database))
    try:
        click.echo(_in_force(ledger))
        with ledger.database.reading() as connection:
            told = editions.standing(Cache(connection)).words()
        if told:
            click.echo(f"Note: {told}", err=True)
    finally:
        ledger.close()


@command.command("update")
@ledger_options
@telling_errors
def update(data: str | None, database: str | None) -> None:
    """Take the edition of the rulebook that this version of Custody brings.

    From now on events are judged by it, with the overlays that are loaded; what came before stays
    as it was judged.
    """
    ledger = open_ledger(config_of(data, database))
    try:
        entry = editions.update(ledger, [])
        click.echo(f"Event {entry.position}: {_in_force(ledger)}")
    finally:
        ledger.close()


def _in_force(ledger: Ledger) -> str:
    with ledger.database.reading() as connection:
        return judging.rulebook_id(Cache(connection))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path}: it is not UTF-8 text") from error
