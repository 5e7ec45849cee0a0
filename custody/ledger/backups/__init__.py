"""Copies of a whole ledger: taken while it is served, checked, and put back.

A backup is a folder: `manifest.json`, `custody.db`, and `keys`, `blobs` and `log` as they are in a
data folder. The manifest is written last and names every other file by its SHA-256.
"""

from custody.ledger.backups.errors import BackupError, DamagedBackup
from custody.ledger.backups.manifest import Manifest
from custody.ledger.backups.restoring import Restored, restore
from custody.ledger.backups.taking import take

__all__ = ["BackupError", "DamagedBackup", "Manifest", "Restored", "restore", "take"]
