"""`custody restore`: put a backup back."""

from __future__ import annotations

from pathlib import Path

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger import backups


@click.command("restore")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@ledger_options
@click.option("--over", is_flag=True, help="Replace the ledger that is there; it is set aside.")
@telling_errors
def command(folder: Path, data: str | None, database: str | None, over: bool) -> None:
    """Put the backup in DIR into the data folder, with the server stopped.

    A later log/checkpoint that is there stays: the server then signs nothing until the handhelds
    sent again what was lost, or `custody log resume` starts the next log.
    """
    config = config_of(data, database)
    done = backups.restore(folder.absolute(), config, over=over)
    click.echo(f"{done.manifest.events} events are restored into {config.data}", err=True)
    if done.aside:
        click.echo(f"The database that was there is now {done.aside}", err=True)
    if done.newer is not None:
        click.echo(_warning(done.newer), err=True)


def _warning(newer: int) -> str:
    return (
        f"The checkpoint that was signed last, over {newer} events, is later than the backup's "
        "events and stays. The server takes events, and signs nothing that contradicts it. Let the "
        "handhelds sync; if `custody log status` then still says stopped, "
        "`custody log resume --reason TEXT` starts the next log."
    )
