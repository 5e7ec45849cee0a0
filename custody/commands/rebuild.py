"""`custody rebuild`: make every projection again from the log."""

from __future__ import annotations

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger.core import open_ledger
from custody.ledger.rebuilding import rebuild

EVERY = 10_000


@click.command("rebuild")
@ledger_options
@telling_errors
def command(data: str | None, database: str | None) -> None:
    """Drop and rebuild every projection; print their digest, which is the same each time."""
    ledger = open_ledger(config_of(data, database))
    try:
        click.echo(rebuild(ledger, _progress))
    finally:
        ledger.close()


def _progress(events: int) -> None:
    if events % EVERY == 0:
        click.echo(f"{events} events", err=True)
