"""What measurements of the handheld's app share: people who can sign on in a house, a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, sync_playwright

from custody import config
from custody.ledger import people
from custody.ledger.core import open_ledger
from tests.support.house import PEOPLE, House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    ledger = open_ledger(config.load(made.data))
    for handle, _, _, pin in PEOPLE:
        if pin:
            people.set_badge(ledger, handle, made.people[handle].badge, [])
            people.set_pin(ledger, handle, pin, [])
    ledger.close()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started
