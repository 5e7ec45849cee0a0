"""How long a ledger's reads take: lives, pages, the changes feed and receipts.

Each act is told twice, by the clock and by processor time: on a machine that does other work only
the second says something.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from flask.testing import FlaskClient

from bench import stocking
from custody.app import create_app
from custody.ledger import accounts, feed, totals
from custody.ledger.core import Ledger
from custody.ledger.reading import life
from custody.routes.guard import COOKIE
from custody.rules import codes

SAMPLES = 300  # items looked up
TIMES = 5  # that a page is asked for
SLOW = 5000  # milliseconds of processor time: what takes longer is asked for once
READER = "auditor"  # whose job may read every page
SIGNED_ON = secrets.token_urlsafe()
Figures = dict[str, Any]
PAGES = (
    *("/", "/due", "/exceptions", "/stock", "/stock/vault", "/stock/security", "/envelopes"),
    *("/counts", "/silence", "/events", "/destruction/log", "/reconcile?kind=dice", "/records"),
)


def percentiles(times: Sequence[float]) -> Figures:
    ordered = sorted(times)
    at = {"median": 0.5, "p95": 0.95}
    found = {
        name: round(ordered[int(len(ordered) * share)] * 1000, 2) for name, share in at.items()
    }
    return {**found, "worst": round(ordered[-1] * 1000, 2)}


def timed(acts: Sequence[Callable[[], object]]) -> Figures:
    """Return how many milliseconds these acts take, by the clock and by the processor."""
    clock, processor = [], []
    for act in acts:
        began, used = time.perf_counter(), time.process_time()
        act()
        processor.append(time.process_time() - used)
        clock.append(time.perf_counter() - began)
    return {"ms": percentiles(clock), "processor_ms": percentiles(processor), "count": len(clock)}


def often(act: Callable[[], object]) -> Figures:
    """Measure an act a few times; once where it is slow."""
    first = timed([act])
    return first if first["processor_ms"]["worst"] > SLOW else timed([act] * TIMES)


def of(ledger: Ledger, lives: int) -> Figures:
    """Measure all reads of a ledger in which that many sticks, from the first on, have a life."""
    while totals.keep_up(ledger):  # as a server does in the background
        pass
    some, client = sticks(lives), signed_on(ledger)
    return {
        "item_life": of_lives(ledger, client, some),
        "feed": of_the_feed(ledger),
        "receipts": of_receipts(ledger, some),
        "pages": of_pages(client, some),
    }


def sticks(lives: int) -> list[str]:
    """Return codes drawn by a seed out of that many sticks whose lives are over."""
    drawn = random.Random(7)
    return [codes.make("DS", drawn.randrange(1, lives + 1)) for _ in range(SAMPLES)]


def of_lives(ledger: Ledger, client: FlaskClient, some: list[str]) -> Figures:
    """Measure lives at the database and at the page; the long one as well, by itself."""

    def look(code: str, entries: int) -> None:
        assert len(life.of_item(ledger, code)["entries"]) == entries, code

    def at_the_page(code: str) -> Callable[[], object]:
        return lambda: show(client, f"/items/{code}")

    look(some[0], 13)
    at_the_page(some[0])()
    long = 2 + 2 * stocking.ROUNDS
    return {
        "at_the_database": timed([lambda code=code: look(code, 13) for code in some]),  # type: ignore[misc]
        "at_the_page": timed([at_the_page(code) for code in some]),
        f"of_{long}_events_at_the_database": often(lambda: look(stocking.LONG, long)),
        f"of_{long}_events_at_the_page": often(at_the_page(stocking.LONG)),
    }


def of_pages(client: FlaskClient, some: list[str]) -> Figures:
    """Measure the desk's pages, searches among them."""
    searches = (some[0], some[0][:9], stocking.LONG, "S0000", "vault", "no such thing")
    addresses = (*PAGES, *(f"/find?q={quote(words)}" for words in searches))

    def page(address: str) -> Figures:
        status = client.get(address, follow_redirects=True).status_code  # also its first time
        if status != 200:
            return {"status": status}
        return often(lambda: show(client, address))

    return {address: page(address) for address in addresses}


def signed_on(ledger: Ledger) -> FlaskClient:
    client = create_app(ledger.config, ledger).test_client()
    accounts.new_link(ledger, READER)  # which makes the account
    accounts.open_session(ledger, READER, SIGNED_ON)
    client.set_cookie(COOKIE, SIGNED_ON)
    return client


def show(client: FlaskClient, address: str) -> None:
    answer = client.get(address, follow_redirects=True)
    assert answer.status_code == 200, (address, answer.status_code)


def of_the_feed(ledger: Ledger) -> Figures:
    """Measure a first sync, page by page, and what a handheld asks for again and again."""
    pages: list[feed.Page] = []

    def pull() -> None:
        cursor = pages[-1].cursor if pages else ""
        pages.append(feed.changes_after(ledger, cursor, feed.MOST))

    acts = [timed([pull])]
    while pages[-1].more:
        acts.append(timed([pull]))
    changes = sum(len(page.changes) for page in pages)
    processor = sum(one["processor_ms"]["worst"] for one in acts)
    return {
        "first_sync": {
            "pages": len(acts),
            "changes": changes,
            "processor_seconds": round(processor / 1000, 2),
            "longest_page_ms": max(one["ms"]["worst"] for one in acts),
        },
        "nothing_new": often(lambda: feed.changes_after(ledger, pages[-1].cursor, feed.MOST)),
    }


def of_receipts(ledger: Ledger, some: list[str]) -> Figures:
    """Measure receipts of events all over the log."""
    ledger.log.fresh()
    ids = [life.of_item(ledger, code)["entries"][0]["id"] for code in some[:50]]
    return timed([lambda id_=id_: ledger.log.receipt(id_) for id_ in ids])  # type: ignore[misc]
