"""What can go wrong with the log. Each error says what was wrong and what would be right."""

from __future__ import annotations

from custody.ledger.errors import LedgerError


class LogError(LedgerError):
    """Base of the log's errors."""


class BadNote(LogError):
    """A signed note that cannot be read, or that no known key has signed."""


class NoSuchTile(LogError):
    """A tile or bundle that the last checkpoint does not cover, or a path that names none."""


class NotYet(LogError):
    """The event is stored, and no signed checkpoint covers it yet."""


class UnknownEvent(LogError):
    """No event of that id is in the log."""


class Stopped(LogError):
    """The tree does not continue what was signed last, so nothing more is signed."""


class Busy(LogError):
    """Another thread or process signs at this moment."""


class NotStopped(LogError):
    """`resume` was asked for while the log goes on as it should."""


class Rewritten(LogError):
    """A checkpoint that this log signed is inconsistent with the tree that the server holds.

    `witnessed` is the note that proves it; `is_new` says that no such note was known before.
    """

    def __init__(self, message: str, witnessed: str, is_new: bool) -> None:
        super().__init__(message)
        self.witnessed = witnessed
        self.is_new = is_new
