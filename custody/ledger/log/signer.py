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
from custody.ledger.log.checkpoints import Checkpoint, opened
from custody.ledger.log.errors import BadNote, Busy, NotStopped, Stopped
from custody.ledger.log.keys import LogKeys
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
        self.leaves = leaves
        self.heads = heads
        self.now = now
        self._tiles: dict[int, Tiles] = {}

    def names(self, head: Head) -> tuple[str, ...]:
        """Return the names that sign: the origin and, for a resumed log, the first log's too.

        The second lets a device that knows only the first verifier see that the log was resumed.
        """
        first = self.first_origin(head)
        return (head.origin,) if head.origin == first else (head.origin, first)

    def first_origin(self, head: Head) -> str:
        return head.origin.removesuffix(f"/{head.number}") if head.number > 1 else head.origin

    def tiles(self, head: Head) -> Tiles:
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
            known = self.known(head)
            self.require_continued(head, known, size)
            self._make_durable(head, self._durable(head, known), size)
            return self._put(head, self._checkpoint(head, size))

    def known(self, head: Head) -> list[Checkpoint]:
        """Return the checkpoints of the present log known to be signed, the largest last.

        Raises Stopped when the file beside the database is of a log that the database knows not.
        """
        kept = [note for note in (head.note, self.file_note(), head.witnessed) if note]
        checkpoints = [self._opened(head, note) for note in kept]
        ours = [each for each in checkpoints if self._is_present(head, each)]
        return sorted(ours, key=lambda each: each.size)

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
            fresh = self._next(head, reason.strip())
            size = self.leaves.size()
            self._make_durable(fresh, 0, size)
            return self._put(fresh, self._checkpoint(fresh, size))

    def remember(self, note: str) -> bool:
        """Keep a genuine checkpoint that the tree contradicts: nothing is signed against it.

        Of several the latest is kept. Returns whether it is the first one.
        """
        with self._alone():
            head = self.heads.last()
            kept = self._opened(head, head.witnessed) if head.witnessed else None
            if kept is None or self._rank(head, kept) < self._rank(head, self._opened(head, note)):
                self.heads.save(replace(head, witnessed=note))
        return kept is None

    def is_current(self, head: Head) -> bool:
        """Say, without a look at the tree, whether signing again would say nothing new."""
        if head.note is None or head.witnessed or head.note != self.file_note():
            return False
        keys = {(each.name, each.verifier.id) for each in self.keys.signers(self.names(head))}
        return size_of(head) == self.leaves.size() and notes.signed_by(head.note) == keys

    def number(self, head: Head, origin: str) -> int:
        """Return which of the site's logs has this origin; Stopped when none can have."""
        first = self.first_origin(head)
        if origin == first:
            return 1
        digits = origin.removeprefix(f"{first}/")
        if digits == origin or not digits.isdecimal():
            raise Stopped(f"a checkpoint of {origin} is not one of this log, {first}")
        return int(digits)

    def file_note(self) -> str | None:
        path = self.folder / "checkpoint"
        return path.read_text(encoding="utf-8") if path.exists() else None

    def _opened(self, head: Head, note: str) -> Checkpoint:
        first = self.first_origin(head)
        origin = note.partition("\n")[0]
        try:
            return opened(note, self.keys.verifiers((first, head.origin, origin)))
        except BadNote as error:
            raise Stopped(
                f"the last signed checkpoint is damaged or another log's: {error}. It is in the "
                f"database and in log/checkpoint of the data folder; put the right one back"
            ) from error

    def _all_known(self, head: Head) -> list[Checkpoint]:
        kept = [note for note in (head.note, self.file_note(), head.witnessed) if note]
        return [self._opened(head, note) for note in kept]

    def _is_present(self, head: Head, checkpoint: Checkpoint) -> bool:
        number = self.number(head, checkpoint.origin)
        if number > head.number:
            raise Stopped(
                f"the last checkpoint is of {checkpoint.origin}, and the database knows "
                f"{head.origin} only: it is older than the file"
            )
        return number == head.number

    def _compare_tiles(self, head: Head, known: list[Checkpoint]) -> None:
        """Compare with the events every tile that the database's own checkpoint does not vouch for.

        The last tile that it does vouch for is compared as well, so that there always is one.
        """
        if not known:
            return
        own = self._opened(head, head.note).size if head.note else 0
        first, stop = max(0, own // WIDTH - 1), known[-1].size // WIDTH
        if not self.tiles(head).matches_database(first, stop):
            raise Stopped(
                "the events of the database are not those that the log's tiles were made of"
            )

    def _require_stopped(self, head: Head) -> None:
        try:
            self.require_continued(head, self.known(head), self.leaves.size())
        except Stopped:
            return
        raise NotStopped("the log continues what was signed last; there is nothing to resume")

    def _next(self, head: Head, reason: str) -> Head:
        """Return the head of the log that comes after every one known here, and name the last."""
        known = sorted(self._all_known(head), key=lambda each: self._rank(head, each))
        number = max([head.number, *(self.number(head, each.origin) for each in known)]) + 1
        last = known[-1].named() if known else None
        origin = f"{self.first_origin(head)}/{number}"
        return Head(number, origin, previous=last, reason=reason)

    def _rank(self, head: Head, checkpoint: Checkpoint) -> tuple[int, int]:
        """Return what makes one checkpoint later than another: its log's number, then its size."""
        return self.number(head, checkpoint.origin), checkpoint.size

    def _durable(self, head: Head, known: list[Checkpoint]) -> int:
        """Return how many tiles of level 0 this folder has for certain: those its file covers."""
        note = self.file_note()
        own = self._opened(head, note) if note else None
        return own.size // WIDTH if own in known and own else 0

    def _make_durable(self, head: Head, done: int, size: int) -> None:
        self.tiles(head).extend(done, size // WIDTH)

    def _checkpoint(self, head: Head, size: int) -> Checkpoint:
        root = merkle.root(Tree(self.tiles(head), size), size)
        return Checkpoint(head.origin, size, root, head.extensions)

    def _put(self, head: Head, checkpoint: Checkpoint) -> Head:
        signers = self.keys.signers(self.names(head))
        note = self._unchanged(head, checkpoint, {(s.name, s.verifier.id) for s in signers})
        note = note or checkpoint.signed(signers)
        if self.file_note() != note:
            durable.write([(self.folder / "checkpoint", note.encode())], self.folder)
        if head.note == note:
            return head
        head = replace(head, note=note, signed=self.now(), witnessed=None)
        self.heads.save(head)
        return head

    def _unchanged(
        self, head: Head, checkpoint: Checkpoint, keys: set[tuple[str, bytes]]
    ) -> str | None:
        """Return the note signed last if it says the same and all the present keys signed it."""
        for note in (head.note, self.file_note()):
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
