"""Commit together what waits for the writer's lock, so that the disk is waited for once.

Two hundred handhelds push a few events each, and each commit waits for the disk: one after the
other they would take turns at it and hold up every thread of the server. So who finds another at
it waits, and whoever is next takes along all that wait by then. Each still finds the ledger as the
one before it left it; nobody is answered before what is theirs is durable.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from sqlalchemy import Connection

from custody.ledger.database import Database

MOST = 500  # events that are committed together: who pushed a few does not wait for thousands
One = TypeVar("One")
Act = Callable[[Connection, bool], One]  # `again`: an earlier try was rolled back


class Writing(Generic[One]):
    """What one thread wants written, and what came of it."""

    def __init__(self, act: Act[One], events: int) -> None:
        self.act, self.events = act, events
        self.leads = False
        self.told = threading.Event()
        self.found: list[One] = []
        self.error: BaseException | None = None

    def run(self, connection: Connection, *, again: bool) -> None:
        self.found = [self.act(connection, again)]

    def answer(self) -> One:
        """Return what came of it, or raise what it raised."""
        if self.error is not None:
            raise self.error
        return self.found[0]


class Together:
    """Those of one process that want to write."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._one = threading.Lock()
        self._waiting: deque[Writing[object]] = deque()
        self._is_led = False

    def write(self, act: Act[One], events: int) -> One:
        """Return what `act` returned, once what it wrote of so many events is durable.

        What it raises is raised here, and nothing of it is stored. It may be called a second time,
        with `again`, after what it wrote was rolled back because of another.
        """
        mine: Writing[One] = Writing(act, events)
        self._begin(mine)
        if not mine.leads:
            mine.told.wait()
        if mine.leads:
            self._lead(mine)
        return mine.answer()

    def _begin(self, mine: Writing[One]) -> None:
        with self._one:
            mine.leads = not self._is_led
            self._is_led = True
            if not mine.leads:
                self._waiting.append(mine)  # type: ignore[arg-type]

    def _lead(self, mine: Writing[One]) -> None:
        """Write one's own and what waits, then let the next lead."""
        group: list[Writing[object]] = [mine]  # type: ignore[list-item]
        try:
            with self._database.writing() as connection:
                group += self._joining(mine.events)
                for one in group:
                    one.run(connection, again=False)
        except BaseException as error:  # noqa: BLE001 - raised again by whoever it is of
            self._fail(group, error)
        finally:
            self._hand_on(group)

    def _joining(self, events: int) -> list[Writing[object]]:
        """Return those that wait, the longest first, as many as are committed together."""
        found = []
        with self._one:
            while self._waiting and events + self._waiting[0].events <= MOST:
                found.append(self._waiting.popleft())
                events += found[-1].events
        return found

    def _fail(self, group: list[Writing[object]], error: BaseException) -> None:
        """Let nobody bear what another did: of several, each is tried again alone."""
        for one in group:
            one.error = error
        for one in group if len(group) > 1 and isinstance(error, Exception) else ():
            try:
                with self._database.writing() as connection:
                    one.run(connection, again=True)
                one.error = None
            except Exception as own:  # noqa: BLE001 - raised again by whoever it is of
                one.error = own

    def _hand_on(self, group: list[Writing[object]]) -> None:
        with self._one:
            self._is_led = bool(self._waiting)
            if self._is_led:
                after = self._waiting.popleft()
                after.leads = True
                after.told.set()
        for one in group:
            one.told.set()
