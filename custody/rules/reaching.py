"""What a correction reaches: the codes of the corrected event, as they are cut by now."""

from . import cuts, lots, naming
from .shapes import Any, Json


def reached(store: Any, event_id: Any) -> list[str]:
    """Return the codes that an event of the log has claimed, as they are named now."""
    if not event_id:
        return []
    found: list[str] = []
    for code in store.claims(event_id):
        if store.get("item", code) is None and not store.tips(code):
            found.extend(lots.find(store, code) or [code])
        else:
            found.append(code)
    return found


def corrected(book: Json, store: Any, event: Json) -> Json:
    """Return what `naming.read` does of a correction, with the ranges of the corrected event."""
    named = naming.codes_of(book, store, event)
    parts = dict(named["cuts"])
    for code in reached(store, (event.get("with") or {}).get("event")):
        value = store.get("item", code)
        if lots.is_range(value) and code not in named["spans"]:
            pieces = parts.get(code) or [[code, value["span"][0], value["span"][1]]]
            for name, first, last in pieces:
                named["spans"].setdefault(name, [code, first, last])
    named["facts"] = cuts.Cut(store, named["spans"]) if named["spans"] else store
    return named
