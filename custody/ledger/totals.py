"""Totals of the stock ledger's postings, so that a sum need not read all that was ever posted.

`posting_total` counts equal postings (`times`), by gaming day, month and year, and by block of log
positions. It holds exactly the postings below a mark, a log position that changes in the same
transaction as the totals do; whoever sums adds the postings from the mark on. The totals follow
behind in steps, so that taking an event costs nothing more. A posting never changes: what was wrong
is posted again with the opposite sign. Only a rebuild makes postings anew, and so the totals.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select, text

from custody.ledger import meta, tables
from custody.ledger.core import Ledger

STEP = (
    4096  # positions that the totals go forward by; so many and a few more are summed as they are
)
BLOCK = 16 * STEP  # positions of a block
MARK = "totalled"  # the row of meta that holds the mark
DAY, MONTH, YEAR, BLOCKS = "day", "month", "year", "block"
_FIRST = 100_000_000  # the name of the first block, so that names have as many digits
_PERIODS = {
    DAY: "day",
    MONTH: "substr(day, 1, 7)",
    YEAR: "substr(day, 1, 4)",
    BLOCKS: "block",
}
_SAME = "kind, place, term, design, value"


def block(position: int) -> str:
    """Return the name of the block in which a position lies; names sort as the blocks do."""
    return str(_FIRST + position // BLOCK)


def _of_span(span: str, period: str) -> str:
    return (
        f"SELECT '{span}' AS span, {period} AS period, {_SAME}, CAST(sum(times) AS bigint) AS times"
        f" FROM fresh GROUP BY {period}, {_SAME}"
    )


_FRESH = f"""
WITH posted AS (
    SELECT day, CAST({_FIRST} + position / :block AS text) AS block, kind,
        coalesce(place, '') AS place, term, coalesce(design, '') AS design, value
    FROM posting WHERE position >= :mark AND position < :until
), fresh AS (
    SELECT day, block, {_SAME}, count(*) AS times FROM posted GROUP BY day, block, {_SAME}
)"""
_SPANS = " UNION ALL ".join(_of_span(span, period) for span, period in _PERIODS.items())
_COLUMNS = f"span, period, {_SAME}, times"
_ROLL = f"""{_FRESH}
INSERT INTO posting_total ({_COLUMNS}) {_SPANS}
ON CONFLICT (span, period, {_SAME}) DO UPDATE SET times = posting_total.times + excluded.times"""
_KEPT = f"SELECT {_COLUMNS} FROM posting_total"
_FAULTS = f"""{_FRESH}, made AS ({_SPANS})
SELECT (SELECT count(*) FROM (SELECT {_COLUMNS} FROM made EXCEPT {_KEPT}) AS missing)
    + (SELECT count(*) FROM ({_KEPT} EXCEPT SELECT {_COLUMNS} FROM made) AS surplus)"""


def mark(connection: Connection) -> int:
    """Return the position below which the postings are in the totals."""
    return int(meta.read(connection, MARK) or 0)


def keep_up(ledger: Ledger) -> bool:
    """Take one step if the log has grown by one; say whether it had. No writer waits longer."""
    with ledger.database.reading() as connection:
        if _next(connection, STEP) is None:
            return False
    with ledger.database.writing() as connection:
        return roll(connection, STEP)


def catch_up(connection: Connection) -> None:
    """Take all whole steps that the log has grown by, in the writer's transaction."""
    while roll(connection, BLOCK):
        pass


def roll(connection: Connection, most: int) -> bool:
    """Take the postings of whole steps, of at most so many positions and one block, into the
    totals, in the writer's transaction; say whether there were any.
    """
    bounds = _next(connection, most)
    if bounds is None:
        return False
    connection.execute(text(_ROLL), bounds)
    _set_mark(connection, bounds["until"])
    return True


def _next(connection: Connection, most: int) -> dict[str, int] | None:
    start = mark(connection)
    highest = connection.scalar(select(func.max(tables.event.c.position)))
    whole = 0 if highest is None else (int(highest) + 1) // STEP * STEP
    until = min(whole, start + most, (start // BLOCK + 1) * BLOCK)
    return _bounds(start, until) if until > start else None


def _bounds(start: int, until: int) -> dict[str, int]:
    return {"mark": start, "until": until, "block": BLOCK}


def _set_mark(connection: Connection, position: int) -> None:
    meta.write(connection, MARK, str(position))


def forget(connection: Connection) -> None:
    """Empty the totals: for whoever is about to make the postings anew, in the same transaction."""
    connection.execute(tables.posting_total.delete())
    _set_mark(connection, 0)


def fault(connection: Connection) -> str | None:
    """Return what is wrong with the totals, None when they are the sums of their postings."""
    until = mark(connection)
    wrong = connection.scalar(text(_FAULTS), _bounds(0, until))
    if not wrong:
        return None
    below = f"the postings below position {until}"
    return f"totals: {wrong} differ from {below}; run `custody rebuild`"
