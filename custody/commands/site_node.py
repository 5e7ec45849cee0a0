"""What `custody serve` does as a site node (docs/site-node.md)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from flask import Flask

from custody.config import Config
from custody.ledger.core import Ledger
from custody.ledger.upstream import joining
from custody.ledger.upstream.names import EXTENSION
from custody.sync.relay import starting
from custody.sync.relay.client import UpstreamRefused
from custody.sync.relay.http import Unreachable, UrlHttp
from custody.sync.relay.leading import Lead, alone
from custody.sync.relay.loop import Loop
from custody.sync.relay.starting import SiteNode

APPROVAL_S = 5.0  # between two looks whether the node was approved
Command = TypeVar("Command", bound=Callable[..., Any])


def options(command: Command) -> Command:
    """Add --upstream and --upstream-code."""
    url = click.option(
        "--upstream",
        envvar="CUSTODY_UPSTREAM",
        metavar="URL",
        callback=_url,
        help="Be a site node of the server at URL.",
    )
    code = click.option(
        "--upstream-code",
        envvar="CUSTODY_UPSTREAM_CODE",
        metavar="CODE",
        help="The upstream's one-time code; needed once.",
    )
    return url(code(command))


def _url(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    if url is not None:
        try:
            UrlHttp(url)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
    return url


def found(config: Config, url: str, code: str | None) -> None:
    """Make the ledger of an empty data folder from the upstream, which must answer for that."""
    if starting.is_founded(config):
        return
    if not code:
        raise click.UsageError(
            f"{config.data} holds no ledger: give --upstream-code to make a node's from {url}"
        )
    try:
        token = starting.found_from(config, url, code, UrlHttp(url), wait_for_approval)
    except (UpstreamRefused, Unreachable) as error:
        raise click.ClickException(f"the upstream {url}: {error}") from error
    click.echo("The node's administrator sets a password, once and within a day, at", err=True)
    click.echo(f"/welcome/{token}", err=True)


def wait_for_approval(device: str) -> None:
    """Say that an administrator must approve the node upstream, and wait a little."""
    click.echo(f"Approve the device {device} at the upstream; this waits for it.", err=True)
    time.sleep(APPROVAL_S)


@contextmanager
def relaying(app: Flask, url: str | None, code: str | None) -> Iterator[None]:
    """Relay and pull in the background while `app` serves, unless another process of the node
    does; nothing without an upstream.
    """
    ledger: Ledger = app.extensions["custody"]
    if not url:
        if code:
            raise click.UsageError("--upstream-code goes with --upstream")
        _warn_of_upstream(ledger)
        yield
        return
    node = SiteNode(ledger, url, code, UrlHttp)
    app.extensions[EXTENSION] = node
    lead = Lead(ledger)
    loop = Loop(alone(lead, node.once, node.stand_by)).start()
    try:
        yield
    finally:
        loop.stop()
        lead.give_up()


def _warn_of_upstream(ledger: Ledger) -> None:
    joined = joining.joined(ledger)
    if joined is not None:
        click.echo(
            f"This is a site node of {joined.url}, and hands nothing on without --upstream.",
            err=True,
        )
