"""What the site knows of a two-part form, event by event, so that any of them can be taken back.

`form:<event>` is the form that an event made. Its `trail` is `[[event, what it said], ...]`; the
form says what the last entries say. `duplicates:<pit>` lists the forms whose duplicate waits in a
pit, `taken:<event>` those that a collection took.
"""

from .shapes import Any, Json

WAITS = "in_pit"


def told(form: Json, event_id: str, said: Json) -> Json:
    """Return a form with what an event says of it."""
    new = dict(form)
    new.update(said)
    new["trail"] = list(form.get("trail", []))
    new["trail"].append([event_id, said])
    return new


def without(form: Json, event_id: str) -> Any:
    """Return a form as it is without an event; None where the event made it."""
    trail = [entry for entry in form.get("trail", []) if entry[0] != event_id]
    if not trail or form.get("event") == event_id:
        return None
    new = dict(form, trail=trail)
    for _, said in trail:
        new.update(said)
    return new


def waiting(facts: Any, pit: str) -> list[str]:
    """Return the forms whose duplicate waits in a pit, in the order in which they came."""
    return list((facts.get("task", "duplicates:" + pit) or {}).get("forms", []))


def undone(store: Any, wrong: Any, codes: list[str]) -> list[list[Any]]:
    """Return the tasks of forms as they are without an event that was entered wrongly; `codes` are
    those that it claimed.
    """
    changed = []
    lists: Json = {}
    for key in _touched(store, wrong, codes):
        form = store.get("task", key)
        if form is None or not any(entry[0] == wrong for entry in form.get("trail", [])):
            continue
        new = without(form, str(wrong))
        changed.append(["task", key, new])
        _waits(store, lists, form, key, False)
        _waits(store, lists, new, key, True)
    listed = [
        ["task", "duplicates:" + pit, {"pit": pit, "forms": lists[pit]}] for pit in sorted(lists)
    ]
    return changed + listed


def _waits(store: Any, lists: Json, form: Any, key: str, add: bool) -> None:
    part = (form or {}).get("duplicate") or {}
    if part.get("state") != WAITS or not part.get("place"):
        return
    pit = part["place"]
    forms = lists.get(pit, waiting(store, pit))
    lists[pit] = [one for one in forms if one != key] + ([key] if add else [])


def _touched(store: Any, wrong: Any, codes: list[str]) -> list[str]:
    """The forms that an event may have said something of: its own, those of its items, and those
    that it collected.
    """
    found: Json = {"form:" + str(wrong): True}
    for key in (store.get("task", "taken:" + str(wrong)) or {}).get("forms", []):
        found[key] = True
    for code in codes:
        value = store.get("item", code) or {}
        events = [made["event"] for made in value.get("reports", [])]
        events.append((value.get("preshuffled") or {}).get("event"))
        found.update({"form:" + str(one): True for one in events if one})
    return sorted(found)
