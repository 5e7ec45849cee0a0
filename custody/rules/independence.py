"""Who counts is independent of what is counted: nobody who moved stock of that store since the
last count. Kept only where a rulebook asks for it.
"""

from . import people
from .shapes import Any, Json

STORES = ("storage", "cage")
WORD = "independent"
# Words about stock, not movements of it.
TOLD = ("report", "notify", "resolve")


def task_id(kind: Any, place: Any) -> str:
    return "hands:" + str(kind) + ":" + str(place)


def independent(found: Json, group: Json, need: Json) -> Any:
    """Nobody who signs a count moved what is counted; an adjustment reaches back over the count.
    Who closes an exception did not sign what it is about.
    """
    if found["step"] == "resolve":
        return _barred(found, _signed_it(found))
    codes = [[found["draft"].get("kind"), found["where_id"]]]
    if found["step"] != "count":
        codes = [[value["kind"], value["place"]] for _, value, _ in group["items"]]
    moved: Json = {}
    for kind, place in codes:
        known = found["facts"].get("task", task_id(kind, place)) or {}
        earlier = known.get("audited", []) if found["step"] != "count" else []
        moved.update(dict.fromkeys(known.get("people", []) + earlier, True))
    return _barred(found, moved)


def _barred(found: Json, moved: Any) -> Any:
    barred = [person["id"] for person in found["people"] if person["id"] in moved]
    return {"people": barred, "items": []} if barred else None


def _signed_it(found: Json) -> list[str]:
    """Who signed the event that raised the exception."""
    named = found["with"].get("exception")
    signed: list[str] = []
    for code, _, _ in found["items"]:
        for key, kind, event in found["facts"].open(code):
            body = found["facts"].get("event", event) if named in (key, kind) else None
            signed.extend(people.ids(body) if body else [])
    return signed


def records(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """Note the signers of a movement for every store that it touches; a count starts anew."""
    if WORD not in book["asked"]:
        return []
    if event["step"] in TOLD:
        return []
    if event["step"] == "count":
        return _counted(facts, event)
    changed: Json = {}
    for code in event["codes"]:
        value = facts.get("item", code)
        kinds = value.get("kinds", [value["kind"]]) if value else [event["kind"]]
        for place in ((value or {}).get("place"), event["to"]):
            if place and (facts.get("place", place) or {}).get("type") in STORES:
                for kind in kinds:
                    changed[task_id(kind, place)] = [kind, place]
    return [_signed(facts, key, changed[key], event) for key in sorted(changed)]


def _signed(facts: Any, key: str, of: list[Any], event: Json) -> list[Any]:
    known = facts.get("task", key) or {"people": [], "audited": []}
    new = [p for p in event["by"] if p is not None and p not in known["people"]]
    value = {"kind": of[0], "place": of[1], "people": sorted(known["people"] + new)}
    value["audited"] = known["audited"]
    return ["task", key, value]


def _counted(facts: Any, event: Json) -> list[list[Any]]:
    key = task_id(event["kind"], event["where"])
    known = facts.get("task", key)
    if known is None:
        return []
    return [["task", key, dict(known, people=[], audited=known["people"])]]


CHECKS: Json = {"independent": independent}

CODES = {"independent": "signer-not-independent"}
