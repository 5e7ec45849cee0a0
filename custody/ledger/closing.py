"""Close several exceptions of one kind with one outcome: an event each, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from custody.ledger import desk, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError, NotKnown
from custody.ledger.work import Entry, Work
from custody.rules import codes_range
from custody.rules.exception_kinds import CLAIM

APART = frozenset({CLAIM})  # kinds of which each needs a choice of its own
MOST = 200  # closed with one signature


class NotTogether(LedgerError):
    """These exceptions cannot be closed together: `code` says why, `values` which."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(f"these exceptions cannot be closed together: {code} {values}")
        self.code, self.values = code, values


def close(ledger: Ledger, ids: Iterable[str], outcome: str, by: list[Value]) -> list[Entry]:
    """Close open exceptions of one kind, each by a `resolve` event of its own that names it.

    All are closed or none. Raises NotTogether, NotKnown, or Refused with the rules' reasons.
    """
    wanted = list(dict.fromkeys(ids))
    if not 1 <= len(wanted) <= MOST:
        raise NotTogether("none" if not wanted else "many", most=MOST)
    with ledger.database.writing() as connection:
        work = Work(connection)
        found = _open(work, wanted)
        made = [desk.judge_and_append(ledger, work, _draft(one, outcome), by) for one in found]
        work.flush()
        return made


def _open(work: Work, wanted: list[str]) -> list[Value]:
    """Return the exceptions with their `items`, in the order of the log."""
    table, item = tables.exception.c, tables.exception_item.c
    query = select(table.id, table.kind, table.resolved).where(table.id.in_(wanted))
    known = work.connection.execute(query.order_by(table.position, table.id)).all()
    missing = set(wanted) - {one.id for one in known}
    if missing:
        raise NotKnown(f"there is no exception {min(missing)!r}")
    _check([one.kind for one in known], [one.id for one in known if one.resolved is not None])
    named = select(item.exception, item.code).where(item.exception.in_(wanted)).order_by(item.code)
    codes: dict[str, list[str]] = {one.id: [] for one in known}
    for id_, code in work.connection.execute(named):
        codes[id_].append(code)
    return [{"id": id_, "items": items} for id_, items in codes.items()]


def _check(kinds: list[str], closed: list[str]) -> None:
    if closed:
        raise NotTogether("closed", n=len(closed), first=closed[0])
    if len(set(kinds)) > 1:
        raise NotTogether("kinds", kinds=sorted(set(kinds)))
    if kinds[0] in APART:
        raise NotTogether("apart", kind=kinds[0])


def _draft(one: Value, outcome: str) -> dict[str, Any]:
    told = {"exception": one["id"], "outcome": outcome}
    return {"step": "resolve", "items": codes_range.told(one["items"]), "with": told}
