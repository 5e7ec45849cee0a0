"""The site's zone as a table, for the rules core, which has no zone database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

FIRST_YEAR = 2020
LAST_YEAR = 2040
_STEP = timedelta(hours=12)


class UnknownZoneError(ValueError):
    """There is no time zone of this name. Its argument is the message, with the name."""


@cache
def zone_table(name: str) -> tuple[tuple[int, int], ...]:
    """Return `(UTC ms, offset minutes)` for the start of 2020 and each change of offset to the end
    of 2040.

    Raises UnknownZoneError for a name that is no zone of the IANA database.
    """
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, IsADirectoryError) as error:
        message = f"There is no time zone '{name}'; a zone is written like America/New_York."
        raise UnknownZoneError(message) from error
    moment = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC)
    end = datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC)
    table = [(_ms(moment), _offset(zone, moment))]
    while moment < end:
        later = moment + _STEP
        if _offset(zone, later) != table[-1][1]:
            change = _change(zone, moment, later)
            table.append((_ms(change), _offset(zone, change)))
        moment = later
    return tuple(table)


def _change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """Return the first minute with the later one's offset."""
    while after - before > timedelta(minutes=1):
        middle = before + timedelta(minutes=int((after - before).total_seconds() // 120))
        if _offset(zone, middle) == _offset(zone, before):
            before = middle
        else:
            after = middle
    return after


def _offset(zone: ZoneInfo, moment: datetime) -> int:
    offset = moment.astimezone(zone).utcoffset()
    return 0 if offset is None else int(offset.total_seconds() // 60)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
