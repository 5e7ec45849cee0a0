"""Change master data: each change is an event of the desk, and a version that holds from it on.

People, places, controls, rulebooks and devices are records whose value is given, not folded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from custody.ledger import append, desk, rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.projecting import ADMINISTER
from custody.ledger.strict import dumps
from custody.ledger.upstream import joining
from custody.ledger.work import Entry, Work

By = list[dict[str, Any]]  # [{"person": id, "how": "password"}, ...]; [] for an act of the system


class Change(NamedTuple):
    """`value` is the new version of `(of, id)`; None forgets it."""

    of: str
    id: str
    value: Value | None


def digest(value: Value | None) -> str | None:
    """Return what an administrative event says of a value: its hash, never the value."""
    return None if value is None else hashlib.sha256(dumps(value).encode()).hexdigest()


def administer(
    ledger: Ledger,
    what: str,
    subject: str,
    by: By,
    make: Callable[[Work], Iterable[Change]],
) -> Entry:
    """Append an administrative event with the changes that `make` returns, in one transaction.

    `make` sees the present records and may raise a LedgerError, with nothing changed. At a site
    node it raises KeptUpstream for what is changed upstream.
    """
    with ledger.database.writing() as connection:
        joining.require_own(connection, what)
        work = Work(connection)
        entry = administer_in(ledger, work, what, subject, by, list(make(work)))
        work.flush()
        return entry


def administer_in(
    ledger: Ledger, work: Work, what: str, subject: str, by: By, changes: list[Change]
) -> Entry:
    """Append an administrative event within a transaction that is open already."""
    position = append.log_size(work.connection)
    before = [digest(work.get(change.of, change.id)) for change in changes]
    after = [digest(change.value) for change in changes]
    write_versions(work, position, changes)
    fields = {"what": what, "subject": subject, "before": _one(before), "after": _one(after)}
    return desk.append_draft(ledger, work, {"step": ADMINISTER, "with": fields}, by)


def write_versions(work: Work, position: int, changes: list[Change]) -> None:
    """Write what master data becomes with the event that takes a position in the log."""
    versions = [
        {
            "of": change.of,
            "id": change.id,
            "since_position": position,
            "value": None if change.value is None else dumps(change.value),
        }
        for change in changes
    ]
    rows.insert(work.connection, tables.master, versions)


def _one(hashes: list[str | None]) -> str | None:
    """Return one hash for the values of a change; None where nothing was or is."""
    known = [value for value in hashes if value is not None]
    if len(known) <= 1:
        return known[0] if known else None
    return hashlib.sha256("\n".join(known).encode()).hexdigest()
