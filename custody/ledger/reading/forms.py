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


def kinds(ledger: Ledger, step: str) -> set[str]:
    """Return the kinds of which the rulebook has an entry for the step; empty where it asks for
    none.
    """
    with ledger.database.reading() as connection:
        entries = judging.book_of(Cache(connection))["steps"].get(step, [])
    told = [entry.get("when", {}).get("kind") or [] for entry in entries]
    return {kind for one in told for kind in ([one] if isinstance(one, str) else one)}


def of_draft(ledger: Ledger, draft: Value) -> Value:
    """Return the fields, places and signers of a draft's form (`rules.core.form`)."""
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        complete = {"items": [], "with": {}, "at": ledger.clock(), **draft}
        return dict(core.form(judging.book_of(facts), facts, complete))
