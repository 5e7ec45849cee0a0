"""Requisitions: what marketing asked for, what of it was issued (MD-03.11-H, I).

Each gaming day for which coupons are needed has a task `requisition:<kind>:<day>`:
`{"needs": [{"event", "first", "last", "denomination", "quantity", "left", "at", "by"}, ...]}`, and,
where one was entered wrongly, `"undone": [[need, correction], ...]`: an issue that is folded again
knows it still.
"""

from . import days, ends, field_types, lots
from .shapes import Any, Json

MOST_DAYS = 366
TASK = "requisition:"  # begins the ids of its tasks


def period(text: Any) -> Any:
    """Return `[first, last]` gaming day of `needed_for`, a date or `date..date`, else None."""
    first, dots, last = str(text).partition("..")
    span = [first, last if dots else first]
    if not all(days.is_date(day) for day in span) or span[1] < span[0]:
        return None
    return span if days.number(span[1]) - days.number(span[0]) < MOST_DAYS else None


def task_id(kind: Any, day: str) -> str:
    return TASK + str(kind) + ":" + day


def needs(facts: Any, kind: Any, day: str) -> list[Json]:
    """Return the requisitions for a gaming day, the first made first."""
    return list((facts.get("task", task_id(kind, day)) or {}).get("needs", []))


def as_met(task: Any, came_before: Any) -> Any:
    """Return a task as an event met it: `came_before` says of an event's id whether it was there.
    How much is `left` of a need is as it is now.
    """
    if task is None:
        return None
    met = [need for need in task["needs"] if came_before(need["event"])]
    for need, correction in task.get("undone", []):
        if came_before(need["event"]) and not came_before(correction):
            met.append(need)
    return {"needs": met}


def _task(facts: Any, key: str, needs: list[Json]) -> list[Any]:
    """The record of a day's requisitions."""
    return ["task", key, dict(facts.get("task", key) or {}, needs=needs)]


def made(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """Return the tasks of the days for which a requisition asks."""
    span = period(event["with"].get("needed_for"))
    if span is None:
        return []
    quantity = event["with"].get("quantity")
    if not field_types.well_typed("int", quantity):  # as a fact it may say anything
        quantity = 0
    need = {
        "event": event["id"],
        "first": span[0],
        "last": span[1],
        "denomination": event["with"].get("denomination"),
        "quantity": quantity,
        "left": quantity,
        "at": event["at"],
        "by": event["by"],
    }
    return _written(facts, event["kind"], need)


def _written(facts: Any, kind: Any, need: Json) -> list[list[Any]]:
    """One requisition as it now stands, in each of its days."""
    records = []
    for number in range(days.number(need["first"]), days.number(need["last"]) + 1):
        day = days.name(number)
        known = needs(facts, kind, day)
        others = [need if other["event"] == need["event"] else other for other in known]
        if need not in others:
            others.append(need)
        records.append(_task(facts, task_id(kind, day), others))
    return records


def asked(values: list[Json]) -> Json:
    """Return how many coupons of each denomination these ranges are."""
    found: Json = {}
    for value in values:
        if lots.is_range(value):
            worth = value["attributes"].get("denomination")
            found[worth] = found.get(worth, 0) + value["pieces"]
    return found


def issued(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """Return the requisitions that an issue to marketing uses up."""
    if event["to_type"] != "marketing":
        return []
    values = [facts.get("item", code) for code in event["codes"]]
    ranges = [value for value in values if lots.is_range(value) and value["kind"] == "coupons"]
    changed: Json = {}
    for worth, wanted in asked(ranges).items():
        for need in needs(facts, "coupons", event["day"]):
            take = min(wanted, need["left"] or 0)
            if need["denomination"] == worth and take > 0:
                wanted -= take
                for record in _written(facts, "coupons", dict(need, left=need["left"] - take)):
                    changed[record[1]] = _merged(changed.get(record[1]), record, need["event"])
    return [changed[key] for key in sorted(changed)]


def _merged(before: Any, record: list[Any], event_id: str) -> list[Any]:
    """Two requisitions of one day used up at once."""
    if before is None:
        return record
    fresh = {need["event"]: need for need in record[2]["needs"]}
    kept = [
        fresh[need["event"]] if need["event"] == event_id else need for need in before[2]["needs"]
    ]
    return [record[0], record[1], dict(record[2], needs=kept)]


def until(book: Json, facts: Any, event: Json, codes: list[str], at: int) -> Any:
    """Return the last gaming day for which what is issued was asked for: its day, or the end of the
    promotion.
    """
    to = ends.place(facts, event["to"]) if event["step"] == "issue" and event.get("to") else None
    if to is None or to["type"] != "marketing":
        return None
    day = days.gaming_day(book, at)
    value = facts.get("item", codes[0]) if codes else None
    worth = value["attributes"].get("denomination") if value else None
    asked_for = [n["last"] for n in needs(facts, "coupons", day) if n["denomination"] == worth]
    asked_for.append(day)
    return max(asked_for)


def undone(facts: Any, wrong: Any, correction: str) -> list[list[Any]]:
    """Return the tasks as they are without a requisition that was entered wrongly."""
    event = facts.get("event", wrong) if wrong else None
    if event is None or event["step"] != "requisition":
        return []
    span = period((event.get("with") or {}).get("needed_for"))
    records = []
    for number in range(days.number(span[0]), days.number(span[1]) + 1) if span else []:
        key = task_id(event["kind"], days.name(number))
        known = facts.get("task", key) or {"needs": []}
        gone = [[need, correction] for need in known["needs"] if need["event"] == wrong]
        kept = [need for need in known["needs"] if need["event"] != wrong]
        undone_ = known.get("undone", []) + gone
        records.append(["task", key, {"needs": kept, "undone": undone_}])
    return records
