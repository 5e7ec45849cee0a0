"""Under which clauses each event of an item's life stands: those of the rulebook's entry that
fits it.

The entry is chosen as the rules chose it then: by the item's state before the event, which is
folded along the way.
"""

from __future__ import annotations

from typing import Any

from custody.ledger.cache import Cache, Value
from custody.rules import codes, context, refold
from custody.rules.book import holds, select
from custody.rules.facts import Seen

ENVELOPE = "envelope"


def cite(book: Value, facts: Cache, code: str, found: list[Value]) -> None:
    """Give each entry of an item's history, in the order of the log, its `clauses`.

    Sorted ids, [] where none is known.
    """
    values: dict[str | None, Value | None] = {None: None}
    for entry in found:
        event, before = entry["event"], values.get(entry["parent"])
        if event is None or entry["apart"]:
            entry["clauses"] = []
            continue
        then = Seen(facts, {code: before})
        inside = _inside(book, facts, entry, before)
        entry["clauses"] = clauses(book, then, event, before if inside is None else inside)
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


def clauses(book: Value, facts: Any, event: Value, before: Value | None) -> list[str]:
    """Return the clauses of the entry for a step on an item that was so before it."""
    seen = context.of(book, facts, {**event, "items": [], "by": []})
    traits = context.traits(seen, before, _carrier(event, before))
    entry = select(seen["book"], event["step"], traits)
    if entry is None:
        return []
    signed = [slot.get("clause") for slot in entry["signers"] if holds(slot["tests"], traits)]
    return sorted({*_listed(entry.get("clause")), *(one for one in signed if one)})


def _carrier(event: Value, before: Value | None) -> Value | None:
    """The envelope that the event names and the item was in.

    As far as the choice of an entry asks for it.
    """
    inside = before.get("in") if before else None
    if before is None or inside is None or inside not in (event.get("items") or []):
        return None
    return {"code": inside, "purpose": (before.get("packed") or {}).get("purpose")}


def _listed(clause: Any) -> list[str]:
    return [clause] if isinstance(clause, str) else list(clause or [])
