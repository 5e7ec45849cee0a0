"""Each event of a scenario comes from another handheld than the ones before it, and is judged
before these are stored, unless it goes on from one of them. What they share beside items (counts,
requisitions, lots, seals, places, exceptions) is then what decides whether its judgement holds.
"""

from __future__ import annotations

from collections import Counter, deque
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from custody.app import create_app
from custody.config import Config
from custody.ledger import append, chain, devices, rebuilding
from custody.ledger.foreseeing import Foresight
from tests.ledger.test_scenarios import FOLDER, Both, compare_items
from tests.support.device import Device, FlaskHttp, line_of

WAITING = 3  # events that have been judged and are not stored yet
LATER = 1_900_000_000_000  # after all that happens in a scenario
NAMES = (
    *("md-offline-double-claim", "md-quarterly-count", "md-tiles-rebuild"),
    *("own/case-counts", "own/correct-counts", "own/form-requisition", "own/md-seals"),
)


class Waiting(Both):
    """A scenario whose events are stored some events after they were judged."""

    def __init__(self, config: Config, scenario: Path, patch: pytest.MonkeyPatch) -> None:
        super().__init__(config, scenario, patch)
        app: Flask = create_app(config, self.ledger)
        self.hands = deque(Device(FlaskHttp(app)) for _ in range(WAITING + 1))
        for hand in self.hands:
            hand.enrol(devices.new_code(self.ledger))
        self.ledger.clock = lambda: LATER
        self.waiting: deque[tuple[chain.Batch, Foresight | None]] = deque()
        self.kept: Counter[bool] = Counter()
        self.foresee, self.holds = append.foresee, Foresight.still_holds
        patch.setattr(append, "foresee", lambda ledger, batch: self.waiting.popleft()[1])
        patch.setattr(Foresight, "still_holds", lambda *given: self.still_holds(*given))

    def still_holds(self, *given: Any) -> bool:
        holds = self.holds(*given)
        self.kept[holds] += 1
        return holds

    def push(self, event: dict[str, Any], key: str) -> None:
        hand = self.hands[0]
        self.hands.rotate()
        fields = {name: value for name, value in self.named(event).items() if name != "by"}
        made = hand.event(fields.pop("step"), by=event["by"], **fields)
        made.update(mono=None, server=None)
        self.ids[key] = hand.write(line_of(made))
        batch = chain.parse(hand.batch())
        hand.acked = len(hand.log)
        self.store_up_to(set(made["saw"].values()))
        self.waiting.append((batch, self.foresee(self.ledger, batch)))
        while len(self.waiting) > WAITING:
            self.store()

    def store_up_to(self, seen: set[str]) -> None:
        """Store what an event goes on from, and all before that."""
        while any(batch.lines[0].id in seen for batch, _ in self.waiting):
            self.store()

    def store(self) -> None:
        append.push(self.ledger, self.waiting[0][0])

    def ask(self, number: int, line: dict[str, Any]) -> None:
        """Not all that the scenario's questions are about is stored yet."""


@pytest.mark.parametrize("name", NAMES)
def test_what_waited_to_be_stored_is_stored_as_if_it_had_not(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(tmp_path / "data", f"sqlite:///{tmp_path / 'custody.db'}")
    scenario = Waiting(config, FOLDER / f"{name}.jsonl", monkeypatch)
    scenario.play()
    while scenario.waiting:
        scenario.store()
    assert scenario.kept[True] > 0
    assert scenario.kept[False] > 0
    compare_items(scenario)
    with scenario.ledger.database.reading() as connection:
        before = rebuilding.digest(connection)
    assert rebuilding.rebuild(scenario.ledger) == before
    scenario.ledger.close()
