"""Tiles: their names, their durability, and the tree that they carry."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custody.ledger.log import durable, merkle
from custody.ledger.log.errors import NoSuchTile, Stopped
from custody.ledger.log.tiles import Tiles, Tree, number_path, parse_number
from tests.ledger.log_support import MemoryLeaves, naive_root

BIG = 66_000  # more than a whole tile of level 1


def test_a_number_is_a_path_of_three_digits_each() -> None:
    assert number_path(1234067) == "x001/x234/067"
    assert number_path(0) == "000"
    assert number_path(999) == "999"
    assert number_path(1000) == "x001/000"


@given(st.integers(0, 10**15), st.integers(1, 256))
def test_a_path_reads_back_as_it_was_written(number: int, width: int) -> None:
    path = number_path(number) + (f".p/{width}" if width < 256 else "")
    assert parse_number(path) == (number, width)


@pytest.mark.parametrize(
    "path",
    ["", "0", "0000", "x001", "001/000", "x000/001", "000.p/", "000.p/0", "000.p/256", "000.p/01",
     "000.p/-1", "000.p/\u0663", "\u0660\u0660\u0660", "../000", "000/", "000.p", "9" * 40],
)  # fmt: skip
def test_any_other_spelling_names_no_tile(path: str) -> None:
    with pytest.raises(NoSuchTile):
        parse_number(path)


@pytest.fixture(scope="module")
def big() -> MemoryLeaves:
    return MemoryLeaves(BIG)


@pytest.fixture(scope="module")
def tiled(big: MemoryLeaves, tmp_path_factory: pytest.TempPathFactory) -> Tiles:
    tiles = Tiles(tmp_path_factory.mktemp("log"), big)
    tiles.extend(0, BIG // 256)
    return tiles


def hashes(leaves: MemoryLeaves, size: int) -> list[bytes]:
    return [row.hash for row in leaves.rows[:size]]


@pytest.mark.parametrize("size", [1, 255, 256, 257, 511, 512, 65535, 65536, 65537, BIG])
def test_the_root_over_tiles_is_the_root_over_leaves(
    tiled: Tiles, big: MemoryLeaves, size: int
) -> None:
    assert merkle.root(Tree(tiled, size), size) == naive_root(hashes(big, size))


def test_levels_hold_the_roots_of_the_tiles_below(tiled: Tiles, big: MemoryLeaves) -> None:
    first = naive_root(hashes(big, 256))
    assert tiled.hashes(1, 0, 1) == first
    assert tiled.hashes(1, 0)[:32] == first
    assert tiled.hashes(2, 0, 1) == naive_root(hashes(big, 65536))
    assert (tiled.folder / "tile" / "1" / "000").stat().st_size == 8192


def test_a_bundle_holds_each_leaf_behind_its_length(tiled: Tiles, big: MemoryLeaves) -> None:
    for number, width in ((0, 256), (BIG // 256, BIG % 256)):
        data, texts = tiled.bundle(number, width), []
        while data:
            (length,) = struct.unpack(">H", data[:2])
            texts.append(data[2 : 2 + length])
            data = data[2 + length :]
        start = number * 256
        assert texts == [row.text() for row in big.rows[start : start + width]]


def test_a_tile_that_was_lost_is_made_again_from_the_events(tmp_path: Path) -> None:
    leaves = MemoryLeaves(600)
    tiles = Tiles(tmp_path, leaves)
    tiles.extend(0, 2)
    kept = tiles.hashes(0, 1)
    (tmp_path / "tile" / "0" / "001").unlink()
    again = Tiles(tmp_path, leaves)
    assert again.hashes(0, 1) == kept
    assert again.hashes(0, 1, 3) == kept[:96]


def test_a_tile_cut_short_is_told_and_not_served(tmp_path: Path) -> None:
    tiles = Tiles(tmp_path, MemoryLeaves(256))
    tiles.extend(0, 1)
    (tmp_path / "tile" / "0" / "000").write_bytes(b"short")
    with pytest.raises(Stopped, match="has 5 bytes, not 8192"):
        Tiles(tmp_path, MemoryLeaves(256)).hashes(0, 0)


def test_a_stored_leaf_hash_that_does_not_fit_its_event_goes_into_no_tile(tmp_path: Path) -> None:
    leaves = MemoryLeaves(256)
    leaves.rows[200] = type(leaves.rows[200])(200, 1, "other", leaves.rows[200].hash)
    with pytest.raises(Stopped, match="position 200"):
        Tiles(tmp_path, leaves).extend(0, 1)
    assert not (tmp_path / "tile").exists()


def test_files_are_flushed_before_they_take_their_name_and_folders_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = durable.os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        done.append("fsync " + Path(f"/proc/self/fd/{handle}").resolve().name)
        fsync(handle)

    def noted_replace(self: Path, target: Path) -> Path:
        done.append(f"rename {target.name}")
        return replace(self, target)

    monkeypatch.setattr(durable.os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    durable.write([(tmp_path / "tile" / "0" / "000", b"x")], tmp_path)
    assert done[0].startswith("fsync .000.")
    assert done[1] == "rename 000"
    assert {"fsync 0", "fsync tile", f"fsync {tmp_path.name}"} <= set(done[2:])
    assert (tmp_path / "tile" / "0" / "000").read_bytes() == b"x"
