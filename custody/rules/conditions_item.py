"""Conditions on an item: its state, inspections, reports and holds."""

from . import failing, people
from .shapes import Any, Json


def state(found: Json, group: Json, need: Json) -> Any:
    """The item is in one of the states `any`."""
    now = group["traits"]["state"]
    return None if now in need["any"] else {"state": now, "any": need["any"]}


def inspected(found: Json, group: Json, need: Json) -> Any:
    """It passed its inspection and was not put away since; `at` names the types of place where."""

    def fails(value: Json) -> bool:
        done = value.get("inspection")
        if done is None or done["result"] != "pass":
            return True
        return "at" in need and done["type"] not in need["at"]

    return failing.items(failing.codes(group, fails))


def fresh(found: Json, group: Json, need: Json) -> Any:
    """The inspection is of this gaming day, unless the set stayed sealed and labelled in the
    reserve.
    """

    def stale(value: Json) -> bool:
        done = value.get("inspection")
        if done is None or value.get("preinspected"):
            return done is None
        return value["state"] == "reserve" and bool(done["day"] != found["day"])

    return failing.items(failing.codes(group, stale))


def preinspected(found: Json, group: Json, need: Json) -> Any:
    """It was inspected, sealed and labelled, and its envelope never left the compartment."""

    def fails(value: Json) -> bool:
        kept = value.get("preinspected")
        return not kept or bool(kept["place"] != value["place"])

    return failing.items(failing.codes(group, fails))


def unused(found: Json, group: Json, need: Json) -> Any:
    """It has not been in play since it was last made ready."""
    return failing.items(failing.codes(group, lambda v: "play" in v["times"]))


def since_open(found: Json, group: Json, need: Json) -> Any:
    """It was in play at no time before the table was opened again."""
    _, place = failing.spot(found, group)
    table = (place or {}).get("table")
    if table is None or table["state"] != "open":
        return None
    return failing.items(
        failing.codes(group, lambda v: v["times"].get("play", table["at"]) < table["at"])
    )


def none_left(found: Json, group: Json, need: Json) -> Any:
    """No set of `kind` that was in play before is left on the table."""
    left = []
    for code in found["facts"].at(found["where_id"]) if found["where_id"] else []:
        value = found["facts"].get("item", code)
        if value and value["kind"] == need["kind"] and value["state"] == "in_play":
            left.append(code)
    return failing.items(left)


def clean(found: Json, group: Json, need: Json) -> Any:
    """It came in a box with a whole seal, or was examined and found to conform, without
    tampering.
    """
    return failing.items(failing.codes(group, lambda v: v.get("doubtful")))


def reported(found: Json, group: Json, need: Json) -> Any:
    """A discrepancy report was made: of form `form`; where the removal was for one of
    `removed_for`, or it failed its inspection after play (`failed`). What goes to the commission
    may say of which form the report is: not another than was made.
    """
    reasons = need.get("removed_for")
    named = _named_form(found)

    def silent(value: Json) -> bool:
        if need.get("failed") and (value.get("examined") or {}).get("result") != "fail":
            return False
        if reasons and (value.get("removal") or {}).get("reason") not in reasons:
            return False
        made = [r for r in value.get("reports", []) if r["form"] in need.get("form", [r["form"]])]
        return not any(named in (None, r["form"]) for r in made)

    return failing.items(failing.codes(group, silent))


def _named_form(found: Json) -> Any:
    """The form that a hand-over names; None where it names the report by its event or number."""
    named = found["with"].get("report") if found["step"] == "hand_over" else None
    forms = found["book"]["words"]["steps"]["report"]["fields"]["form"]["words"]
    return named if named in forms else None


def carrier(found: Json, group: Json, need: Json) -> Any:
    """Who carries it is among those who sign; another who has it was not handed it. Before anybody
    has signed nothing is said.
    """
    if not found["names"]:
        return None
    held = [[code, value["holder"]] for code, value, _ in group["items"] if value["holder"]]
    others = [[code, holder] for code, holder in held if holder not in found["names"]]
    if not others:
        return None
    people = sorted({holder for _, holder in others})
    return {"items": [code for code, _ in others], "people": people}


def not_suspect(found: Json, group: Json, need: Json) -> Any:
    """Nothing that hints at tampering was found on it."""
    return failing.items(failing.codes(group, lambda v: v.get("suspect")))


def suspect(found: Json, group: Json, need: Json) -> Any:
    """Something was found on it, or it was taken out for one of `removed_for`."""

    def innocent(value: Json) -> bool:
        reason = (value.get("removal") or {}).get("reason")
        return not value.get("suspect") and reason not in need.get("removed_for", [])

    return failing.items(failing.codes(group, innocent))


def looked(found: Json, group: Json, need: Json) -> Any:
    """It was looked at after it was last in play."""

    def unseen(value: Json) -> bool:
        times = value["times"]
        last = max(times.get("remove", 0), times.get("play", 0))
        return "play" in times and (value.get("looked") or {"at": -1})["at"] < last

    return failing.items(failing.codes(group, unseen))


def own_hold(found: Json, group: Json, need: Json) -> Any:
    """Who releases is who holds: the commission's hold needs its representative."""
    commission = any(p["job"] == "compliance_representative" for p in found["people"])
    failed = failing.codes(
        group,
        lambda v: (v.get("hold") or {}).get("by") == "commission" and not commission,
    )
    return failing.items(failed)


def exception_open(found: Json, group: Json, need: Json) -> Any:
    """The exception that is named is open: by its id, or as the only one of its kind on the
    items.
    """
    named = found["with"].get("exception")
    known = found["facts"].get("exception", named or "")
    if known is not None:
        return None if known["open"] else {"exception": named}
    events: Json = {}
    for code, _, _ in found["items"]:
        for key, kind, event in found["facts"].open(code):
            if named in (key, kind):
                events[event] = True
    if not events:
        return {"exception": named}
    return None if len(events) == 1 else {"exception": named, "events": sorted(events)}


def supervisor(found: Json, group: Json, need: Json) -> Any:
    """The person signed the event in question, or is one of `jobs`."""
    event = found["facts"].get("event", found["with"].get(need["event"]) or "")
    wrote = [] if event is None else people.ids(event)
    jobs = found["book"]["needs"][need["jobs"]]
    if any(p["id"] in wrote or p["job"] in jobs for p in found["people"]):
        return None
    return {}
