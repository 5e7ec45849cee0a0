"""`custody simulate`: a ledger with as many events as a large house has in years."""

from __future__ import annotations

import click

from custody import collecting
from custody.commands.common import config_of, ledger_options, telling_errors
from custody.simulation import filling

EVERY = 10_000


@click.command("simulate")
@ledger_options
@click.option(
    "--events", default=100_000, show_default=True, type=click.IntRange(1), help="How many."
)
@telling_errors
def command(data: str | None, database: str | None, events: int) -> None:
    """Make a ledger of an invented casino in a new folder, and fill it through its own path.

    To try how a server and its database bear years of use. Every event is signed by an invented
    handheld, judged by the rules of Maryland, and breaks none of them.
    """
    collecting.seldom()
    ledger, clock = filling.make(config_of(data, database))
    try:
        filling.fill(ledger, clock, events, _progress)
        click.echo(ledger.size())
    finally:
        ledger.close()


def _progress(events: int) -> None:
    if events % EVERY == 0:
        click.echo(f"{events} events", err=True)
