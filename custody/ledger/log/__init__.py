"""The verifiable log: a Merkle tree over the events, in tiles, under signed checkpoints.

`leaf_hash` is what `append` stores with an event, `open_log` the log of a ledger; what that answers
is `LogReader`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from custody.ledger.log import merkle
from custody.ledger.log.database import DatabaseHeads, DatabaseLeaves
from custody.ledger.log.keys import LogKeys
from custody.ledger.log.merkle import leaf_text
from custody.ledger.log.reader import LogReader
from custody.ledger.log.signer import Log

if TYPE_CHECKING:
    from custody.ledger.core import Ledger

__all__ = ["LogReader", "leaf_hash", "leaf_text", "open_log"]


def leaf_hash(position: int, received: int, event_id: str) -> str:
    """Return the RFC 6962 hash of a leaf, lowercase hex; `received` in UTC ms."""
    return merkle.leaf_hash(leaf_text(position, received, event_id)).hex()


def open_log(ledger: Ledger) -> LogReader:
    """Return the log of a ledger: its files under DATA/log, its keys in DATA/keys."""
    database = ledger.database
    log = Log(
        ledger.config.data / "log",
        LogKeys(ledger.config.keys),
        DatabaseLeaves(database),
        DatabaseHeads(database, ledger.meta["origin"]),
        ledger.clock,
    )
    return LogReader(log)
