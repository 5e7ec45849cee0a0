"""Kill a server at the commit of a transaction: just before it, and nothing of it is there, or just
after it, and nobody is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection

from custody.ledger.database import Database


class Killed(BaseException):
    """The server that was at work ended, as by SIGKILL."""


class Death:
    """Kills whichever server commits the n-th transaction from when it is armed."""

    def __init__(self) -> None:
        self.left, self.after = 0, False

    def arm(self, nth: int, *, after: bool) -> None:
        self.left, self.after = nth, after

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        whole, death = Database.writing, self

        @contextmanager
        def writing(self: Database, **how: bool) -> Iterator[Connection]:
            with whole(self, **how) as connection:
                yield connection
                death.left -= 1
                dies = death.left == 0
                if dies and not death.after:
                    raise Killed
            if dies:
                raise Killed

        patch.setattr(Database, "writing", writing)
