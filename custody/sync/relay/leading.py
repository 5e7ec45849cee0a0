"""Which of a node's processes relays: one at a time, and another within seconds of its end."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from custody.ledger.core import Ledger

LOCK = "upstream.lock"  # in the data folder, where the database is a file beside it
RELAYING_LOCK = 0x72656C6179  # "relay": the PostgreSQL advisory lock of the process that relays
# A machine that lost its power does not say so: the database notices after some ten seconds.
KEEPALIVE = (("idle", 5), ("interval", 2), ("count", 3))


class Lead:
    """A lock that its process holds until it ends: the system, or the database, takes it back from
    one that was killed.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._file: int | None = None
        self._session: Connection | None = None

    def is_held(self) -> bool:
        """Say whether this process is the one that relays, which it becomes if no other is.

        Raises SQLAlchemyError or OSError where that cannot be told now.
        """
        return self._has_file() if self._ledger.database.is_sqlite else self._has_session()

    def give_up(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._close_session()
        self._file = None

    def _has_file(self) -> bool:
        if self._file is not None:
            return True
        handle = os.open(self._ledger.config.data / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        self._file = handle
        return True

    def _has_session(self) -> bool:
        """The lock is its session's, so a session that the database ended has it no more."""
        try:
            if self._session is not None:
                self._session.execute(text("SELECT 1"))
                return True
            return self._take_session()
        except SQLAlchemyError:
            self._close_session()
            raise

    def _take_session(self) -> bool:
        self._session = self._ledger.database.engine.connect()
        self._session.execution_options(isolation_level="AUTOCOMMIT")
        query = text("SELECT pg_try_advisory_lock(:key)")
        if not self._session.scalar(query, {"key": RELAYING_LOCK}):
            self._close_session()
            return False
        for name, value in KEEPALIVE:
            self._session.execute(text(f"SET tcp_keepalives_{name} = {value}"))
        return True

    def _close_session(self) -> None:
        if self._session is not None:
            with suppress(SQLAlchemyError):
                self._session.invalidate()  # the lock and the settings end with the session
                self._session.close()
        self._session = None


def alone(lead: Lead, once: Callable[[], bool], aside: Callable[[], None]) -> Callable[[], bool]:
    """Return what does a round where this process leads, and `aside` where another does."""

    def act() -> bool:
        if lead.is_held():
            return once()
        aside()
        return False

    return act
