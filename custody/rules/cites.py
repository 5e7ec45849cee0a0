"""What the rulebook's entry for an event says: its clauses, and the lines that a person checks."""

from . import context, traits
from .book import holds, in_force, noted, select
from .shapes import Any, Json


def clauses(book: Json, facts: Any, event: Json, value: Any) -> list[str]:
    """Return the sorted clause ids of the entry for a step on an item that was `value` before it
    (None for one that comes into being), and of its signers; [] where no entry fits.

    `facts` answer for the time before the event, as far as the choice of an entry asks.
    """
    entry, words, _ = _chosen(book, facts, event, value)
    if entry is None:
        return []
    found = dict.fromkeys(_listed(entry.get("clause")))
    for slot in entry["signers"]:
        if slot.get("clause") and holds(slot["tests"], words):
            found[slot["clause"]] = None
    return sorted(found)


def unticked(book: Json, facts: Any, event: Json, value: Any) -> list[str]:
    """Return the lines of the step's checklist that nobody ticked (`with.checked`), in order: what
    only a person can check, and nobody says to have. Arguments as for `clauses`.
    """
    entry, words, seen = _chosen(book, facts, event, value)
    if entry is None:
        return []
    notes = noted(entry, words)
    for rule in seen["book"]["rules"].get(event["step"], []):
        if holds(rule["tests"], words) and in_force(rule, seen["day"]):
            notes.extend(noted(rule, words))
    passed = list((event.get("with") or {}).get("checked") or [])
    found: list[str] = []
    for note in notes:
        if note["line"] not in passed + found:
            found.append(note["line"])
    return found


def _chosen(book: Json, facts: Any, event: Json, value: Any) -> tuple[Any, Json, Json]:
    """The entry for the step on the item, None where none fits; the words that chose it; the
    context in which they were read.
    """
    seen = context.of(book, facts, dict(event, items=[], by=[]))
    words = traits.of(seen, value, _carrier(event, value))
    return select(seen["book"], event["step"], words, seen["day"]), words, seen


def _carrier(event: Json, value: Any) -> Any:
    """The envelope that the event names and the item was in, as far as the choice asks for it."""
    inside = value.get("in") if value else None
    if inside is None or inside not in (event.get("items") or []):
        return None
    return {"code": inside, "purpose": (value.get("packed") or {}).get("purpose")}


def _listed(clause: Any) -> list[str]:
    return [clause] if isinstance(clause, str) else list(clause or [])
