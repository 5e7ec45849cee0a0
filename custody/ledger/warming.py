"""Ask the rules ahead in the background of a serving process, so that no first page waits."""

from __future__ import annotations

import logging
import threading

from sqlalchemy.exc import SQLAlchemyError

from custody.ledger.core import Ledger
from custody.ledger.reading import deadlines

EVERY_SECONDS = 2.0
_told = logging.getLogger("custody.warming")


class Warming:
    """A thread that takes in every two seconds what has changed for the deadlines of `Today`.

    Where the database is away it says so once and tries again: the page itself shows what is wrong.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._away = False

    def start(self) -> Warming:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        self._once()
        while not self._ending.wait(EVERY_SECONDS):
            self._once()

    def _once(self) -> None:
        try:
            deadlines.warm(self._ledger)
        except SQLAlchemyError as error:
            if not self._away:
                _told.warning("the deadlines cannot be read ahead: %s", error)
            self._away = True
        else:
            self._away = False
