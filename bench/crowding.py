"""Who makes a crowd, and what each does in turn: handhelds that work, and desks that look.

Each is an iterator that yields after how many seconds of the crowd's time it acts next. So they can
act in time, each in a thread of its own, or one after the other as fast as they are answered.
"""

from __future__ import annotations

import itertools
import json
import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Iterator

from bench.served import House, Wire
from custody.ledger import accounts
from custody.ledger.work import OPEN_EXCEPTION
from custody.routes.guard import COOKIE
from custody.simulation.lives import Step, life
from tests.support.client import Client, receiving, sending

PAUSE = 10.0  # seconds between a handheld's acts, as at busy tables
LOOK = 20.0  # seconds between the pages that a desk opens
LISTEN = 60.0  # seconds after which Today asks again (templates/desk/today/show.html)
MISSING = 50  # of so many acts one lacks a signer
STOCK = 10  # sticks that a handheld puts into the vault before it takes the first of them out
DESKS = ("floor", "guard", "chief", "manager", "shift")
CLOSER = "chief"
PART = {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Current-URL": "/"}
STICKS = 10_000  # numbers of each handheld


class Notes:
    """What all that take part note: seconds by kind, and errors by what they were."""

    def __init__(self) -> None:
        self.took: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.codes: deque[str] = deque(maxlen=1000)  # of items that desks may look at

    def note(self, wire: Wire) -> None:
        wire.seen = lambda kind, took: self.took[kind].append(took)
        wire.failed = lambda what: self.errors.update([what])


def stays(number: int) -> Iterator[list[Step]]:
    """Yield the steps of each act of a handheld that only receives and stores: nothing leaves."""
    for stick in itertools.count(number * STICKS + 1):
        yield list(itertools.islice(life(stick), 2))


def leaves(number: int) -> Iterator[list[Step]]:
    """Yield the steps of each act of a handheld that, once it has its stock, takes the oldest stick
    to a table, through play and to its destruction, and receives the next: as many as come, go.
    """
    stock: deque[Iterator[Step]] = deque()
    for stick in itertools.count(number * STICKS + 1):
        steps = life(stick)
        yield list(itertools.islice(steps, 2))
        stock.append(steps)
        while len(stock) >= STOCK and (some := list(itertools.islice(stock[0], 2))):
            yield some
        if len(stock) >= STOCK:
            stock.popleft()


class Handheld:
    """What one handheld records, pushes and pulls in turn; what lacks a signer it has closed in its
    next act.
    """

    def __init__(self, client: Client, number: int, notes: Notes) -> None:
        self._client, self._number, self._notes = client, number, notes
        self._saw: dict[str, str] = {}  # the last event of each code

    def acts(self, work: Iterator[list[Step]]) -> Iterator[float]:
        yield PAUSE * (self._number % 50) / 50  # they did not all start at once
        for done, steps in enumerate(work):
            self._close()
            for n, step in enumerate(steps):
                self._record(step, lacks=n == 0 and (self._number + done) % MISSING == 0)
            trouble = sending.drain(self._client) or receiving.pull(self._client)
            if trouble:
                self._notes.errors.update([f"handheld: {trouble}"])
            yield PAUSE

    def _record(self, step: Step, *, lacks: bool) -> None:
        saw = {code: self._saw[code] for code in step.claims if code in self._saw}
        by = list(step.by[:-1] or step.by) if lacks else list(step.by)
        told = {"items": [step.claims[0]], "by": by, "saw": saw, "day": None, **step.fields}
        id_ = self._client.record(step.step, **told)
        into = step.fields.get("into")
        self._saw.update(dict.fromkeys([*step.claims, *([into] if into else [])], id_))
        self._notes.codes.append(step.claims[0])

    def _close(self) -> None:
        """Close what is open about items of its own."""
        query = "SELECT id, value FROM record WHERE of_ = 'task' AND id LIKE ?"
        for id_, text in self._client.disk.rows(query, f"{OPEN_EXCEPTION}%"):
            mine = [code for code in json.loads(text)["items"] if code in self._saw]
            if mine:
                told = {"exception": id_.removeprefix(OPEN_EXCEPTION), "outcome": "signed on paper"}
                saw = {code: self._saw[code] for code in mine}
                made = self._client.record(
                    "resolve", items=mine, by=[CLOSER], saw=saw, day=None, **{"with": told}
                )
                self._saw.update(dict.fromkeys(mine, made))


def desk(house: House, number: int, notes: Notes) -> Iterator[float]:
    """Look at Today, listen, and open other pages."""
    wire = Wire(house.server.port)
    notes.note(wire)
    cookie = secrets.token_urlsafe()
    accounts.open_session(house.ledger, DESKS[number % len(DESKS)], cookie)
    headers = {"Cookie": f"{COOKIE}={cookie}"}
    yield LOOK * (number % 50) / 50
    wire.request("GET", "/", headers, None)
    for done in itertools.count(1):
        yield LOOK
        if done % round(LISTEN / LOOK) == 0:
            wire.request("GET", "/", {**headers, **PART}, None)
        wire.request("GET", _page(number + done, notes), headers, None)


def _page(turn: int, notes: Notes) -> str:
    code = notes.codes[turn * 7 % len(notes.codes)] if notes.codes else ""
    pages = ("/exceptions", f"/items/{code}", "/due", f"/find?q={code}", "/stock/vault")
    return pages[turn % len(pages)] if code else "/exceptions"
