"""Fifty fault runs (`make soak` plays a thousand): nothing lost, doubled or stuck, all flagged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.forge import Forge
from tests.faults.runs import RunFailed, Stage, database_of

SEEDS = range(50)


@pytest.fixture(scope="module")
def played(
    forge: Forge, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Stage:
    def server() -> Iterator[str]:
        yield request.getfixturevalue("postgres_server")

    return Stage(forge, tmp_path_factory.mktemp("runs"), server())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_faults_ends_with_everything_once_and_every_conflict_flagged(
    played: Stage, seed: int
) -> None:
    run = played.play(seed)
    assert run.counted["events"] > 10
    assert run.counted["orderly"] + run.counted["torn"] > 0


def test_the_runs_are_on_both_databases() -> None:
    assert {database_of(seed) for seed in SEEDS} == {"sqlite", "postgresql"}


def test_a_run_that_fails_says_how_to_play_it_again(
    played: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(run: object) -> None:
        raise AssertionError("lost: an event")

    monkeypatch.setattr("tests.faults.ending.check", lose)
    with pytest.raises(RunFailed, match=r"tests\.faults\.runs --seed 1 --database sqlite"):
        played.play(1)
