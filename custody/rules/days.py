"""Gaming days and calendar arithmetic in the site's zone, on whole UTC milliseconds.

A gaming day is named by the date on which it starts, `YYYY-MM-DD`. It starts at the site's
`day_starts` by the wall clock, so that it has 25 hours when the clocks go back and 23 when they go
forward; where that wall-clock time comes twice, the first one counts.
"""

from .shapes import Json

MINUTE = 60000
DAY = 86400000
MOST = 4000  # days of which a book keeps when they start


def offset(book: Json, at: int) -> int:
    """Return the zone's offset from UTC, in minutes, at an instant."""
    table = book["zone"]
    low, high = 0, len(table) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if table[middle][0] <= at:
            low = middle
        else:
            high = middle - 1
    return int(table[low][1])


def wall(book: Json, at: int) -> int:
    """Return the wall clock at an instant, as if it were UTC milliseconds."""
    return at + offset(book, at) * MINUTE


def instant(book: Json, clock: int) -> int:
    """Return the first instant at which the wall clock shows this; in a gap, the instant after
    it.
    """
    early = offset(book, clock - DAY)
    late = offset(book, clock + DAY)
    for minutes in (max(early, late), min(early, late)):
        if offset(book, clock - minutes * MINUTE) == minutes:
            return clock - minutes * MINUTE
    return clock - early * MINUTE


def number(day: str) -> int:
    """Return the days from 1970-01-01 to a date."""
    year, month, date = int(day[:4]), int(day[5:7]), int(day[8:10])
    if month <= 2:
        year -= 1
        month += 12
    return (
        365 * year
        + year // 4
        - year // 100
        + year // 400
        + (153 * month - 457) // 5
        + date
        - 719469
    )


def is_date(text: str) -> bool:
    """Whether a text is a date of the calendar, `YYYY-MM-DD`."""
    shape = len(text) == 10 and text[4] == "-" and text[7] == "-"
    return shape and (text[:4] + text[5:7] + text[8:]).isdigit() and name(number(text)) == text


def name(days: int) -> str:
    """Return the date that lies so many days after 1970-01-01, `YYYY-MM-DD`."""
    era_day = days + 719468
    era = era_day // 146097
    rest = era_day - era * 146097
    year = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    rest -= 365 * year + year // 4 - year // 100
    month = (5 * rest + 2) // 153
    date = rest - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return _date(year + era * 400 + (1 if month <= 2 else 0), month, date)


def _date(year: int, month: int, date: int) -> str:
    return f"{year:04d}-{month:02d}-{date:02d}"


def gaming_day(book: Json, at: int) -> str:
    """Return the gaming day, `YYYY-MM-DD`, to which an instant belongs."""
    today = book["today"]
    if today[0] <= at < today[1]:
        return str(today[2])
    days = (wall(book, at) - book["day_starts"] * MINUTE) // DAY
    if at >= start(book, name(days + 1)):
        days += 1
    elif at < start(book, name(days)):  # the clocks skipped the hour in which it starts
        days -= 1
    day = name(days)
    book["today"] = [start(book, day), start(book, name(days + 1)), day]
    return day


def start(book: Json, day: str) -> int:
    """Return the instant at which a gaming day starts; the day before ends with it."""
    cached = book["starts"].get(day)
    if cached is None:
        if len(book["starts"]) >= MOST:  # a device may say that it is any day
            book["starts"].clear()
        cached = instant(book, number(day) * DAY + book["day_starts"] * MINUTE)
        book["starts"][day] = cached
    return int(cached)


def end(book: Json, day: str) -> int:
    """Return the instant at which a gaming day is over."""
    return start(book, name(number(day) + 1))


def after_days(book: Json, at: int, days: int) -> int:
    """Return the same wall-clock time so many days later: seven days over a clock change are seven
    days.
    """
    return instant(book, wall(book, at) + days * DAY)


def next_time(book: Json, at: int, minutes: int) -> int:
    """Return the next instant after another at which the wall clock says so many minutes after
    midnight.
    """
    day = wall(book, at) // DAY
    found = instant(book, day * DAY + minutes * MINUTE)
    return found if found > at else instant(book, (day + 1) * DAY + minutes * MINUTE)


def after_months(book: Json, at: int, months: int) -> int:
    """Return the end of the gaming day that lies so many calendar months after that of an
    instant.
    """
    return end(book, plus_months(gaming_day(book, at), months))


def plus_months(day: str, months: int) -> str:
    """Return the date so many months later, the month's last where it is shorter: 30 November + 3
    is 28 February.
    """
    count = int(day[:4]) * 12 + int(day[5:7]) - 1 + months
    year, month, date = count // 12, count % 12 + 1, int(day[8:10])
    while True:
        text = _date(year, month, date)
        if name(number(text)) == text:
            return text
        date -= 1
