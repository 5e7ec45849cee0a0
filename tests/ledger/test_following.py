"""The loop of a server's background threads: it outlives failures, and tells each reason once."""

from __future__ import annotations

import threading

import pytest

from custody.ledger.following import Following

PATIENCE = 60.0  # seconds


class Reading(Following[list[str]]):
    """Fails by each reason that it was given, then has read all."""

    name, failing, errors, every = "reading", "it cannot be read", (OSError,), 0.0

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(reasons)
        self.all_read = threading.Event()

    def act(self) -> float:
        if self._followed and (reason := self._followed.pop(0)):
            raise OSError(reason)
        if not self._followed:
            self.all_read.set()
        return 0.001


def test_each_reason_is_told_once_until_it_went_well_in_between(
    caplog: pytest.LogCaptureFixture,
) -> None:
    following = Reading(["away", "away", "full", "", "full"]).start()
    assert following.all_read.wait(PATIENCE)
    following.stop()
    assert not following._thread.is_alive()
    told = [record.getMessage().rpartition(": ")[2] for record in caplog.records]
    assert told == ["away", "full", "full"]
    assert {record.name for record in caplog.records} == {"custody.reading"}
