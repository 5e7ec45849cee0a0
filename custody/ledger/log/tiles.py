"""The tree as tiles (c2sp.org/tlog-tiles): 256 hashes or entries a file, written once, durably.

    <folder>/tile/<level>/<number>      hashes: leaf hashes on level 0, roots of tiles above
    <folder>/tile/entries/<number>      the leaves' texts, each behind its length in two bytes

Only whole tiles are files. What is to the right of them, less than a tile on each level, is made
from the database's last leaves and from the tiles below. A file that is missing is made again from
what it was made of: tiles carry nothing that the events do not.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from pathlib import Path

from custody.ledger.log import durable
from custody.ledger.log.errors import NoSuchTile, Stopped
from custody.ledger.log.merkle import HASH, fold, leaf_hash
from custody.ledger.log.store import Leaf, Leaves

WIDTH = 256
_BATCH = 16  # tiles written between two rounds of fsync: 4,096 leaves in memory at a time
_KEPT = 512  # tiles kept in memory, 8 KiB each


def number_path(number: int) -> str:
    """Return a tile's number as path: 1234067 is `x001/x234/067`."""
    groups = [f"{number % 1000:03d}"]
    while number := number // 1000:
        groups.append(f"x{number % 1000:03d}")
    return "/".join(reversed(groups))


def parse_number(path: str) -> tuple[int, int]:
    """Return number and width for a path such as `x001/234` or `000.p/17`.

    Raises NoSuchTile for any other spelling than the one of the specification.
    """
    whole, partial, width = path.partition(".p/")
    digits = whole.replace("x", "").replace("/", "")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 18:
        raise NoSuchTile(f"{path!r} names no tile")
    number, wide = int(digits), int(width) if width.isascii() and width.isdecimal() else 0
    spelt = number_path(number) + (f".p/{wide}" if partial else "")
    if spelt != path or (partial and not 0 < wide < WIDTH):
        raise NoSuchTile(f"{path!r} names no tile")
    return number, wide if partial else WIDTH


def bundle_of(leaves: list[Leaf]) -> bytes:
    """Return the leaves' texts as an entry bundle."""
    texts = [leaf.text() for leaf in leaves]
    return b"".join([struct.pack(">H", len(text)) + text for text in texts])


class Tiles:
    """The tiles of one log in one folder, over the leaves of the database."""

    def __init__(self, folder: Path, leaves: Leaves) -> None:
        self.folder = folder
        self._leaves = leaves
        self._row: dict[int, tuple[int, bytes]] = {}
        self._whole = lru_cache(maxsize=_KEPT)(self._read_whole)

    def hashes(self, level: int, number: int, width: int = WIDTH) -> bytes:
        """Return the first `width` hashes of a tile; the tree must be large enough to have them.

        A part of a tile of level 0 always comes from the events: a file there may be what a crash
        left, above the last checkpoint, and would hide that the events are others now.
        """
        if width == WIDTH:
            return self._whole(level, number)
        if level and self._path(level, number).exists():
            return self._whole(level, number)[: width * HASH]
        return self._gather(level, number, width)

    def bundle(self, number: int, width: int = WIDTH) -> bytes:
        """Return the first `width` entries of a bundle, each behind its length."""
        path = self.folder / "tile" / "entries" / number_path(number)
        if width == WIDTH and path.exists():
            return path.read_bytes()
        return bundle_of(self.checked(number * WIDTH, number * WIDTH + width))

    def extend(self, first: int, stop: int) -> None:
        """Make the whole tiles from `first` to `stop` of level 0, and those above, durable.

        What stands above the last signed checkpoint was promised to nobody and is replaced.
        """
        if first < stop and self._path(0, first).exists():
            self._forget()
        for start in range(first, stop, _BATCH):
            files: list[tuple[Path, bytes]] = []
            for number in range(start, min(start + _BATCH, stop)):
                leaves = self.checked(number * WIDTH, (number + 1) * WIDTH)
                files.append((self._path(0, number), b"".join([leaf.hash for leaf in leaves])))
                files.append((self._path("entries", number), bundle_of(leaves)))
            durable.write(files, self.folder)
        level = 1
        while (first := first // WIDTH) < (stop := stop // WIDTH):
            above = [
                (self._path(level, n), self._gather(level, n, WIDTH)) for n in range(first, stop)
            ]
            durable.write(above, self.folder)
            level += 1

    def matches_database(self, first: int, stop: int) -> bool:
        """Say whether the whole tiles from `first` to `stop` are those that the events make."""
        return all(
            self._whole(0, number) == self._leaf_hashes(number, WIDTH)
            for number in range(first, stop)
        )

    def checked(self, start: int, stop: int) -> list[Leaf]:
        """Return leaves of the database, whose hashes and positions are what they should be.

        Raises Stopped, naming the position, where one is missing or its hash does not fit.
        """
        leaves = self._leaves.read(start, stop)
        for position, leaf in enumerate(leaves, start):
            if leaf.position != position or leaf.hash != leaf_hash(leaf.text()):
                raise Stopped(f"the leaf hash stored at position {position} does not fit its event")
        if len(leaves) != stop - start:
            raise Stopped(f"the database has no event at position {start + len(leaves)}")
        return leaves

    def _path(self, level: int | str, number: int) -> Path:
        return self.folder / "tile" / str(level) / number_path(number)

    def _read_whole(self, level: int, number: int) -> bytes:
        path = self._path(level, number)
        if not path.exists():
            return self._gather(level, number, WIDTH)
        data = path.read_bytes()
        if len(data) != WIDTH * HASH:
            raise Stopped(f"the tile {path} has {len(data)} bytes, not {WIDTH * HASH}")
        return data

    def _gather(self, level: int, number: int, width: int) -> bytes:
        """Make a tile from what lies below it, going on from where the last call of it ended."""
        if level == 0:
            return self._leaf_hashes(number, width)
        kept, have = self._row.get(level, (number, b""))
        have = have if kept == number else b""
        start = number * WIDTH
        for below in range(start + len(have) // HASH, start + width):
            have += fold(self._whole(level - 1, below))
        self._row[level] = (number, have)
        return have[: width * HASH]

    def _leaf_hashes(self, number: int, width: int) -> bytes:
        start = number * WIDTH
        return b"".join([leaf.hash for leaf in self.checked(start, start + width)])

    def _forget(self) -> None:
        self._row.clear()
        self._whole.cache_clear()


class Tree:
    """The tree of the first `size` leaves, as the proofs read it (`merkle.Nodes`)."""

    def __init__(self, tiles: Tiles, size: int) -> None:
        self.size = size
        self._tiles = tiles
        self._partial: dict[int, bytes] = {}

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of the node `index` of a level; level 0 are the leaves."""
        tile_level, height = divmod(level, 8)
        first = index << height
        run = self._tile(tile_level, first // WIDTH)
        start = first % WIDTH * HASH
        return fold(run[start : start + (HASH << height)])

    def _tile(self, level: int, number: int) -> bytes:
        width = min(WIDTH, (self.size >> 8 * level) - number * WIDTH)
        if width == WIDTH:
            return self._tiles.hashes(level, number)
        if level not in self._partial:
            self._partial[level] = self._tiles.hashes(level, number, width)
        return self._partial[level]
