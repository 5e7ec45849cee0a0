"""What the log asks of the database: the leaves by position, and the heads of its logs."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from custody.ledger.log.merkle import leaf_text


@dataclass(frozen=True)
class Leaf:
    """One stored event as the log sees it; `hash` is the leaf hash stored with it."""

    position: int
    received: int
    event_id: str
    hash: bytes

    def text(self) -> bytes:
        return leaf_text(self.position, self.received, self.event_id)


class Leaves(Protocol):
    """The events by position, which is the leaf's index."""

    def size(self) -> int:
        """Return how many positions are taken; none below that is free."""
        ...

    def read(self, start: int, stop: int) -> list[Leaf]:
        """Return the leaves from `start` to `stop`, in order; fewer only where the log ends."""
        ...

    def position(self, event_id: str) -> int | None:
        """Return the first position of an event, or None when it is not stored."""
        ...


@dataclass(frozen=True)
class Head:
    """The state of one of the site's logs, as the database has it.

    `number` counts the site's logs from 1; `previous` is the extension line that names the last
    known checkpoint of the log before. `note` is the checkpoint signed last at `signed` (UTC ms),
    `witnessed` one that a device brought and that the tree contradicts.
    """

    number: int
    origin: str
    previous: str | None = None
    reason: str | None = None
    note: str | None = None
    signed: int | None = None
    witnessed: str | None = None

    @property
    def extensions(self) -> tuple[str, ...]:
        """The extension lines that each of the log's checkpoints carries."""
        return (self.previous,) if self.previous else ()


def size_of(head: Head) -> int:
    """Return how many leaves the checkpoint signed last covers; 0 when there is none."""
    return int(head.note.split("\n", 2)[1]) if head.note else 0


class Heads(Protocol):
    """The heads of the site's logs, the last of which is the one being written."""

    def last(self) -> Head:
        """Return the head of the present log; one that has signed nothing has no note."""
        ...

    def save(self, head: Head) -> None:
        """Put `head` in the place of the one with its number, or after the last; durably."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """Hold off every other process of this database that would sign."""
        ...
