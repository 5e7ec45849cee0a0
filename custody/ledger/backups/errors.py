"""What can go wrong with a backup. Each error says what was wrong and what would be right."""

from __future__ import annotations

from custody.ledger.errors import LedgerError


class BackupError(LedgerError):
    """A backup cannot be taken from here, or not be put there."""


class DamagedBackup(BackupError):
    """A backup that is not as it was written, or a copy that does not hold when checked."""
