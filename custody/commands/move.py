"""`custody move`: carry a ledger over to another database."""

from __future__ import annotations

import click

from custody.commands.common import config_of, telling_errors
from custody.config import ConfigError, database_url
from custody.ledger import moving

EVERY = 100_000


@click.command("move")
@click.option("--data", envvar="CUSTODY_DATA", help="The data folder.", metavar="DIR")
@click.option("--from", "source", metavar="URL", help="The database; as `serve` finds it if not.")
@click.option("--to", "target", metavar="URL", required=True, help="The empty database to fill.")
@telling_errors
def command(data: str | None, source: str | None, target: str) -> None:
    """Copy the ledger into an empty database, SQLite or PostgreSQL, and check that it is the same.

    Stop the server first, and start it with --database URL after. The data folder stays where it
    is; the database of before is kept, and takes no more events. Prints the digest of the
    projections, which is that of `custody rebuild`.
    """
    config = config_of(data, source)
    try:
        url = database_url(config.data, target)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error
    moved = moving.move(config, url, _progress)
    click.echo(f"{moved.events} events are moved; the root of their tree is {moved.root}", err=True)
    click.echo(moved.projections)


def _progress(table: str, copied: int) -> None:
    if copied % EVERY == 0:
        click.echo(f"{table}: {copied} rows", err=True)
