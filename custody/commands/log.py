"""`custody log`: resume a log that stopped, and change its keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger import log_acts
from custody.ledger.core import Ledger, open_ledger


@click.group("log")
def command() -> None:
    """Look after the verifiable log: see its state, resume it, change its keys."""


@contextmanager
def _ledger(data: str | None, database: str | None) -> Iterator[Ledger]:
    ledger = open_ledger(config_of(data, database))
    try:
        yield ledger
    finally:
        ledger.close()


@command.command("status")
@ledger_options
@telling_errors
def status(data: str | None, database: str | None) -> None:
    """Print origin, size and state of the log; exit status 1 when it has stopped."""
    with _ledger(data, database) as ledger:
        found = ledger.log.health()
    click.echo(f"{found['origin']}: {found['size']} events signed, {found['state']}")
    if found["reason"]:
        raise click.ClickException(found["reason"])


@command.command("resume")
@ledger_options
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept with the new log.")
@telling_errors
def resume(data: str | None, database: str | None, reason: str) -> None:
    """Start a new log where the old one stopped. It names the last checkpoint known of the old."""
    if not reason.strip():
        raise click.UsageError("--reason must say why a new log is started")
    with _ledger(data, database) as ledger:
        head = log_acts.resume(ledger, reason)
    click.echo(f"The log goes on as {head.origin}; {head.previous}")
    click.echo("Give its verifier (/log/verifier) to those who check it.", err=True)


@command.command("rotate")
@ledger_options
@telling_errors
def rotate(data: str | None, database: str | None) -> None:
    """Add a signing key beside the present ones. Retire the oldest once all know the new one."""
    with _ledger(data, database) as ledger:
        ledger.log.log.keys.rotate()
        verifiers = ledger.log.verifiers()
    click.echo("\n".join(verifiers))


@command.command("retire")
@ledger_options
@telling_errors
def retire(data: str | None, database: str | None) -> None:
    """Delete the oldest private key. What it signed can still be checked."""
    with _ledger(data, database) as ledger:
        ledger.log.log.keys.retire()
        verifiers = ledger.log.verifiers()
    click.echo("\n".join(verifiers))
