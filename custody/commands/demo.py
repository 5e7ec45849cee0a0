"""`custody demo`: a small casino to try everything in."""

from __future__ import annotations

import datetime
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from custody import assets, memory
from custody.app import create_app
from custody.commands.common import telling_errors
from custody.commands.device_code import qr
from custody.commands.serve import run
from custody.demo import casino, lan, paper, signons
from custody.demo.authority import Authority
from custody.ledger import devices
from custody.ledger.core import Ledger


@click.command("demo")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--data",
    default="demo-data",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the casino is kept; it is used again at the next start.",
)
@click.option("--lan", "on_lan", is_flag=True, help="Serve the LAN over HTTPS, for real handhelds.")
@click.option("--fresh", is_flag=True, help="Remove the casino in DIR and make a new one.")
@telling_errors
def command(port: int, data: Path, on_lan: bool, fresh: bool) -> None:
    """Serve a demonstration casino: people, places, stock, and a few days behind it."""
    memory.bound()
    folder = data.expanduser().resolve()
    try:
        assets.ensure()
        _prepare(folder, fresh)
    except casino.NotTheDemoError as error:
        raise click.ClickException(str(error)) from error
    _serve_lan(folder, port) if on_lan else _serve_here(folder, port)


def _prepare(folder: Path, fresh: bool) -> None:
    if fresh:
        casino.remove(folder)
    if casino.exists(folder):
        click.echo(f"{(folder / casino.MARK).read_text('utf-8').strip()} --fresh makes a new one.")
        return
    click.echo(f"Making a demonstration casino in {folder}:")
    now = datetime.datetime.now(datetime.UTC)
    casino.make(folder, now, lambda what: click.echo(f"  {what}"))


def _serve_here(folder: Path, port: int) -> None:
    app = create_app(casino.config(folder))
    ledger: Ledger = app.extensions["custody"]

    def announce(url: str) -> None:
        _announce(folder, ledger, url)
        click.echo("Only this machine can open it; custody demo --lan serves real handhelds.")

    run(app, "127.0.0.1", port, announce=announce)


def _serve_lan(folder: Path, port: int) -> None:
    authority, known = Authority(folder / "tls"), lan.names()
    certificate, key = authority.ensure(known, datetime.datetime.now(datetime.UTC))
    config = casino.config(folder)
    app = create_app(replace(config, secure_cookies=True))
    ledger: Ledger = app.extensions["custody"]
    stopping = ExitStack()

    def announce(url: str) -> None:
        address = f"https://{known[0]}:{url.rstrip('/').rsplit(':', 1)[1]}/"
        installing = lan.serve_authority(authority, f"{address}h/")
        stopping.callback(installing.stop)
        plain = f"http://{known[0]}:{installing.bind_addr[1]}/"
        _announce(folder, ledger, address)
        click.echo(f"\nFirst let a handheld trust this machine, by the certificate at {plain}")
        click.echo(f"SHA-256 {authority.fingerprint()}\n{qr(plain)}")

    with stopping:
        run(app, "0.0.0.0", port, str(certificate), str(key), announce=announce)


def _announce(folder: Path, ledger: Ledger, url: str) -> None:
    """Print the address, the sign-ons and the QR that enrols a handheld."""
    click.echo("\nSign-ons (for this demonstration alone):\n")
    click.echo(f"  {'name':12} {'job':26} {'badge':24} {'PIN':7} desk")
    for one in signons.load(folder):
        desk = f"{one.handle} / {one.password}" if one.password else ""
        click.echo(f"  {one.name:12} {one.job:26} {one.badge:24} {one.pin:7} {desk}".rstrip())
    link = f"{url}h/enrol#{devices.new_code(ledger)}"
    click.echo(f"\nThe desk is at        {url}")
    click.echo(f"A handheld enrols at  {link}  (once, within 15 minutes)")
    click.echo(qr(link))
    click.echo(f"Badges and labels to print are in {folder / paper.FOLDER}.")
    click.echo(f"Another code: custody device-code --data {folder} --url {url.rstrip('/')}")
