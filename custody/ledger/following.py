"""Follow the ledger in the background of a serving process: the loop that such threads share."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from typing import ClassVar, Self

from sqlalchemy.exc import SQLAlchemyError

from custody.ledger.core import Ledger

EVERY_SECONDS = 2.0


class Following(ABC):
    """A thread that acts at once and then again and again.

    Where the database is away it says so once, in the words of `failing`, and tries again.
    """

    name: ClassVar[str]
    failing: ClassVar[str]

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._away = False

    @abstractmethod
    def act(self) -> float:
        """Take in what is new; return after how many seconds to look again."""

    def start(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        wait = self._once()
        while not self._ending.wait(wait):
            wait = self._once()

    def _once(self) -> float:
        try:
            wait = self.act()
        except SQLAlchemyError as error:
            if not self._away:
                logging.getLogger(f"custody.{self.name}").warning("%s: %s", self.failing, error)
            self._away = True
            return EVERY_SECONDS
        self._away = False
        return wait
