"""Periodic records: that one was reported or reviewed is an administrative event."""

from __future__ import annotations

import re

from custody.ledger import judging
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError, NotKnown
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.work import Entry, Work

KEPT = "kept"
SHAPES = {"month": re.compile(r"\d{4}-(0[1-9]|1[0-2])"), "quarter": re.compile(r"\d{4}-Q[1-4]")}
EXAMPLES = {"month": "2026-12", "quarter": "2026-Q4"}


class PeriodError(LedgerError):
    """A period that is none, or for which the record was made already."""


def required(rulebook: Value, name: str) -> Value:
    """Return the [[record]] of a rulebook with a name. Raises NotKnown."""
    for record in rulebook.get("record", []):
        if record["name"] == name:
            return dict(record)
    raise NotKnown(f"the rulebook asks for no record {name!r}")


def bounds(every: str, period: str) -> tuple[str, str]:
    """Return the first and last calendar month of a month or quarter. Raises PeriodError."""
    if every not in SHAPES or not SHAPES[every].fullmatch(period):
        example = EXAMPLES.get(every, "")
        raise PeriodError(f"{period!r} is no {every}; write one such as {example}")
    if every == "month":
        return period, period
    year, quarter = period[:4], int(period[-1])
    return f"{year}-{3 * quarter - 2:02d}", f"{year}-{3 * quarter:02d}"


def keep(ledger: Ledger, name: str, period: str, found: str, by: By) -> Entry:
    """Record that a period's record was reported, or reviewed, and what was found.

    Raises NotKnown, PeriodError.
    """

    def make(work: Work) -> list[Change]:
        rulebook = work.get("rulebook", judging.rulebook_id(work)) or {}
        bounds(str(required(rulebook, name).get("every")), period)
        id_ = f"{name}:{period}"
        if work.get(KEPT, id_) is not None:
            raise PeriodError(f"{period} is recorded already")
        if not found.strip():
            raise PeriodError("say what was found, or that nothing was")
        value = {"at": ledger.clock(), "by": [one["person"] for one in by], "found": found.strip()}
        return [Change(KEPT, id_, value)]

    return administer(ledger, KEPT, f"{name}:{period}", by, make)
