"""What the site is: its setting, and the book by which its events are judged now."""

from __future__ import annotations

from custody.ledger import judging
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger


def of(ledger: Ledger) -> Value:
    """Return `{"setting": the site's setting, "book": the loaded rulebook, "rulebook": its id}`."""
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        setting = facts.get("setting", "site") or {}
        return {
            "setting": setting,
            "book": judging.book_of(facts),
            "rulebook": judging.rulebook_id(facts),
        }
