"""`custody device-code`: a one-time code by which a handheld enrols."""

from __future__ import annotations

import io
import sys

import click
import qrcode

from custody.commands.common import Address, config_of, ledger_options, telling_errors
from custody.ledger.core import open_ledger
from custody.ledger.devices import new_code

BLACK_ON_WHITE, PLAIN = "\x1b[30;107m", "\x1b[0m"


@click.command("device-code")
@ledger_options
@click.option(
    "--url",
    type=Address(),
    default="http://localhost:8080",
    show_default=True,
    help="The server's address as handhelds reach it; the QR opens it.",
)
@telling_errors
def command(data: str | None, database: str | None, url: str) -> None:
    """Print a one-time enrolment code, good for 15 minutes, and a QR of the page that takes it."""
    ledger = open_ledger(config_of(data, database))
    try:
        code = new_code(ledger)
    finally:
        ledger.close()
    click.echo(code)
    click.echo(qr(f"{url}/h/enrol#{code}"))


def qr(text: str) -> str:
    """Return a QR code as text: black on white on a terminal, whatever its own colours are."""
    made = qrcode.QRCode(border=2)
    made.add_data(text)
    out = io.StringIO()
    made.print_ascii(out=out)
    if not sys.stdout.isatty():
        return out.getvalue()
    return "".join(f"{BLACK_ON_WHITE}{line}{PLAIN}\n" for line in out.getvalue().splitlines())
