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
    known = facts.get("task", key) or {"times": {}, "audited": []}
    return ["task", key, _moved(dict(known, kind=of[0], place=of[1]), event["by"], 1)]


def _moved(known: Json, signers: list[Any], more: int) -> Json:
    """Note for each signer one movement more, or one less."""
    times = dict(known["times"])
    for person in signers:
        if person is not None:
            times[person] = times.get(person, 0) + more
    times = {person: times[person] for person in times if times[person] > 0}
    return dict(known, times=times, people=sorted(times))


def _counted(facts: Any, event: Json) -> list[list[Any]]:
    key = task_id(event["kind"], event["where"])
    known = facts.get("task", key)
    if known is None:
        return []
    done = {"audited": known["people"], "before": known["times"], "count": event["id"]}
    return [["task", key, dict(known, people=[], times={}, counted_at=event["at"], **done)]]


def undone(facts: Any, wrong: Any, before: list[Any], turns: int) -> list[list[Any]]:
    """Return the tasks as they are without a movement, or a count, that was entered wrongly
    (`turns` is -1), or with it, where its correction was wrong (1); `before` are the values of its
    items as it met them. A count that counts again leaves all as moved: the next count ends it.
    """
    event = facts.get("event", wrong) if wrong else None
    if event is None or event["step"] in TOLD:
        return []
    if event["step"] == "count":
        return _uncounted(facts, event, wrong) if turns < 0 else []
    changed = []
    for kind, place in _stores(facts, event, before):
        key = task_id(kind, place)
        known = facts.get("task", key)
        if known is not None:
            changed.append(["task", key, _set(known, event, turns)])
    return changed


def _stores(facts: Any, event: Json, before: list[Any]) -> list[list[Any]]:
    found: Json = {}
    for value in before or [None]:
        kinds = value.get("kinds", [value["kind"]]) if value else [event.get("kind")]
        for place in ((value or {}).get("place"), event.get("to")):
            if place and (facts.get("place", place) or {}).get("type") in STORES:
                found.update({str([kind, place]): [kind, place] for kind in kinds})
    return [found[key] for key in sorted(found)]


def _set(known: Json, event: Json, more: int) -> Json:
    """One movement less or more for its signers: since the last count, or in what that had
    counted.
    """
    signers = people.names(event)
    if event["at"] >= known.get("counted_at", 0):
        return _moved(known, signers, more)
    then = _moved(dict(known, times=known.get("before", {})), signers, more)
    return dict(known, audited=then["people"], before=then["times"])


def _uncounted(facts: Any, event: Json, wrong: Any) -> list[list[Any]]:
    """Without the last count, what was moved before it was moved since the one before."""
    key = task_id(event["kind"], event["where"])
    known = facts.get("task", key)
    if known is None or known.get("count") != wrong:
        return []
    times = dict(known["before"])
    for person in known["times"]:
        times[person] = times.get(person, 0) + known["times"][person]
    kept = dict(known, times=times, people=sorted(times), audited=[], before={})
    return [["task", key, dict(kept, count=None, counted_at=0)]]


CHECKS: Json = {"independent": independent}

CODES = {"independent": "signer-not-independent"}
