"""The crowd of bench/crowd.py: as much leaves custody as comes, in whole lives and in order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bench.crowd import Hurried
from bench.crowding import STICKS, STOCK, leaves, stays
from custody.simulation.lives import life

ACTS = 700


def test_once_there_is_a_stock_as_many_sticks_are_destroyed_as_received() -> None:
    held, levels = 0, []
    for steps in itertools.islice(leaves(3), ACTS):
        assert 1 <= len(steps) <= 2
        for step in steps:
            held += {"receive": 1, "destroy": -1}.get(step.step, 0)
        levels.append(held)
    assert levels[STOCK - 1] == STOCK
    assert set(levels[STOCK:]) == {STOCK, STOCK - 1}


def test_each_stick_of_a_crowd_lives_the_whole_of_one_life_and_is_no_other_handhelds() -> None:
    told: dict[str, list[str]] = {}
    for steps in itertools.islice(leaves(3), ACTS):
        for step in steps:
            told.setdefault(step.claims[-1], []).append(step.step)
    number = 3 * STICKS + 1
    whole = [step.step for step in life(number)]
    assert told[next(life(number)).claims[0]] == whole
    assert all(lived == whole[: len(lived)] for lived in told.values())
    others = {s.claims[0] for steps in itertools.islice(leaves(4), ACTS) for s in steps}
    assert not others & set(told)


def test_where_nothing_leaves_each_act_receives_and_stores_another_stick() -> None:
    acts = list(itertools.islice(stays(0), 20))
    assert {tuple(step.step for step in steps) for steps in acts} == {("receive", "store")}
    assert len({steps[0].claims for steps in acts}) == 20


def test_nobody_who_is_hurried_waits_and_each_acts_as_often_as_in_time() -> None:
    acted = [0, 0, 0]

    def acting(number: int, pause: float) -> Iterator[float]:
        while True:
            yield pause
            acted[number] += 1

    pauses = [10.0, 20.0, 60.0]
    crowd = Hurried([acting(n, pause) for n, pause in enumerate(pauses)], 6_000)
    for part in crowd.parts:
        part.result()
    assert acted == [599, 299, 99]
    assert crowd.now() == 6_000
