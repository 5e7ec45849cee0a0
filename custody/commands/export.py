"""`custody export`: the ledger's contents as files."""

from __future__ import annotations

from pathlib import Path

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger import exporting
from custody.ledger.core import open_ledger
from custody.ledger.strict import dumps


@click.command("export")
@click.argument("what", type=click.Choice(["events"]))
@ledger_options
@click.option(
    "--format", "format_", type=click.Choice(["jsonl"]), default="jsonl", show_default=True
)
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE")
@telling_errors
def command(what: str, data: str | None, database: str | None, format_: str, out: Path) -> None:
    """Write the log with keys, signatures and exact bytes, for `python -m custody.verify`."""
    if out.exists():
        raise click.ClickException(f"{out} is there already; name another file")
    ledger = open_ledger(config_of(data, database))
    draft = out.with_name(out.name + ".part")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            for record in exporting.records(ledger):
                file.write(dumps(record) + "\n")
        draft.replace(out)
    except OSError as error:  # what a full disk says names no file
        raise OSError(error.errno, error.strerror, str(out)) from error
    finally:
        draft.unlink(missing_ok=True)
        ledger.close()
    click.echo(f"the {what} are in {out}", err=True)
