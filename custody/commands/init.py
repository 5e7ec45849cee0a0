"""`custody init`: make a ledger from a setting."""

from __future__ import annotations

from pathlib import Path

import click

from custody.commands.common import Address, config_of, ledger_options, telling_errors
from custody.ledger.errors import SettingError
from custody.ledger.founding import found
from custody.ledger.setting import read_setting


@click.command("init")
@ledger_options
@click.option(
    "--setting",
    "setting_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help='JSON: the first line of a scenario, with "site".',
)
@click.option(
    "--url",
    type=Address(),
    default="http://localhost:8080",
    show_default=True,
    help="The server's address, for the administrator's link.",
)
@telling_errors
def command(data: str | None, database: str | None, setting_file: Path, url: str) -> None:
    """Make a new ledger in a data folder. Prints the first administrator's one-time link."""
    config = config_of(data, database)
    try:
        setting = read_setting(setting_file.read_bytes())
    except SettingError as error:
        raise click.ClickException(f"{setting_file}: {error}") from error
    secret = found(config, setting)
    click.echo(f"A ledger for {setting.site['id']} is in {config.data}", err=True)
    click.echo("The first administrator sets a password, once and within a day, at", err=True)
    click.echo(f"{url}/welcome/{secret}")
