"""`custody backup`: a checked copy of a ledger, taken while it is served."""

from __future__ import annotations

from pathlib import Path

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.commands.verify import faults_of
from custody.ledger import backups


@click.command("backup")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@ledger_options
@telling_errors
def command(folder: Path, data: str | None, database: str | None) -> None:
    """Copy the ledger into the new folder DIR, with its keys, pictures and log, and check the copy.

    The server may go on meanwhile. Whoever has the copy can sign as this server: keep it as safe.
    """
    made = backups.take(config_of(data, database), folder.absolute(), faults_of)
    click.echo(f"{made.events} events are in {folder}, and the copy holds", err=True)
    click.echo(made.projections)
