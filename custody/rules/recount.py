"""Counts by place, and what is left of them when one, however old, is corrected away.

`count:<kind>` has the last count of each place: `{"kind", "places": {place: {"since", "last",
"event", "day", "variance", "by", "before", "tip"}}}`; `counted:<event>` every single one, each with
the one `before` it, so that none is out of a correction's reach. Of several counts of a place on
one gaming day only the last one's difference is in the books; `double` says which one of another
counter it takes the place of.
"""

from . import stock
from .shapes import Any, Json


def task_id(kind: Any) -> str:
    return "count:" + str(kind)


def places(facts: Any, kind: Any) -> Json:
    """Return what is known of a kind by place; its first stock there started the clock."""
    return dict((facts.get("task", task_id(kind)) or {}).get("places", {}))


def made(facts: Any, event: Json, lines: list[Json]) -> list[list[Any]]:
    """Return the tasks that a count changes; `lines` are its difference as postings."""
    kind, place = event["kind"], event["where"]
    known = places(facts, kind)
    before = known.get(place) or {}
    one: Json = {"since": before.get("since", event["at"]), "last": event["at"]}
    one.update({"event": event["id"], "day": event["day"], "variance": stock.merged(lines)})
    one["before"] = before.get("tip", before.get("event"))
    one["by"] = event["by"]
    one["double"] = _double(before, one)
    known[place] = dict(one, tip=event["id"])
    return [
        ["task", task_id(kind), {"kind": kind, "places": known}],
        ["task", "counted:" + event["id"], dict(one, kind=kind, place=place, gone=False)],
    ]


def _double(before: Json, one: Json) -> Any:
    """The count of the same place and gaming day that somebody else made before: of two counters
    of one thing the second is taken, and not both.
    """
    others = before.get("day") == one["day"] and before.get("event")
    if not others or any(person in before.get("by", []) for person in one["by"]):
        return None
    return {"event": before["event"], "at": before["last"], "by": before.get("by", [])}


def undone(facts: Any, wrong: Any) -> list[list[Any]]:
    """Return `[records, postings]` that take a count back, or let it count again where the
    correction of it was wrong.
    """
    target, gone = _target(facts, wrong)
    known = facts.get("task", "counted:" + str(target))
    if known is None or known["gone"] == gone:
        return [[], []]
    here = places(facts, known["kind"])
    chain = _chain(facts, (here.get(known["place"]) or {}).get("tip"), target)
    after = [dict(one, gone=gone) if one["event"] == target else one for one in chain]
    day = known["day"]
    lines = [stock.reversed_line(line) for line in _of_day(chain, day)] + _of_day(after, day)
    here[known["place"]] = _last(after, known, chain)
    kept = {place: here[place] for place in here if here[place]}
    return [
        [
            ["task", task_id(known["kind"]), {"kind": known["kind"], "places": kept}],
            ["task", "counted:" + str(target), dict(known, gone=gone)],
        ],
        lines,
    ]


def _target(facts: Any, wrong: Any) -> Any:
    """The count in question, and whether it is to count for nothing: a correction of a correction
    lets it count again.
    """
    gone = True
    event = facts.get("event", wrong) if wrong else None
    while event is not None and event["step"] == "correct":
        wrong, gone = (event.get("with") or {}).get("event"), not gone
        event = facts.get("event", wrong) if wrong else None
    return wrong, gone


def _chain(facts: Any, tip: Any, target: Any) -> list[Json]:
    """The counts of a place from the last one back to the one in question, and on to one before it
    that counts.
    """
    found: list[Json] = []
    passed = False
    while tip:
        one = facts.get("task", "counted:" + str(tip))
        if one is None:
            break
        found.append(one)
        if passed and not one["gone"]:
            break
        passed = passed or one["event"] == target
        tip = one["before"]
    return found


def _of_day(chain: list[Json], day: str) -> list[Json]:
    for one in chain:
        if one["day"] == day and not one["gone"]:
            return list(one["variance"])
    return []


def _last(chain: list[Json], known: Json, before: list[Json]) -> Any:
    tip = before[0]["event"] if before else known["event"]
    for one in chain:
        if not one["gone"]:
            kept = {key: one[key] for key in ("since", "last", "event", "day", "variance", "by")}
            return dict(kept, before=one["before"], tip=tip)
    return {"since": known["since"], "last": None, "tip": tip}
