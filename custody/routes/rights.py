"""Which job may do what at the desk. The one table of rights; the rulebook alone says who signs a
step.

A right opens pages, never a signature: a person with `record` may fill in a step's form at the
desk, and the rulebook still refuses the step where the job does not fit (MD-02.13-D and its
like).
"""

from collections.abc import Mapping

LOOK = "look"
"""Read today's list, items, envelopes, exceptions and clauses; find an item by code or photo."""
STOCK = "stock"
"""Read balances by place and kind, and a day's reconciliation with what is behind it."""
RECORD = "record"
"""Record a step at the desk, signed by oneself."""
RESOLVE = "resolve"
"""Close an exception with an outcome, signed by oneself."""
LABELS = "labels"
"""Print labels, and reserve new codes for a delivery."""
LOG = "log"
"""Read the state of the log, its devices and how to verify it."""
PEOPLE = "people"
"""Add people, give jobs, badges, PINs and password links, and revoke them."""
DEVICES = "devices"
"""Make enrolment codes, approve and revoke devices."""
PLACES = "places"
"""Add places and say which are approved."""
APPROVALS = "approvals"
"""Enter what the regulator approved, and load the operator's overlay."""
RECORDS = "records"
"""Read who may do what, what was changed, corrected and voided, and the periodic records
(25 CFR 542.12(e)(2): only authorized personnel)."""

READER = frozenset({LOOK, STOCK, LOG, RECORDS})
FLOOR = frozenset({LOOK, RECORD, LABELS})
MANAGER = FLOOR | {STOCK, RESOLVE}

RIGHTS: Mapping[str, frozenset[str]] = {
    "administrator": frozenset({LOOK, LABELS, LOG, PEOPLE, DEVICES, PLACES, APPROVALS, RECORDS}),
    "accounting_clerk": frozenset({LOOK, STOCK, RECORD, LABELS}),
    "accounting_supervisor": frozenset({LOOK, STOCK, RECORD, LABELS, RESOLVE, RECORDS}),
    "internal_auditor": READER | {RECORD},
    "marketing_clerk": frozenset({LOOK, RECORD}),
    "marketing_supervisor": frozenset({LOOK, STOCK, RECORD}),
    "compliance_representative": READER,
    "security_officer": FLOOR,
    "security_supervisor": MANAGER,
    "surveillance_officer": frozenset({LOOK}),
    "floorperson": FLOOR,
    "pit_manager": MANAGER,
    "assistant_shift_manager": MANAGER,
    "shift_manager": MANAGER,
    "poker_floorperson": FLOOR,
    "poker_supervisor": FLOOR,
    "poker_shift_manager": MANAGER,
    "poker_manager": MANAGER,
}
"""Jobs not named here (dealer, cashier, vendor_agent, ...) work at a handheld and have no desk."""


def of(job: str, like: Mapping[str, str]) -> frozenset[str]:
    """Return the rights of a job; the empty set for a job without a desk.

    `like` names, for a job that an overlay adds, the job of the vocabulary with which it ranks, or
    above which it was put: it has that one's rights and no more.
    """
    return RIGHTS.get(like.get(job, job), frozenset())
