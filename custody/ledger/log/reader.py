"""What the log answers: its checkpoint, tiles, receipts, and if a device's checkpoint holds."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from custody.ledger.log import ended, merkle, receipts
from custody.ledger.log.checkpoints import Checkpoint, opened
from custody.ledger.log.errors import (
    BadNote,
    Busy,
    LogError,
    NoSuchTile,
    NotYet,
    Rewritten,
    Stopped,
    UnknownEvent,
)
from custody.ledger.log.signer import Log
from custody.ledger.log.store import Head, size_of
from custody.ledger.log.tiles import Tree, parse_number

SIGN_EVERY_MS = 1000  # protocol.md allows a checkpoint to be 2 s behind


@dataclass(frozen=True)
class Receipt:
    """A proof in words: which event, its position and time of receipt (UTC ms), and the text."""

    event_id: str
    position: int
    received: int
    text: str


class LogReader:
    """The log as routes, sync and the desk ask it."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._tree: tuple[int, Tree] | None = None
        self._continued = False  # when this process looked last: did the tree continue the log?

    def fresh(self) -> Head:
        """Return the head, signed now if the last signature is over a second old and events came.

        While another signs, the head is the last one: no reader waits for a signature that waits
        for the database. But the first looks, and those at a log that had stopped, wait: what the
        database has as its last head may be older than what was signed. So do those who find a
        later checkpoint in the file beside it: it may be another database under this process by
        now. Raises Stopped when the tree does not continue what was signed.
        """
        head = self.log.heads.last()
        if self.log.is_current(head):
            self._continued = True
            return head
        trusted = self._continued and not head.witnessed and self.log.lineage.is_latest(head)
        if trusted and self._is_recent(head):
            return head
        try:
            head = self.log.sign(wait=not trusted)
        except Busy:
            return head
        except LogError:
            self._continued = False
            raise
        self._continued = True
        return head

    def checkpoint(self) -> str:
        """Return the signed note; Stopped when the log has stopped."""
        note = self.fresh().note
        if note is None:
            raise NotYet("the log has signed nothing yet")
        return note

    def last_note(self) -> str | None:
        """Return the latest note known to be signed, by whichever of the site's logs, also when
        the log has stopped. Raises Stopped when it is damaged.
        """
        last = self.log.lineage.last(self.log.heads.last())
        return last[1] if last else None

    def verifiers(self) -> list[str]:
        """Return the verifier strings of the keys that sign, one a key and name, oldest first."""
        names = self.log.lineage.names(self.log.heads.last())
        return [str(each.verifier) for each in self.log.keys.signers(names)]

    def all_verifiers(self) -> list[str]:
        """Return `verifiers()`, and those of retired keys, for what these signed in their time."""
        names = self.log.lineage.names(self.log.heads.last())
        return [str(each) for each in self.log.keys.verifiers(names)]

    def tile(self, level: int, path: str) -> bytes:
        """Return a tile's hashes; NoSuchTile unless the last checkpoint covers them."""
        head = self.log.heads.last()
        number, width = self._covered(path, size_of(head) >> 8 * min(level, 64))
        return self.log.tiles(head).hashes(level, number, width)

    def bundle(self, path: str) -> bytes:
        """Return a bundle of entries; NoSuchTile unless the last checkpoint covers them."""
        head = self.log.heads.last()
        return self.log.tiles(head).bundle(*self._covered(path, size_of(head)))

    def receipt(self, event_id: str) -> Receipt:
        """Return the proof that an event is in the log, under the last checkpoint.

        Raises UnknownEvent, or NotYet when no checkpoint covers it; Stopped rather than to hand
        out a proof that does not hold.
        """
        position = self.log.leaves.position(event_id)
        if position is None:
            raise UnknownEvent(f"no event {event_id} is in the log")
        head = self.fresh()
        if head.note is None or position >= size_of(head):
            raise NotYet(f"the event is stored, and the checkpoint over position {position} is due")
        return self._prove(head, head.note, event_id, position)

    def witness(self, header: str) -> Checkpoint:
        """Check the checkpoint that a device brings (`Custody-Checkpoint`) against the tree.

        Returns it where it holds, or is of a log that ended, of which nothing that is kept
        contradicts it. Raises BadNote when it cannot be read or this log's keys did not sign it:
        then it proves nothing. Raises Rewritten when it is genuine and is contradicted; where it is
        of the present log, that stops signing until it is put right.
        """
        note = _note(header)
        head = self.log.heads.last()
        names = (*self.log.lineage.names(head), note.partition("\n")[0])
        seen = opened(note, self.log.keys.verifiers(names))
        number = self._number(head, seen)
        if number < head.number:
            return self._witness_ended(head, number, seen, note)
        if seen.size > size_of(head):
            head = self._caught_up(head)
        fault = self._contradiction(head, number, seen)
        if fault:
            raise Rewritten(fault, note, self.log.remember(note))
        return seen

    def _witness_ended(self, head: Head, number: int, seen: Checkpoint, note: str) -> Checkpoint:
        fault = ended.contradiction(self.log, head, number, seen)
        if fault:
            raise Rewritten(fault, note, ended.remember(self.log, number, note))
        return seen

    def health(self) -> dict[str, Any]:
        """Return `state` (`signing` or `stopped`), `origin`, `size` signed, `signed`, `reason`."""
        reason = None
        try:
            head = self.fresh()
        except (LogError, OSError) as error:
            head, reason = self.log.heads.last(), str(error)
        return {
            "state": "stopped" if reason else "signing",
            "origin": head.origin,
            "size": size_of(head),
            "signed": head.signed,
            "reason": reason,
        }

    def _is_recent(self, head: Head) -> bool:
        return head.signed is not None and 0 <= self.log.now() - head.signed < SIGN_EVERY_MS

    def _covered(self, path: str, have: int) -> tuple[int, int]:
        number, width = parse_number(path)
        if number * 256 + width > have:
            raise NoSuchTile("the last checkpoint does not cover this tile")
        return number, width

    def _prove(self, head: Head, note: str, event_id: str, position: int) -> Receipt:
        size = size_of(head)
        (leaf,) = self.log.leaves.read(position, position + 1)
        path = merkle.inclusion(self._tree_of(head, size), position, size)
        signed = opened(note, self.log.keys.verifiers(self.log.lineage.names(head)))
        if merkle.implied_root(merkle.leaf_hash(leaf.text()), position, size, path) != signed.root:
            raise Stopped(f"the proof for position {position} does not lead to the signed root")
        text = receipts.render(leaf.text(), position, path, note)
        return Receipt(event_id, position, leaf.received, text)

    def _tree_of(self, head: Head, size: int) -> Tree:
        kept = self._tree
        if kept is None or kept[0] != head.number or kept[1].size != size:
            self._tree = kept = (head.number, Tree(self.log.tiles(head), size))
        return kept[1]

    def _caught_up(self, head: Head) -> Head:
        """Return the head once all events are signed: a database that was put back knows its
        events, and may not know that they were signed. One that has stopped stays as it is.
        """
        try:
            return self.log.sign()
        except Stopped:
            return head

    def _contradiction(self, head: Head, number: int, seen: Checkpoint) -> str | None:
        if number > head.number:
            return f"{seen.origin} was signed here, and the database knows {head.origin} only"
        size = size_of(head)
        if seen.size > size:
            return f"a checkpoint of {seen.size} events was signed, and only {size} are known now"
        if merkle.root(self._tree_of(head, size), seen.size) != seen.root:
            return f"the first {seen.size} events are not those of the checkpoint signed over them"
        return None

    def _number(self, head: Head, seen: Checkpoint) -> int:
        try:
            return self.log.lineage.number(head, seen.origin)
        except Stopped as error:
            raise BadNote(str(error)) from error


def _note(header: str) -> str:
    """Return the note in a header of base64url, with or without padding."""
    try:
        padded = header + "=" * (-len(header) % 4)
        return base64.b64decode(padded.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError) as error:
        raise BadNote("Custody-Checkpoint is the base64url of a whole signed note") from error
