"""Keep the totals of the postings near the end of the log, in the background of a server."""

from __future__ import annotations

import logging
import threading

from sqlalchemy.exc import SQLAlchemyError

from custody.ledger import totals
from custody.ledger.core import Ledger

EVERY_SECONDS = 2.0
BETWEEN_SECONDS = 0.02  # between two steps, in which others write
_told = logging.getLogger("custody.totals")


class Totalling:
    """A thread that looks every two seconds whether the log grew by a step, and takes it.

    Every process may run one: the writer's lock lets one step come after the other. Where the
    database is away it says so once and tries again: sums are right meanwhile, and slower.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="totals", daemon=True)
        self._away = False

    def start(self) -> Totalling:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        wait = 0.0
        while not self._ending.wait(wait):
            wait = BETWEEN_SECONDS if self._once() else EVERY_SECONDS

    def _once(self) -> bool:
        try:
            went = totals.keep_up(self._ledger)
        except SQLAlchemyError as error:
            if not self._away:
                _told.warning("the totals cannot follow the postings: %s", error)
            self._away = True
            return False
        self._away = False
        return went
