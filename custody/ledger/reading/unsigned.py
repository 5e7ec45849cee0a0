"""Gaming days in which something moved and that nobody has signed off, though they are over."""

from __future__ import annotations

from sqlalchemy import Connection, text

from custody.ledger import judging, totals
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.rules import clocks, corrected, signing_off

SHOWN = 7  # days that are named, the newest first
LOOKED_AT = 400  # days of movement that are looked at: a year, and what of it is still open
# The newest day before another is a look into an index; all postings of all days are never read.
_MOVED = f"""
WITH RECURSIVE totalled(day) AS (
    SELECT (SELECT period FROM posting_total WHERE span = '{totals.DAY}' AND period < :today
        ORDER BY period DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT period FROM posting_total WHERE span = '{totals.DAY}' AND period < totalled.day
        ORDER BY period DESC LIMIT 1) FROM totalled WHERE totalled.day IS NOT NULL
), newest(day) AS (SELECT day FROM totalled WHERE day IS NOT NULL LIMIT :most)
SELECT day FROM newest
UNION SELECT day FROM posting WHERE position >= :mark AND day < :today
ORDER BY 1 DESC LIMIT :most"""


def of(ledger: Ledger) -> Value:
    """Return `{"days": ["2026-12-01", ...], "n": 9, "more": False}`: the newest days, how many
    there are, and whether there may be more: only so many days of movement are looked at.
    """
    now = ledger.clock()
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        moved = _moved(connection, clocks.gaming_day(book, now))
        _read_ahead(facts, moved)
        found = signing_off.unsigned(book, facts, moved, now)
    return {"days": found[:SHOWN], "n": len(found), "more": len(moved) == LOOKED_AT}


def _moved(connection: Connection, today: str) -> list[str]:
    """Return the gaming days before today in which anything was posted, the newest first."""
    asked = {"today": today, "mark": totals.mark(connection), "most": LOOKED_AT}
    return list(connection.scalars(text(_MOVED), asked))


def _read_ahead(facts: Cache, moved: list[str]) -> None:
    """Read the days' sign-offs, and what corrected these, with two statements."""
    facts.fetch(("day", day) for day in moved)
    records = (facts.get("day", day) for day in moved)
    events = [one["event"] for record in records if record for one in record["signed"]]
    facts.fetch(("task", corrected.task_id(event)) for event in events)
