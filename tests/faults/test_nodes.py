"""Fault runs over two site nodes and their upstream (`make soak` plays two hundred).

Others are played with `CUSTODY_NODE_FIRST=150 CUSTODY_NODE_SEEDS=450`: so many from that one on.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults import agreeing, shifts
from tests.faults.shifts import ShiftFailed

FIRST = int(os.environ.get("CUSTODY_NODE_FIRST", "0"))  # the first seed that is played
SEEDS = range(FIRST, FIRST + int(os.environ.get("CUSTODY_NODE_SEEDS", "4")))


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("floor") / "original"
    shifts.open_floor(folder)
    return folder


@pytest.mark.parametrize("seed", SEEDS)
def test_what_happens_at_two_nodes_is_upstream_once_and_all_servers_say_the_same(
    floor: Path, tmp_path: Path, seed: int
) -> None:
    counted = shifts.play(floor, tmp_path / "run", seed)
    assert counted["events"] > 8
    assert counted["orderly"] + counted["torn"] > 0


def test_a_run_that_fails_says_how_to_play_it_again(
    floor: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(_shift: object) -> None:
        raise AssertionError("lost: an event")

    monkeypatch.setattr(agreeing, "check", lose)
    with pytest.raises(ShiftFailed, match=r"tests\.faults\.shifts --seed 3"):
        shifts.play(floor, tmp_path / "run", 3)
