"""Ask the rules ahead in the background of a serving process, so that no first page waits."""

from __future__ import annotations

from custody.ledger.core import Ledger
from custody.ledger.following import EVERY_SECONDS, Following
from custody.ledger.reading import deadlines


class Warming(Following[Ledger]):
    """Takes in every two seconds what has changed for the deadlines of `Today`.

    Where the database is away, the page itself shows what is wrong.
    """

    name = "warming"
    failing = "the deadlines cannot be read ahead"

    def act(self) -> float:
        deadlines.warm(self._followed)
        return EVERY_SECONDS
