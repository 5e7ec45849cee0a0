"""Merkle trees of RFC 6962 section 2.1: roots and proofs over the hashes of perfect subtrees.

Nothing here stores anything: a `Nodes` supplies the hash of any perfect subtree, from tiles, from
memory, from wherever. Hashes are 32 bytes; runs of hashes are those bytes joined.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

HASH = 32
EMPTY = sha256(b"").digest()


class Nodes(Protocol):
    """What knows the tree."""

    def node(self, level: int, index: int) -> bytes:
        """Return the hash over the leaves from `index << level` to `(index + 1) << level`."""
        ...


def leaf_text(position: int, received: int, event_id: str) -> bytes:
    """Return what a leaf is the hash of; `received` in UTC ms (protocol.md, "Log and receipts")."""
    return f"{position}\n{received}\n{event_id}\n".encode()


def leaf_hash(text: bytes) -> bytes:
    """Return the 32 bytes of a leaf's hash (RFC 6962, section 2.1)."""
    return sha256(b"\x00" + text).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the 32 bytes of a node's hash (RFC 6962, section 2.1)."""
    return sha256(b"\x01" + left + right).digest()


def fold(hashes: bytes) -> bytes:
    """Return the root over a run of 1, 2, 4, 8, ... hashes."""
    pair = 2 * HASH
    while len(hashes) > HASH:
        hashes = b"".join(
            [
                sha256(b"\x01" + hashes[at : at + pair]).digest()
                for at in range(0, len(hashes), pair)
            ]
        )
    return hashes


def root(nodes: Nodes, size: int) -> bytes:
    """Return the hash of the tree of the first `size` leaves."""
    return _subtree(nodes, 0, size) if size else EMPTY


def inclusion(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """Return the audit path of leaf `index` in the tree of `size` leaves, the leaf's sibling first.

    Raises ValueError when the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    start, stop, path = 0, size, []
    while stop - start > 1:
        middle = start + _split(stop - start)
        if index < middle:
            path.append(_subtree(nodes, middle, stop))
            stop = middle
        else:
            path.append(_subtree(nodes, start, middle))
            start = middle
    return path[::-1]


def consistency(nodes: Nodes, old: int, new: int) -> list[bytes]:
    """Return the proof that the tree of `old` leaves is a beginning of that of `new` leaves.

    Raises ValueError unless 0 <= old <= new. The proofs from 0 and from `new` itself are empty.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not continue one of {old}")
    if old in (0, new):
        return []
    start, stop, path = 0, new, []
    while stop != old:
        middle = start + _split(stop - start)
        if old <= middle:
            path.append(_subtree(nodes, middle, stop))
            stop = middle
        else:
            path.append(_subtree(nodes, start, middle))
            start = middle
    if start:
        path.append(_subtree(nodes, start, stop))
    return path[::-1]


def implied_root(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Return the root that an audit path leads to; the reverse of `inclusion`.

    Raises ValueError when the path is not as long as the tree asks for.
    """
    start, stop, turns = 0, size, []
    while stop - start > 1:
        middle = start + _split(stop - start)
        turns.append(index >= middle)
        start, stop = (middle, stop) if index >= middle else (start, middle)
    if len(turns) != len(path):
        raise ValueError(f"leaf {index} of {size} takes {len(turns)} hashes, not {len(path)}")
    for beside, is_right in zip(path, reversed(turns), strict=True):
        leaf = node_hash(beside, leaf) if is_right else node_hash(leaf, beside)
    return leaf


def _split(width: int) -> int:
    """Return the largest power of two below `width`."""
    return 1 << ((width - 1).bit_length() - 1)


def _subtree(nodes: Nodes, start: int, stop: int) -> bytes:
    """Hash the leaves from `start` to `stop`, a range that the tree's own splits lead to."""
    width = stop - start
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return nodes.node(level, start >> level)
    middle = start + _split(width)
    return node_hash(_subtree(nodes, start, middle), _subtree(nodes, middle, stop))
