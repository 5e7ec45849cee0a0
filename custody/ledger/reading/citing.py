"""Under which clauses each event of an item's life stands: those of the rulebook's entry that
fits it.

The entry is chosen as the rules chose it then: by the item's state before the event, which is
folded along the way.
"""

from __future__ import annotations

from custody.ledger.cache import Cache, Value
from custody.rules import codes, core, refold
from custody.rules.facts import Seen

ENVELOPE = "envelope"


def cite(book: Value, facts: Cache, code: str, found: list[Value]) -> None:
    """Give each entry of an item's history, in the order of the log, its `clauses` (sorted ids) and
    the lines of its checklist that were left `unticked`; [] where none is known.
    """
    values: dict[str | None, Value | None] = {None: None}
    for entry in found:
        event, before = entry["event"], values.get(entry["parent"])
        if event is None or entry["apart"]:
            entry["clauses"], entry["unticked"] = [], []
            continue
        then = Seen(facts, {code: before})
        inside = _inside(book, facts, entry, before)
        about = before if inside is None else inside
        entry["clauses"] = core.clauses(book, then, event, about)
        entry["unticked"] = core.unticked(book, then, event, about)
        values[entry["id"]] = refold.after(book, then, event, entry["id"], code, before)


def _inside(book: Value, facts: Cache, entry: Value, before: Value | None) -> Value | None:
    """What an envelope held or was to hold.

    A clause speaks of that, hardly ever of the envelope.
    """
    event = entry["event"]
    if before is None and not event.get("into"):
        return None
    if before is not None and before["kind"] != ENVELOPE:
        return None
    held = before["contents"] if before else codes.expand_all(event.get("items") or [])
    if not held:
        return None
    parent = facts.parent(held[0], entry["id"])
    found: Value | None = refold.state(book, facts, held[0], parent)
    return found
