"""Which logs a site has had, and which of their checkpoints are known to have been signed.

A log that stopped is resumed as the next one: `custody/oak`, `custody/oak/2`, `custody/oak/3`, ...
Checkpoints are known from the database, from the file beside it, and from devices that saw them.
"""

from __future__ import annotations

from pathlib import Path

from custody.ledger.log.checkpoints import Checkpoint, opened
from custody.ledger.log.errors import BadNote, Stopped
from custody.ledger.log.keys import LogKeys
from custody.ledger.log.store import Head


class Lineage:
    """The site's logs by their origins. `folder` holds the file `checkpoint`."""

    def __init__(self, folder: Path, keys: LogKeys) -> None:
        self.folder = folder
        self._keys = keys

    def first(self, head: Head) -> str:
        """Return the origin that `init` fixed."""
        return head.origin.removesuffix(f"/{head.number}") if head.number > 1 else head.origin

    def names(self, head: Head) -> tuple[str, ...]:
        """Return the names that sign: the origin and, for a resumed log, the first log's too.

        The second lets a device that knows only the first verifier see that the log was resumed.
        """
        first = self.first(head)
        return (head.origin,) if head.origin == first else (head.origin, first)

    def number(self, head: Head, origin: str) -> int:
        """Return which of the site's logs has this origin; Stopped when none can have."""
        first = self.first(head)
        if origin == first:
            return 1
        digits = origin.removeprefix(f"{first}/")
        if digits == origin or not digits.isdecimal():
            raise Stopped(f"a checkpoint of {origin} is not one of this log, {first}")
        return int(digits)

    def rank(self, head: Head, checkpoint: Checkpoint) -> tuple[int, int]:
        """Return what makes one checkpoint later than another: its log's number, then its size."""
        return self.number(head, checkpoint.origin), checkpoint.size

    def next(self, head: Head, reason: str) -> Head:
        """Return the head of the log that comes after every one known, and name the last known."""
        last = self.last(head)
        number = head.number if last is None else max(head.number, self.rank(head, last[0])[0])
        return Head(
            number + 1,
            f"{self.first(head)}/{number + 1}",
            previous=last[0].named() if last else None,
            reason=reason,
        )

    def last(self, head: Head) -> tuple[Checkpoint, str] | None:
        """Return the latest checkpoint known of any of the logs, and its note."""
        notes = [note for note in (head.note, self.file_note(), head.witnessed) if note]
        known = [(self.opened(head, note), note) for note in notes]
        return max(known, key=lambda each: self.rank(head, each[0]), default=None)

    def is_latest(self, head: Head) -> bool:
        """Say whether the database's checkpoint is no earlier than the file's, by their words."""
        note = self.file_note()
        if head.note is None or note is None or note == head.note:
            return head.note is not None
        origin, size = note.split("\n", 2)[:2]
        mine = head.note.split("\n", 2)
        return origin == mine[0] and size.isdecimal() and int(size) <= int(mine[1])

    def known(self, head: Head) -> list[Checkpoint]:
        """Return the checkpoints of the present log known to be signed, the largest last.

        Raises Stopped when one is damaged, or of a log that the database does not know.
        """
        notes = [note for note in (head.note, self.file_note(), head.witnessed) if note]
        checkpoints = [self.opened(head, note) for note in notes]
        present = [each for each in checkpoints if self._is_present(head, each)]
        return sorted(present, key=lambda each: each.size)

    def file_note(self) -> str | None:
        """Return the note in the file beside the database."""
        path = self.folder / "checkpoint"
        return path.read_text(encoding="utf-8") if path.exists() else None

    def opened(self, head: Head, note: str) -> Checkpoint:
        """Return a checkpoint that one of the site's logs signed; Stopped when it is none."""
        origin = note.partition("\n")[0]
        try:
            return opened(note, self._keys.verifiers((self.first(head), head.origin, origin)))
        except BadNote as error:
            raise Stopped(
                f"the last signed checkpoint is damaged or another log's: {error}. It is in the "
                f"database and in log/checkpoint of the data folder; put the right one back"
            ) from error

    def _is_present(self, head: Head, checkpoint: Checkpoint) -> bool:
        number = self.number(head, checkpoint.origin)
        if number > head.number:
            raise Stopped(
                f"{checkpoint.origin} was signed here, and the database knows {head.origin} only: "
                f"it is older than the file beside it"
            )
        return number == head.number
