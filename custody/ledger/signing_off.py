"""Sign off a gaming day at the desk: an act by the rules, with the figures that were signed.

What comes for the day later raises `late` (`custody.rules.signing_off`) and is kept all the same.
"""

from __future__ import annotations

from typing import Any

from custody.ledger import desk, judging
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import Refused
from custody.ledger.masterdata import By, digest
from custody.ledger.projecting import ADMINISTER
from custody.ledger.reading import reconciling
from custody.ledger.upstream import joining
from custody.ledger.work import Entry, Work
from custody.rules import counts
from custody.rules.signing_off import ACT

UNEXPLAINED = "day-unexplained"
RECONCILIATION = "reconciliation"


def draft(day: str, note: str = "") -> dict[str, Any]:
    """Return the draft by which a gaming day is signed off."""
    return {"step": ADMINISTER, "with": {"what": ACT, "subject": day}, "note": note}


def sign_off(ledger: Ledger, day: str, note: str, by: By) -> Entry:
    """Sign off a gaming day. The event's `after` is the hash of the terms of every kind.

    Raises Refused with the rules' reasons, or where a remainder is left that neither a term nor the
    note explains (MD-02.13-M.2); KeptUpstream at a site node, whose upstream has all of the day.
    """
    with ledger.database.writing() as connection:
        joining.require_own(connection, ACT)
        work = Work(connection)
        made = desk.judged(ledger, work, draft(day, note.strip()), by)
        book = judging.book_of(work)
        terms = reconciling.of_all_kinds(connection, book, day)
        rulebook = work.get("rulebook", judging.rulebook_id(work)) or {}
        if not made["note"] and (left := unexplained(rulebook, day, terms)):
            raise Refused(left)
        made["with"]["after"] = digest(terms)
        entry = desk.append_draft(ledger, work, made, by)
        work.flush()
        return entry


def unexplained(rulebook: Value, day: str, terms: dict[str, Value]) -> list[Value]:
    """Return a reason for each kind of which a remainder is left, with the clause that asks for its
    daily reconciliation.
    """
    found = []
    for kind, told in terms.items():
        left = {unit: n for unit, n in counts.unexplained(told).items() if n}
        if left:
            told = {"code": UNEXPLAINED, "values": {"day": day, "kind": kind, "value": left}}
            found.append({**told, "clause": clause_of(rulebook, kind), "items": [], "who": []})
    return found


def clause_of(rulebook: Value, kind: str) -> str | None:
    """Return the clause by which a kind is reconciled daily, None where the rulebook has none."""
    for record in rulebook.get("record", []):
        if record["name"] == RECONCILIATION and kind in record["kinds"]:
            return str(record["clause"][0])
    return None
