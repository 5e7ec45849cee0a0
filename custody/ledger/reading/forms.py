"""The form of a step, as the rulebook in force makes it for a draft."""

from __future__ import annotations

from custody.ledger import judging
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.rules import core

# The first two have pages of their own; a delivery is received where it lies, at a handheld, which
# asks what each thing is.
NOT_AT_THE_DESK = ("administer", "resolve", "receive")


def steps(ledger: Ledger) -> list[str]:
    """Return the steps that the desk has a form for."""
    with ledger.database.reading() as connection:
        known = judging.book_of(Cache(connection))["words"]["steps"]
    return [step for step in known if step not in NOT_AT_THE_DESK]


def kinds(ledger: Ledger, step: str) -> list[str]:
    """Return the kinds for which the rulebook has an entry of the step today (`core.kinds`)."""
    with ledger.database.reading() as connection:
        found = core.kinds(judging.book_of(Cache(connection)), step, ledger.clock())
    return [str(one["kind"]) for one in found]


def of_draft(ledger: Ledger, draft: Value) -> Value:
    """Return the fields, places and signers of a draft's form (`rules.core.form`)."""
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        complete = {"items": [], "with": {}, "at": ledger.clock(), **draft}
        return dict(core.form(judging.book_of(facts), facts, complete))
