"""Under which clauses an event stands: those of the rulebook's entry that fits it."""

from . import context, traits
from .book import holds, select
from .shapes import Any, Json


def clauses(book: Json, facts: Any, event: Json, value: Any) -> list[str]:
    """Return the sorted clause ids of the entry for a step on an item that was `value` before it
    (None for one that comes into being), and of its signers; [] where no entry fits.

    `facts` answer for the time before the event, as far as the choice of an entry asks.
    """
    seen = context.of(book, facts, dict(event, items=[], by=[]))
    words = traits.of(seen, value, _carrier(event, value))
    entry = select(seen["book"], event["step"], words, seen["day"])
    if entry is None:
        return []
    found = dict.fromkeys(_listed(entry.get("clause")))
    for slot in entry["signers"]:
        if slot.get("clause") and holds(slot["tests"], words):
            found[slot["clause"]] = None
    return sorted(found)


def _carrier(event: Json, value: Any) -> Any:
    """The envelope that the event names and the item was in, as far as the choice asks for it."""
    inside = value.get("in") if value else None
    if inside is None or inside not in (event.get("items") or []):
        return None
    return {"code": inside, "purpose": (value.get("packed") or {}).get("purpose")}


def _listed(clause: Any) -> list[str]:
    return [clause] if isinstance(clause, str) else list(clause or [])
