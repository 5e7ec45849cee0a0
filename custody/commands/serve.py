"""`custody serve`: answer handhelds and desks until told to stop."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

import click
from cheroot.wsgi import Server
from flask import Flask

from custody import assets, collecting, memory, tls, wire
from custody.app import create_app
from custody.commands import site_node
from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger import editions
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.log.background import Background
from custody.ledger.totalling import Totalling
from custody.ledger.upstream import joining
from custody.ledger.warming import Warming

THREADS = 10
BACKLOG = 256
# Each statement lets go of the interpreter, and waits for it again behind whoever makes a page: in
# Python's 5 ms, twenty statements hold the writer's lock for a tenth of a second.
SWITCH_SECONDS = 0.001


@click.command("serve")
@ledger_options
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535))
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False), metavar="FILE")
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False), metavar="FILE")
@site_node.options
@telling_errors
def command(
    data: str | None,
    database: str | None,
    host: str,
    port: int,
    tls_cert: str | None,
    tls_key: str | None,
    upstream: str | None,
    upstream_code: str | None,
) -> None:
    """Serve the ledger of a data folder. Port 0 takes a free port. SIGTERM and SIGINT stop it.

    With --upstream it is a site node: it hands on what its devices record, and goes on without.
    """
    memory.bound()
    if bool(tls_cert) != bool(tls_key):
        raise click.UsageError("--tls-cert and --tls-key belong together: give both or neither")
    config = config_of(data, database, secure=bool(tls_cert))
    assets.ensure()
    if upstream:
        site_node.found(config, upstream, upstream_code)
    app = create_app(config)
    say_edition(app)
    with site_node.relaying(app, upstream, upstream_code):
        run(app, host, port, tls_cert, tls_key)


def say_edition(app: Flask) -> None:
    """Say on standard error that the ledger keeps another edition of the rulebook; at a site node
    that is its upstream's affair.
    """
    ledger: Ledger = app.extensions["custody"]
    with ledger.database.reading() as connection:
        is_node = joining.read(connection) is not None
        told = "" if is_node else editions.standing(Cache(connection)).words()
    if told:
        click.echo(f"Note: {told}", err=True)


def say_address(url: str) -> None:
    click.echo(f"Custody is at {url}")


def run(
    app: Flask,
    host: str,
    port: int,
    cert: str | None = None,
    key: str | None = None,
    announce: Callable[[str], None] = say_address,
) -> None:
    """Serve `app`, `announce` its address when it listens, and return after a signal stopped it."""
    server = Server((host, port), app, numthreads=THREADS, request_queue_size=BACKLOG)
    server.ConnectionClass = wire.Connection
    server.max_request_body_size = 0  # sync and uploads have limits of their own, with reasons
    if cert and key:
        server.ssl_adapter = tls.adapter(cert, key)
    collecting.seldom()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        server.prepare()
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {error}") from error
    tls.wait_for_data(server.socket)
    stopping = stop_on_signals(server)
    announce(address(server, bool(cert)))
    sys.stdout.flush()
    ledger = app.extensions["custody"]
    signer = Background(ledger.log).start()
    warming, totalling = Warming(ledger).start(), Totalling(ledger).start()
    giving_back = memory.GivingBack().start()
    server.serve()
    stopping.join()
    giving_back.stop()
    totalling.stop()
    warming.stop()
    signer.stop()
    ledger.close()


def address(server: Server, secure: bool) -> str:
    """Return the URL of a prepared server, with its real port."""
    host, port = server.bind_addr[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if secure else 'http'}://{shown}:{port}/"


def stop_on_signals(server: Server) -> threading.Thread:
    """Let SIGTERM and SIGINT end `serve()`; the thread returned ends when all is answered."""
    told = threading.Event()

    def wait_and_stop() -> None:
        told.wait()
        server.stop()

    def tell(_number: int, _frame: FrameType | None) -> None:
        told.set()

    signal.signal(signal.SIGTERM, tell)
    signal.signal(signal.SIGINT, tell)
    stopping = threading.Thread(target=wait_and_stop, daemon=True)
    stopping.start()
    return stopping
