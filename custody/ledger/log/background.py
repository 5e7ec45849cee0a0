"""Sign in the background of a serving process, so that no checkpoint is more than 2 s behind."""

from __future__ import annotations

import logging
import threading

from sqlalchemy.exc import SQLAlchemyError

from custody.ledger.log.errors import LogError
from custody.ledger.log.reader import LogReader

EVERY_SECONDS = 0.5  # with the second between two signatures: at most 1.5 s behind
_told = logging.getLogger("custody.log")


class Background:
    """A thread that looks twice a second whether events came, and signs.

    Every process may run one: they exclude each other while they sign. A failure (a stopped log, a
    full disk) is told once and tried again; `/health` and `/log/checkpoint` show it
    meanwhile, and events are taken as before.
    """

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="log-signer", daemon=True)
        self._last: str | None = None

    def start(self) -> Background:
        self._thread.start()
        return self

    def stop(self) -> None:
        """Sign once more what came last, and end the thread."""
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ending.wait(EVERY_SECONDS):
            self._once()
        self._once()

    def _once(self) -> None:
        try:
            self._reader.fresh()
        except (LogError, OSError, SQLAlchemyError) as error:
            self._tell(str(error))
        else:
            self._last = None

    def _tell(self, reason: str) -> None:
        if reason != self._last:
            _told.error("no checkpoint can be signed: %s", reason)
        self._last = reason
