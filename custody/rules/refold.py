"""An item's state again from nothing: along the events that led to a tip, without those corrected
away.
"""

from . import effects, fold, lots, stock
from .facts import Seen
from .shapes import Any, Json, Table


def path(store: Any, code: str, event_id: Any) -> list[str]:
    """Return the ids of the events that led to one, the first first, itself last."""
    found = []
    while event_id:
        found.append(event_id)
        event_id = store.parent(code, event_id)
    found.reverse()
    return found


def dead(store: Any, events: list[str], more: list[Any]) -> Table:
    """Return the ids of the events that count for nothing: corrected, by a correction that itself
    still counts.
    """
    gone: Table = dict.fromkeys(more, True)
    for key in reversed(events):
        event = store.get("event", key)
        if event is not None and event["step"] == "correct" and key not in gone:
            gone[(event.get("with") or {}).get("event")] = True
    return gone


def _walk(book: Json, store: Any, code: str, event_id: Any, more: list[Any]) -> list[Any]:
    """Return `[value before, value after, prepared event]` for each event that counts."""
    events = path(store, code, event_id)
    gone = dead(store, events, more)
    value = None
    steps = []
    for key in events:
        event = store.get("event", key)
        if event is None or key in gone:
            continue
        names = [code] if _is_serial(store, code) else None
        known = _as_then(book, store, event, key, code, value)
        ready = fold.prepare(book, known, event, key, names)
        if names and event["step"] == "receive":
            ready["lot"] = event["items"][0]
        new = effects.touch(ready, value, code)
        steps.append([value, new, ready])
        value = new
    return steps


def _as_then(book: Json, store: Any, event: Json, key: str, code: str, value: Any) -> Any:
    """The facts as an event saw them: what else it named was then what its own events had made
    it.
    """
    values = {code: value}
    if event["step"] == "pack" or (
        code not in (event.get("items") or []) and not _is_serial(store, code)
    ):
        for other in reached(book, store, event, key):
            if other != code:
                values[other] = state(book, store, other, store.parent(other, key))
    return Seen(store, values)


def _is_serial(store: Any, code: str) -> bool:
    tips = store.tips(code)
    return any(lots.is_range(value) for _, value in tips)


def reached(book: Json, store: Any, event: Json, key: str) -> list[str]:
    """Return the codes that an event of the log has claimed: those for which the store has its
    link.
    """
    return list(store.claims(key))


def state(book: Json, store: Any, code: str, event_id: Any, more: Any = None) -> Any:
    """Return an item's value after an event, without the events `more`."""
    steps = _walk(book, store, code, event_id, more or [])
    value = steps[-1][1] if steps else None
    known = store.tips(code)[0][1] if lots.is_range(value) and store.tips(code) else None
    return dict(value, trail=known["trail"]) if known else value


def lines(book: Json, store: Any, code: str, event_id: Any, more: list[Any]) -> list[Json]:
    """Return the postings that led to an item's value, without the events `more`."""
    found = []
    for old, new, ready in _walk(book, store, code, event_id, more):
        found.extend(stock.postings(book, old, new, ready))
    return found


def after(book: Json, store: Any, event: Json, event_id: str, code: str, value: Any) -> Any:
    """Return an item's value after an event that only notes itself, such as a resolution."""
    ready = fold.prepare(book, store, event, event_id)
    return effects.touch(ready, value, code)
