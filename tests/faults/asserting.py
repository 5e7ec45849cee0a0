"""What the named tests ask again and again of a site and its devices."""

from __future__ import annotations

from tests.faults import oracle
from tests.faults.site import Site
from tests.support import cast
from tests.support.client import Client


def receive(client: Client, *codes: str) -> list[str]:
    """Record the receipt of each code, an event each; return the events' ids."""
    return [client.record("receive", **cast.receive(code)) for code in codes]


def codes(client: Client, count: int) -> list[str]:
    """Return codes that no other device uses."""
    start = len(client.disk.events())
    return [f"{client.id[1:7].upper()}-{start + n:05}" for n in range(count)]


def held(site: Site, client: Client) -> list[str]:
    """Return the ids of a device's events in the log, in the log's order."""
    return [one.id for one in oracle.stored(site.ledger) if one.device == client.id]


def assert_once(site: Site, client: Client) -> None:
    """Assert that all that a device recorded is in the log, once, in order, byte for byte."""
    kept = client.disk.events()
    found = [one for one in oracle.stored(site.ledger) if one.device == client.id]
    assert [one.line for one in found] == [one.line for one in kept]
    assert client.waiting() == []


def kinds(site: Site, client: Client) -> list[str]:
    """Return the kinds of exceptions that a device's events raised, in no order that matters."""
    raised = oracle.raised(site.ledger)
    return sorted(kind for key, told in raised.items() if key[1] == client.id for kind, _ in told)
