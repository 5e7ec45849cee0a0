"""The ledger on which large sizes are measured is one that real pushes would have made."""

from __future__ import annotations

import pytest

from bench import growing
from custody.commands.verify import faults_of
from custody.config import Config
from custody.simulation import filling

BATCH = 325  # so that a period is one group of sticks


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_ledger_that_was_grown_is_what_its_log_makes_and_goes_on(config: Config) -> None:
    ledger, clock = filling.make(config)
    handhelds = filling.enrol(ledger, 1)
    one = growing.period(1, BATCH)
    for push in filling.pushes(handhelds, one, BATCH):
        filling.take(ledger, clock, push)
    grown = growing.grow(ledger, clock, handhelds, filling.pushes(handhelds, one, BATCH))
    assert grown == one
    for push in filling.pushes(handhelds, BATCH, BATCH):
        assert filling.take(ledger, clock, push).exceptions == []
    assert faults_of(ledger) == [], "chains, signatures, keys, leaves and every projection"
    ledger.close()
