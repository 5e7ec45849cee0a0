"""Look again and again in the background of a serving process: the loop of all such threads."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from typing import ClassVar, Generic, Self, TypeVar

from sqlalchemy.exc import SQLAlchemyError

EVERY_SECONDS = 2.0
Followed = TypeVar("Followed")


class Following(ABC, Generic[Followed]):
    """A thread that acts at once and then again and again upon what it follows.

    Where that fails by one of `errors`, such as a database that is away, it says so in the words of
    `failing`, once for each reason, and tries again.
    """

    name: ClassVar[str]
    failing: ClassVar[str]
    errors: ClassVar[tuple[type[Exception], ...]] = (SQLAlchemyError,)
    every: ClassVar[float] = EVERY_SECONDS  # after a failure; `act` says after what else

    def __init__(self, followed: Followed) -> None:
        self._followed = followed
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._told: str | None = None

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
        while not self._ending.wait(self._once()):
            pass

    def _once(self) -> float:
        try:
            wait = self.act()
        except self.errors as error:
            if self._told != str(error):
                logging.getLogger(f"custody.{self.name}").error("%s: %s", self.failing, error)
            self._told = str(error)
            return self.every
        self._told = None
        return wait
