"""What a checkpoint of a log that ended is worth: that log was resumed as the next one.

What is kept of it is its last known checkpoint, which the next log names, and its tiles. They prove
something only as far as they lead to that checkpoint's root: after a restore the events above the
backup are gone, and so is their part of the tree.
"""

from __future__ import annotations

from dataclasses import replace

from custody.ledger.log import durable, merkle
from custody.ledger.log.checkpoints import Checkpoint
from custody.ledger.log.errors import LogError
from custody.ledger.log.signer import Log
from custody.ledger.log.store import Head
from custody.ledger.log.tiles import Tree

SHOWN = "contradicted"  # beside an ended log's tiles: the first note that showed it rewritten


def contradiction(log: Log, head: Head, number: int, seen: Checkpoint) -> str | None:
    """Say how a genuine checkpoint of log `number` contradicts what is kept of it; None where it
    does not, or nobody can tell.
    """
    last = _last(log, head, number)
    if last is None:
        return None
    if seen.size > last.size:
        return (
            f"{seen.origin} signed a checkpoint of {seen.size} events, and the log that took over "
            f"names one of {last.size} as its last"
        )
    root = last.root if seen.size == last.size else _root(log, head, number, last, seen.size)
    if root in (None, seen.root):
        return None
    return f"the first {seen.size} events of {seen.origin} are not those that it signed there"


def remember(log: Log, number: int, note: str) -> bool:
    """Keep a note that shows an ended log rewritten; return whether it is the first one."""
    path = log.folder / str(number) / SHOWN
    if path.exists():
        return False
    durable.write([(path, note.encode())], log.folder)
    return True


def _last(log: Log, head: Head, number: int) -> Checkpoint | None:
    """Return the last known checkpoint of an ended log, which whoever resumed it kept."""
    path = log.folder / str(number) / "checkpoint"
    if not path.exists():
        return None  # another machine resumed it
    return log.lineage.opened(head, path.read_text(encoding="utf-8"))


def _root(log: Log, head: Head, number: int, last: Checkpoint, size: int) -> bytes | None:
    tree = Tree(log.tiles(replace(head, number=number)), last.size)
    try:
        whole = merkle.root(tree, last.size)
        return merkle.root(tree, size) if whole == last.root else None
    except LogError:
        return None  # events of it are lost
