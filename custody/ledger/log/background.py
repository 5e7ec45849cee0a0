"""Sign in the background of a serving process, so that no checkpoint is more than 2 s behind."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from custody.ledger.following import Following
from custody.ledger.log.errors import LogError
from custody.ledger.log.reader import LogReader


class Background(Following[LogReader]):
    """Looks twice a second whether events came, and signs.

    Every process may run one: they exclude each other while they sign. Where it fails (a stopped
    log, a full disk), `/health` and `/log/checkpoint` show it, and events are taken as before.
    """

    name = "log"
    failing = "no checkpoint can be signed"
    errors = (LogError, OSError, SQLAlchemyError)
    every = 0.5  # with the second between two signatures: at most 1.5 s behind

    def act(self) -> float:
        self._followed.fresh()
        return self.every

    def stop(self) -> None:
        """End the thread, and sign once more what came last."""
        super().stop()
        self._once()
