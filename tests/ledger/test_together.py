"""Pushes that wait for the writer's lock are committed together, each as if it had come alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection

from custody.config import Config
from custody.ledger import append, chain, together
from custody.ledger.core import Ledger
from custody.ledger.database import Database
from custody.ledger.verifying import key_faults, projection_fault
from custody.simulation import filling

WAITING, EVENTS = 6, 26
PATIENCE = 60.0  # seconds


class Commits:
    """Counts transactions; the next one may fail at its end, as on a full disk."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count, self.failing = 0, 0
        self._writing = Database.writing
        patch.setattr(Database, "writing", lambda database, **how: self.writing(database, **how))

    @contextmanager
    def writing(self, database: Database, **how: bool) -> Iterator[Connection]:
        with self._writing(database, **how) as connection:
            yield connection
            self.count += 1
            if self.failing:
                self.failing -= 1
                raise OSError("no space left")


@pytest.fixture
def filled(config: Config) -> Iterator[Ledger]:
    made, clock = filling.make(config)
    clock.now = filling.START + 86_400_000
    yield made
    made.close()


@pytest.fixture
def batches(filled: Ledger) -> list[chain.Batch]:
    return [chain.parse(one.next(EVENTS).body) for one in filling.enrol(filled, WAITING)]


@pytest.fixture
def commits(batches: list[chain.Batch], monkeypatch: pytest.MonkeyPatch) -> Commits:
    return Commits(monkeypatch)


def push_at_once(filled: Ledger, batches: list[chain.Batch]) -> list[Future[append.Pushed]]:
    """Push all while another holds the writer's lock; return what each came to."""
    lock = filled.database._writer
    with ThreadPoolExecutor(len(batches)) as pool, lock:
        found = [pool.submit(append.push, filled, batch) for batch in batches]
        until = time.monotonic() + PATIENCE
        while len(filled.together._waiting) < len(batches) - 1:
            assert time.monotonic() < until
            time.sleep(0.005)
    return found


def check(filled: Ledger, stored: int) -> None:
    """That many pushes are stored, and give what judging one after the other gives."""
    assert filled.size() == 1 + WAITING + stored * EVENTS  # the founding and the enrolments
    assert list(key_faults(filled)) == []
    assert projection_fault(filled) is None


def test_those_that_wait_are_one_transaction(
    filled: Ledger, batches: list[chain.Batch], commits: Commits
) -> None:
    answers = [one.result() for one in push_at_once(filled, batches)]
    assert commits.count == 1
    assert [one.acked for one in answers] == [EVENTS] * WAITING
    assert sorted(one.size for one in answers)[-1] == filled.size()
    check(filled, WAITING)


def test_no_more_are_taken_along_than_one_large_push_has(
    filled: Ledger, batches: list[chain.Batch], commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "MOST", 2 * EVENTS)
    push_at_once(filled, batches)
    assert commits.count == WAITING / 2
    check(filled, WAITING)


def test_one_that_is_refused_spoils_no_other(
    filled: Ledger, batches: list[chain.Batch], commits: Commits
) -> None:
    wrong = batches[2]._replace(sig=batches[3].sig)
    answers = push_at_once(filled, [*batches[:2], wrong, *batches[3:]])
    assert isinstance(answers[2].exception(), chain.BatchRefused)
    assert [one.exception() for one in answers if one is not answers[2]] == [None] * (WAITING - 1)
    check(filled, WAITING - 1)


def test_a_commit_that_fails_is_tried_again_by_each_alone(
    filled: Ledger, batches: list[chain.Batch], commits: Commits
) -> None:
    commits.failing = 2  # that of all together, and the first one's own
    answers = push_at_once(filled, batches)
    assert sum(isinstance(one.exception(), OSError) for one in answers) == 1
    check(filled, WAITING - 1)


def test_after_one_that_failed_alone_the_next_is_taken(
    filled: Ledger, batches: list[chain.Batch], commits: Commits
) -> None:
    commits.failing = 1
    with pytest.raises(OSError, match="no space"):
        append.push(filled, batches[0])
    for batch in batches:
        append.push(filled, batch)
    check(filled, WAITING)
