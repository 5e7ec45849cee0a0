"""Times of the demonstration's gaming days, by the wall clock of its zone."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

from custody.demo.cast import DAY_STARTS, ZONE


def gaming_day(now: datetime.datetime) -> datetime.date:
    """Return the gaming day of an instant."""
    local = now.astimezone(ZoneInfo(ZONE)) - datetime.timedelta(hours=DAY_STARTS)
    return local.date()


def at(today: datetime.date, day: int, time: str, late: int = 0) -> datetime.datetime:
    """Return a local time of a gaming day; hours before its start are those of the next morning."""
    hour, minute = (int(part) for part in time.split(":"))
    date = today + datetime.timedelta(days=day + (hour < DAY_STARTS))
    local = datetime.datetime.combine(date, datetime.time(hour, minute), ZoneInfo(ZONE))
    return local + datetime.timedelta(minutes=late)
