"""Watch the log: each checkpoint must continue the one before. And forget what is proven."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from custody.verify import notes, receipts, tree
from tests.support.client.asking import ask, call
from tests.support.client.disk import ACKED

if TYPE_CHECKING:
    from tests.support.client.client import Client

WIDTH = 256
KEEP_MS = 30 * 86_400_000
REWRITTEN, RESUMED = "log-rewritten", "log-resumed"


class Inconsistent(Exception):
    """The log does not continue the checkpoint that this client kept."""


class Unreachable(Exception):
    """A tile did not come, or not whole."""


def header(note: str) -> str:
    return base64.urlsafe_b64encode(note.encode()).rstrip(b"=").decode()


def watch(client: Client) -> str:
    """Look at the newest checkpoint; return "" or what people must see."""
    answer = ask(client, "GET", "/log/checkpoint")
    if answer is None or answer.status != 200:
        client.doubts |= answer is not None and answer.status == 503
        return ""
    text = answer.body.decode("utf-8", "replace")
    try:
        fresh = notes.checkpoint(text, _keys(client))
        state, known = _judge(client, fresh)
    except (notes.NoteError, Unreachable):
        return ""  # not the log's word: a page of somebody else's, or a tile cut short
    except Inconsistent:
        client.disk.set("log_problem", REWRITTEN)
        return REWRITTEN
    with client.disk.transaction():
        client.disk.set("note", text)
        client.disk.set("tree", [known.size, [peak.hex() for peak in known._peaks]])
        client.disk.set("refused_note", None)
    return state


def _keys(client: Client) -> list[notes.Key]:
    return [notes.key(line) for line in client.disk.get("verifiers").splitlines()]


def _judge(client: Client, fresh: notes.Signed) -> tuple[str, tree.GrowingTree]:
    """Return what people must see, and the tree of the fresh checkpoint."""
    kept = client.disk.get("note")
    if kept is None:
        return "", _grow(client, tree.GrowingTree(), fresh)
    old = notes.checkpoint(kept, _keys(client))
    if old.origin != fresh.origin:
        _require_named(old, fresh)
        client.doubts = True
        return RESUMED, _grow(client, tree.GrowingTree(), fresh)
    if fresh.size < old.size or (fresh.size == old.size and fresh.root != old.root):
        raise Inconsistent
    return "", _grow(client, _tree_of(client), fresh)


def _tree_of(client: Client) -> tree.GrowingTree:
    size, peaks = client.disk.get("tree", [0, []])
    made = tree.GrowingTree()
    made.size, made._peaks = size, [bytes.fromhex(peak) for peak in peaks]
    return made


def _grow(client: Client, known: tree.GrowingTree, fresh: notes.Signed) -> tree.GrowingTree:
    """Append the leaves that came since to the tree that is known, and compare the roots."""
    for leaf in _leaves(client, known.size, fresh.size):
        known.append(leaf)
    if known.root() != fresh.root:
        raise Inconsistent
    return known


def _leaves(client: Client, start: int, stop: int) -> list[bytes]:
    found: list[bytes] = []
    for number in range(start // WIDTH, -(-stop // WIDTH)):
        width = min(WIDTH, stop - number * WIDTH)
        name = f"{number:03}" if number < 1000 else f"x{number // 1000:03}/{number % 1000:03}"
        part = "" if width == WIDTH else f".p/{width}"
        answer = ask(client, "GET", f"/log/tile/0/{name}{part}")
        if answer is None or answer.status != 200 or len(answer.body) != width * 32:
            raise Unreachable
        hashes = [answer.body[at : at + 32] for at in range(0, width * 32, 32)]
        found += hashes[max(0, start - number * WIDTH) :]
    return found


def _require_named(old: notes.Signed, fresh: notes.Signed) -> None:
    """Another log may take over only by naming a checkpoint no earlier than the one kept."""
    named = [line.split(" ") for line in fresh.extensions if line.startswith("previous ")]
    if not named or (named[0][1] == old.origin and int(named[0][2]) < old.size):
        raise Inconsistent


def forget_old(client: Client) -> int:
    """Forget what was acknowledged 30 days ago and has its receipt; return how many."""
    before = client.clock() - KEEP_MS
    forgotten = 0
    for kept in client.disk.events("state = ? AND acked_at < ?", ACKED, before):
        outcome = call(client, kept.run, "GET", f"/sync/v1/receipts/{kept.id}")
        if outcome.type == "" and _proves(client, outcome.text, kept.line):
            query = "DELETE FROM event WHERE run = ? AND seq = ?"
            forgotten += client.disk.change(query, kept.run, kept.seq)
    return forgotten


def _proves(client: Client, text: str, line: bytes) -> bool:
    try:
        receipts.check(text, _keys(client), line)
    except (receipts.ReceiptError, notes.NoteError):
        return False
    return True
