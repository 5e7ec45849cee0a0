"""A log over leaves in memory, for tests that need no database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from custody.ledger.log.keys import LogKeys
from custody.ledger.log.merkle import EMPTY, leaf_hash, leaf_text, node_hash
from custody.ledger.log.reader import LogReader
from custody.ledger.log.signer import Log
from custody.ledger.log.store import Head, Leaf

ORIGIN = "custody/oak"


def leaf(position: int, salt: str = "") -> Leaf:
    event_id = sha256(f"{salt}{position}".encode()).hexdigest()
    received = 1_796_044_800_000 + position
    return Leaf(position, received, event_id, leaf_hash(leaf_text(position, received, event_id)))


class MemoryLeaves:
    def __init__(self, count: int = 0) -> None:
        self.rows = [leaf(position) for position in range(count)]

    def grow(self, to: int, salt: str = "") -> None:
        self.rows += [leaf(position, salt) for position in range(len(self.rows), to)]

    def size(self) -> int:
        return len(self.rows)

    def read(self, start: int, stop: int) -> list[Leaf]:
        return self.rows[start:stop]

    def position(self, event_id: str) -> int | None:
        return next((row.position for row in self.rows if row.event_id == event_id), None)


class MemoryHeads:
    def __init__(self) -> None:
        self.rows = {1: Head(1, ORIGIN)}

    def last(self) -> Head:
        return self.rows[max(self.rows)]

    def save(self, head: Head) -> None:
        self.rows[head.number] = head

    @contextmanager
    def alone(self) -> Iterator[None]:
        yield


class Site:
    """A log whose clock, leaves and heads a test moves."""

    def __init__(self, data: Path, count: int = 0) -> None:
        self.data = data
        self.time = 1_796_044_900_000
        self.leaves = MemoryLeaves(count)
        self.heads = MemoryHeads()
        self.keys = LogKeys(data / "keys")
        self.keys.rotate()
        self.restart()

    def restart(self) -> None:
        """Forget everything that a process holds in memory."""
        self.log = Log(self.data / "log", self.keys, self.leaves, self.heads, lambda: self.time)
        self.reader = LogReader(self.log)

    def grow(self, to: int, salt: str = "") -> None:
        """Append leaves, two seconds later."""
        self.time += 2000
        self.leaves.grow(to, salt)

    def restore(self, size: int, heads: dict[int, Head]) -> None:
        """Put back a database of `size` events with `heads`; the files beside it stay."""
        del self.leaves.rows[size:]
        self.heads.rows = dict(heads)
        self.restart()


def naive_root(leaves: list[bytes]) -> bytes:
    """RFC 6962 section 2.1, word for word, over leaf hashes."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return node_hash(naive_root(leaves[:k]), naive_root(leaves[k:]))
