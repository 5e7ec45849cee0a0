"""The approved time of the daily collection in New York: by the wall clock, over both changes."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from custody.rulebooks import loader
from custody.rules import core, days

ZONE = "America/New_York"
SITE = {"regime": "NY", "zone": ZONE, "day_starts": "06:00", "controls": {}}


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("start", "clock", "then"),
    [
        ("2026-12-01T20:05", "04:30", "2026-12-02T04:30"),
        ("2026-12-02T04:29", "04:30", "2026-12-02T04:30"),
        ("2026-12-02T04:30", "04:30", "2026-12-03T04:30"),
        ("2026-10-31T20:00", "04:30", "2026-11-01T04:30"),
        ("2027-03-13T20:00", "04:30", "2027-03-14T04:30"),
    ],
)
def test_the_next_time_of_day_is_by_the_wall_clock(start: str, clock: str, then: str) -> None:
    book = core.load(loader.rulebook("NY"), loader.site(SITE))
    minutes = int(clock[:2]) * 60 + int(clock[3:])
    assert days.next_time(book, instant(start), minutes) == instant(then)
