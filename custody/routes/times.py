"""Write instants for people.

The wall clock of the place, with its offset, never a bare UTC time.
"""

from datetime import UTC, datetime, timedelta, timezone

from markupsafe import Markup


def written_offset(minutes: int) -> str:
    """Write an offset in minutes as people read it: -300 -> "-05:00"."""
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def local(at: int, offset: int) -> datetime:
    """Return the wall-clock time of an instant (UTC ms) at an offset (minutes).

    A clock so wrong that its time is outside the years that can be written is shown at the
    nearest one.
    """
    earliest, latest = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    try:
        moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
        return moment.astimezone(timezone(timedelta(minutes=offset)))
    except (OverflowError, ValueError):
        return latest if at > 0 else earliest


def written(at: int, offset: int, *, seconds: bool = False) -> str:
    """Write an instant: (1796130000000, -300) -> "2026-12-01 08:00 -05:00"."""
    moment = local(at, offset)
    clock = f"{moment:%H:%M:%S}" if seconds else f"{moment:%H:%M}"
    return f"{moment.date().isoformat()} {clock} {written_offset(offset)}"


def time_element(at: int, offset: int, *, seconds: bool = False) -> Markup:
    """Return a `<time>` element with the machine's form beside the written one."""
    moment = local(at, offset)
    day, clock = written(at, offset, seconds=seconds).split(" ", 1)
    return Markup(
        '<time datetime="{}" class="num"><span class="nowrap">{}</span> '
        '<span class="nowrap">{}</span></time>'
    ).format(moment.isoformat(timespec="milliseconds"), day, clock)


def span(milliseconds: int) -> str:
    """Write how long something lasts in its two largest units: 93_600_000 -> "1 d 2 h"."""
    minutes = abs(milliseconds) // 60_000
    days, rest = divmod(minutes, 1440)
    hours, left = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (left, "min")]
    named = [f"{n} {unit}" for n, unit in parts if n]
    return " ".join(named[:2]) or "< 1 min"
