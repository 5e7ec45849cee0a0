"""Keep the totals of the postings near the end of the log, in the background of a server."""

from __future__ import annotations

from custody.ledger import totals
from custody.ledger.core import Ledger
from custody.ledger.following import EVERY_SECONDS, Following

BETWEEN_SECONDS = 0.02  # between two steps, in which others write


class Totalling(Following[Ledger]):
    """Looks every two seconds whether the log grew by a step, and takes it.

    Every process may run one: the writer's lock lets one step come after the other. Where the
    database is away, sums are right meanwhile, and slower.
    """

    name = "totals"
    failing = "the totals cannot follow the postings"

    def act(self) -> float:
        return BETWEEN_SECONDS if totals.keep_up(self._followed) else EVERY_SECONDS
