"""RFC 6962 section 2.1, as one pass over the leaves and as the walk up from one of them."""

from __future__ import annotations

from hashlib import sha256


def leaf(data: bytes) -> bytes:
    return sha256(b"\x00" + data).digest()


def parent(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


class GrowingTree:
    """The root over all leaves so far, in memory that grows with the logarithm of their number."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def append(self, leaf_hash: bytes) -> None:
        node, bits = leaf_hash, self.size
        while bits & 1:
            node = parent(self._peaks.pop(), node)
            bits >>= 1
        self._peaks.append(node)
        self.size += 1

    def root(self) -> bytes:
        if not self._peaks:
            return sha256(b"").digest()
        node = self._peaks[-1]
        for left in reversed(self._peaks[:-1]):
            node = parent(left, node)
        return node


def root_from_path(leaf_hash: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Return the root that an inclusion path leads to (RFC 9162 section 2.1.3.2).

    Raises ValueError for an index beyond the tree or a path that is too long or too short.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    first, last, node = index, size - 1, leaf_hash
    for beside in path:
        if last == 0:
            raise ValueError("the path has more hashes than the tree has levels")
        if first & 1 or first == last:
            node = parent(beside, node)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            node = parent(node, beside)
        first, last = first >> 1, last >> 1
    if last:
        raise ValueError("the path has fewer hashes than the tree has levels")
    return node
