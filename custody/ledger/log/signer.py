"""Sign checkpoints, and never one that contradicts what was signed before (protocol.md, the log).

The last signed checkpoint is kept twice: in the database, and as `<folder>/checkpoint` beside it.
A database restored from a backup is behind the file, and its events from there on need not be those
that were signed: so everything above the database's own last checkpoint is read from the events
again, and the roots of every checkpoint known are compared, before the next one is signed.

Order of a signature: tiles durable, then the file, then the database. A crash between two of them
leaves a file ahead of the database, or tiles ahead of both, and the next signature makes it good.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from custody.ledger.log import durable, merkle, notes
from custody.ledger.log.checkpoints import Checkpoint
from custody.ledger.log.errors import Busy, NotStopped, Stopped
from custody.ledger.log.keys import LogKeys
from custody.ledger.log.lineage import Lineage
from custody.ledger.log.store import Head, Heads, Leaves, size_of
from custody.ledger.log.tiles import WIDTH, Tiles, Tree


class Log:
    """One site's log: the present one, and the ended ones before it.

    `folder` holds tiles and the last checkpoint, `now` tells UTC ms.
    """

    def __init__(
        self, folder: Path, keys: LogKeys, leaves: Leaves, heads: Heads, now: Callable[[], int]
    ) -> None:
        self.folder = folder
        self.keys = keys
        self.lineage = Lineage(folder, keys)
        self.leaves = leaves
        self.heads = heads
        self.now = now
        self._tiles: dict[int, Tiles] = {}

    def tiles(self, head: Head) -> Tiles:
        """Return the tiles of one of the site's logs, in the folder of its number."""
        if head.number not in self._tiles:
            self._tiles[head.number] = Tiles(self.folder / str(head.number), self.leaves)
        return self._tiles[head.number]

    def sign(self, *, wait: bool = True) -> Head:
        """Sign the tree as it stands, unless that was done; return the head.

        Raises Stopped when the tree does not continue every checkpoint known to be signed, and,
        without `wait`, Busy while another thread or process signs.
        """
        with self._alone(wait):
            head = self.heads.last()
            size = self.leaves.size()
            known = self.lineage.known(head)
            self.require_continued(head, known, size)
            self._make_durable(head, self._durable(head, known), size)
            return self._put(head, self._checkpoint(head, size))

    def require_continued(self, head: Head, known: list[Checkpoint], size: int) -> None:
        """Raise Stopped unless the tree of `size` leaves continues every known checkpoint."""
        if known and known[-1].size > size:
            raise Stopped(
                f"a checkpoint of {known[-1].size} events was signed, and the database holds {size}"
            )
        self._compare_tiles(head, known)
        for each in known:
            if self._checkpoint(head, each.size).root != each.root:
                raise Stopped(
                    f"the first {each.size} events are not those of the checkpoint signed over them"
                )

    def resume(self, reason: str) -> Head:
        """End a log that stopped, and start the next one; its checkpoints name the last known one.

        Raises NotStopped when the log goes on as it should, and Stopped when the events themselves
        are damaged, which a new log cannot put right.
        """
        if not reason.strip():
            raise ValueError("say why a new log is started: the reason is kept with it")
        with self._alone():
            head = self.heads.last()
            self._require_stopped(head)
            fresh = self.lineage.next(head, reason.strip())
            size = self.leaves.size()
            self._make_durable(fresh, 0, size)
            self._keep_last(head)
            return self._put(fresh, self._checkpoint(fresh, size))

    def remember(self, note: str) -> bool:
        """Keep a genuine checkpoint that the tree contradicts: nothing is signed against it.

        Of several the latest is kept. Returns whether it is the first one.
        """
        with self._alone():
            head = self.heads.last()
            kept = self.lineage.opened(head, head.witnessed) if head.witnessed else None
            if kept is None or self.lineage.rank(head, kept) < self.lineage.rank(
                head, self.lineage.opened(head, note)
            ):
                self.heads.save(replace(head, witnessed=note))
        return kept is None

    def is_current(self, head: Head) -> bool:
        """Say, without a look at the tree, whether signing again would say nothing new."""
        if head.note is None or head.witnessed or head.note != self.lineage.file_note():
            return False
        keys = {
            (each.name, each.verifier.id) for each in self.keys.signers(self.lineage.names(head))
        }
        return size_of(head) == self.leaves.size() and notes.signed_by(head.note) == keys

    def _compare_tiles(self, head: Head, known: list[Checkpoint]) -> None:
        """Compare with the events every tile that the database's own checkpoint does not vouch for.

        The last tile that it does vouch for is compared as well, so that there always is one.
        """
        if not known:
            return
        own = self.lineage.opened(head, head.note).size if head.note else 0
        first, stop = max(0, own // WIDTH - 1), known[-1].size // WIDTH
        if not self.tiles(head).matches_database(first, stop):
            raise Stopped(
                "the events of the database are not those that the log's tiles were made of"
            )

    def _require_stopped(self, head: Head) -> None:
        try:
            self.require_continued(head, self.lineage.known(head), self.leaves.size())
        except Stopped:
            return
        raise NotStopped("the log continues what was signed last; there is nothing to resume")

    def _keep_last(self, head: Head) -> None:
        """Keep the last note of the log that ends beside its tiles: it is the proof of what was."""
        last = self.lineage.last(head)
        if last:
            checkpoint, note = last
            folder = self.folder / str(self.lineage.number(head, checkpoint.origin))
            durable.write([(folder / "checkpoint", note.encode())], self.folder)

    def _durable(self, head: Head, known: list[Checkpoint]) -> int:
        """Return how many tiles of level 0 this folder has for certain: those its file covers."""
        note = self.lineage.file_note()
        own = self.lineage.opened(head, note) if note else None
        return own.size // WIDTH if own in known and own else 0

    def _make_durable(self, head: Head, done: int, size: int) -> None:
        self.tiles(head).extend(done, size // WIDTH)

    def _checkpoint(self, head: Head, size: int) -> Checkpoint:
        root = merkle.root(Tree(self.tiles(head), size), size)
        return Checkpoint(head.origin, size, root, head.extensions)

    def _put(self, head: Head, checkpoint: Checkpoint) -> Head:
        signers = self.keys.signers(self.lineage.names(head))
        note = self._unchanged(head, checkpoint, {(s.name, s.verifier.id) for s in signers})
        note = note or checkpoint.signed(signers)
        if self.lineage.file_note() != note:
            durable.write([(self.folder / "checkpoint", note.encode())], self.folder)
        if head.note == note and not head.witnessed:
            return head
        head = replace(head, note=note, signed=self.now(), witnessed=None)
        self.heads.save(head)
        return head

    def _unchanged(
        self, head: Head, checkpoint: Checkpoint, keys: set[tuple[str, bytes]]
    ) -> str | None:
        """Return the note signed last if it says the same and all the present keys signed it."""
        for note in (head.note, self.lineage.file_note()):
            if note and note.startswith(checkpoint.text() + "\n") and notes.signed_by(note) == keys:
                return note
        return None

    @contextmanager
    def _alone(self, wait: bool = True) -> Iterator[None]:
        """Sign nowhere else meanwhile: a lock on the folder, and one in a shared database."""
        self.folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle, wait)
            with self.heads.alone():
                yield
        finally:
            os.close(handle)


def _lock(handle: int, wait: bool) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Busy("a checkpoint is being signed") from error
