"""A ledger in memory: what `rehearse`, the tests and MicroPython keep an event log in."""

from . import branches, facts, lots
from .shapes import Any, Json


def new(book: Json) -> facts.Book:
    """Return an empty ledger."""
    return facts.Book(book["gone"])


def record(book: Json, store: facts.Book, event: Json, event_id: str) -> Json:
    """Append an event and return what `branches.take` said about it."""
    store.put("event", event_id, event)
    outcome = branches.take(book, store, event, event_id)
    keep(store, event_id, outcome)
    return outcome


def keep(store: facts.Book, event_id: str, outcome: Json) -> None:
    """Persist what an event does, as docs/architecture.md says that every store does."""
    for origin, pieces in outcome["cuts"]:
        _cut(store, origin, pieces)
    for code, tips in outcome["tips"]:
        store.branches[code] = tips
        store.put("item", code, shown(tips))
    for code, parent in outcome["links"]:
        store.links[(code, event_id)] = parent
    store.claimed[event_id] = sorted([code for code, _ in outcome["links"]])
    for of, key, value in outcome["records"]:
        store.put(of, key, value)
    store.postings.extend(outcome["postings"])
    for entry in store.exceptions:
        if entry["id"] in outcome["closed"] and not entry["closed"]:
            entry["closed"] = event_id
        if entry["id"] in outcome["reopened"]:
            entry["closed"] = None
    for number, raised in enumerate(outcome["raised"]):
        entry = dict(raised, id=event_id + "-" + str(number + 1), event=event_id, closed=None)
        store.exceptions.append(entry)


def _cut(store: facts.Book, origin: str, pieces: list[list[Any]]) -> None:
    """The parts of a range take its place, each with its branches."""
    tips = store.branches.pop(origin, [])
    store.put("item", origin, None)
    for code, first, last in pieces:
        store.branches[code] = [[e, lots.sliced(v, code, first, last)] for e, v in tips]
        store.put("item", code, shown(store.branches[code]))


def shown(tips: list[Any]) -> Any:
    """Return an item's record: the value of its first branch, with all tips and whether it is
    disputed.
    """
    value = tips[0][1]
    if value is None:
        return None
    return dict(value, last=[tip[0] for tip in tips], disputed=len(tips) > 1)
