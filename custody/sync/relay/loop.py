"""The thread in which a site node does one round after another, through every outage."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from custody.sync.relay.node import EXPECTED, LONGEST_S, told_log

EVERY_S = 2.0  # between two rounds while all is well


class Loop:
    """A thread that does one round after another, waiting longer and longer while they fail."""

    def __init__(self, once: Callable[[], bool], every: float = EVERY_S) -> None:
        self._once = once
        self._every = every
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)
        self._told: str | None = None

    def start(self) -> Loop:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._ending.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        failed = 0
        while not self._ending.wait(pause(failed, self._every)):
            try:
                while self._once() and not self._ending.wait(0.1):
                    pass
            except EXPECTED as error:
                failed += 1
                self._tell(str(error))
            else:
                failed = 0
                self._tell(None)

    def _tell(self, error: str | None) -> None:
        """Log that the upstream cannot be reached, and that it can be again, once each."""
        if error is not None and self._told is None:
            told_log.error("upstream: %s", error)
        if error is None and self._told is not None:
            told_log.warning("upstream: it answers again")
        self._told = error


def pause(failed: int, every: float) -> float:
    """Return the seconds before the next round: doubled with each failure, and never in step with
    other nodes.
    """
    longest = float(min(LONGEST_S, every * 2 ** min(failed, 10)))
    return longest * random.uniform(0.5, 1.0)
