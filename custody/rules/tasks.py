"""What belongs to the site and to no item: open tables, counts by place, the two parts of a
report.
"""

from . import (
    after_play,
    independence,
    papers,
    preshuffle,
    recount,
    requisitions,
    signing_off,
    slips,
    stock,
    tables,
    tally,
    tiles,
)
from .shapes import Any, Json


def records(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """Return `[of, id, value]` of the tables and tasks that an event changes."""
    made = MAKERS.get(event["step"])
    found: list[list[Any]] = made(book, facts, event) if made else []
    if event["paper"] is not None:
        found = papers.tied(facts, event, found)
    return found + independence.records(book, facts, event)


def _table(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """A table opens, closes or changes its game: `table` of the place's value; `before` is what a
    correction restores.
    """
    code = event["where"] or event["to"]
    place = facts.get("place", code) if code else None
    if place is None or place["type"] != "table":
        return []
    return [["place", code, dict(place, table=tables.part(place, event))]]


def _stored(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """The first time that a kind lies in a store starts the clock of its counts there."""
    if event["to_type"] not in stock.STORES:
        return []
    changed = []
    for kind in _kinds(facts, event):
        places = recount.places(facts, kind)
        if event["to"] not in places:
            places[event["to"]] = {"since": event["at"], "last": None}
            changed.append(["task", recount.task_id(kind), {"kind": kind, "places": places}])
    return changed


def _kinds(facts: Any, event: Json) -> list[str]:
    found: Json = {}
    for code in event["codes"]:
        value = facts.get("item", code)
        for kind in (value or {}).get("kinds", [value["kind"]] if value else []):
            found[kind] = True
    return sorted(found)


def _counted(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    if not tally.is_one(book, event):
        return []
    return recount.made(facts, event, tally.difference(book, facts, event)["lines"])


def _form(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """A report has two parts, which go different ways: the original with the items, the duplicate
    back to the pit.
    """
    part = {"state": "made", "place": None, "holder": event["by"][0]}
    value = {
        "form": event["with"].get("form"),
        "event": event["id"],
        "items": event["codes"],
        "at": event["at"],
        "day": event["day"],
        "by": event["by"],
    }
    said = {"original": part, "duplicate": part}
    return [["task", "form:" + event["id"], slips.told(value, event["id"], said)]]


def _forms_of(facts: Any, event: Json) -> list[str]:
    found: Json = {}
    for code in event["codes"]:
        value = facts.get("item", code)
        for report in (value or {}).get("reports", []):
            found["form:" + report["event"]] = True
    return sorted(found)


def pit(facts: Any, event: Json) -> Any:
    """The pit stand to which a part of a form goes: that of the table where the items are, or came
    from.
    """
    here = facts.get("place", event["from_place"] or "") or {"type": None}
    if here.get("pit"):
        return here["pit"]
    if here["type"] == "pit_stand":
        return event["from_place"]
    for code in event["codes"]:
        value = facts.get("item", code) or {}
        table = facts.get(
            "place", value.get("table") or (value.get("removal") or {}).get("place") or ""
        )
        if table is not None:
            return table.get("pit")
    return None


def _handed_over(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """MD-02.13-H.2.c-d: the commission keeps the original, the duplicate waits in the pit for
    security.
    """
    stand = event["pit"]
    changed: list[list[Any]] = []
    for key in _forms_of(facts, event):
        form = facts.get("task", key)
        if form is not None and "papers" not in form:
            original = {"state": "with_commission", "place": event["to"], "holder": None}
            duplicate = {"state": slips.WAITS, "place": stand, "holder": None}
            said = {"original": original, "duplicate": duplicate}
            changed.append(["task", key, slips.told(form, event["id"], said)])
    if changed and stand:
        waiting = slips.waiting(facts, stand)
        waiting.extend([key for _, key, _ in changed if key not in waiting])
        changed.append(["task", "duplicates:" + stand, {"pit": stand, "forms": waiting}])
    return changed


def _collected(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """MD-02.13-K.3: who collects in a pit takes the duplicates that wait there."""
    pit = event["from_place"]
    waiting: list[str] = slips.waiting(facts, pit) if pit else []
    if not waiting or event["departments"][:1] != ["security"]:
        return []
    changed = []
    for key in waiting:
        form = facts.get("task", key)
        if form is not None:
            duplicate = {"state": "collected", "place": None, "holder": event["by"][0]}
            said = {"duplicate": duplicate}
            changed.append(["task", key, slips.told(form, event["id"], said)])
    changed.append(["task", "duplicates:" + pit, {"pit": pit, "forms": []}])
    changed.append(["task", "taken:" + event["id"], {"pit": pit, "forms": waiting}])
    return changed


MAKERS: Json = {
    "administer": signing_off.records,
    "table": _table,
    "store": _stored,
    "return": _stored,
    "count": _counted,
    "report": _form,
    "hand_over": _handed_over,
    "collect": _collected,
    "preshuffle": preshuffle.made,
    "requisition": requisitions.made,
    "issue": requisitions.issued,
    "open": preshuffle.completed,
    "pack": preshuffle.put_back,
    "examine": after_play.record,
    "split": tiles.form,
}
