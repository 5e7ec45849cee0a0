"""Which entries count for nothing, by their corrections: what a second correction of the same entry
must not take back again.

`corrected:<event>` is `{"event", "by": [{"event", "day", "aside"}, ...]}`: the corrections of an
entry, the first one first. What a correction `aside` says of items stands in a branch of its own,
until somebody resolves which branch holds.
"""

from . import context, days
from .shapes import Any, Json


def task_id(event_id: Any) -> str:
    return "corrected:" + str(event_id)


def _by(facts: Any, event_id: Any) -> list[Json]:
    return list((facts.get("task", task_id(event_id)) or {}).get("by", []))


def is_dead(facts: Any, event_id: Any, without: Any = None) -> bool:
    """Whether an entry counts for nothing: a correction of it counts. `without` is one that is
    taken to count for nothing.
    """
    if event_id == without:
        return True
    return any(not is_dead(facts, one["event"], without) for one in _by(facts, event_id))


def root(facts: Any, wrong: Any) -> Any:
    """Return the entry that a correction is about in the end: of a correction, what that one had
    corrected.
    """
    event = facts.get("event", wrong) if wrong else None
    while event is not None and event["step"] == "correct":
        wrong = (event.get("with") or {}).get("event")
        event = facts.get("event", wrong) if wrong else None
    return wrong


def turns(facts: Any, wrong: Any) -> int:
    """Return what becomes of the root of `wrong` once `wrong` counts for nothing: -1 where it no
    longer counts, 1 where it counts again, 0 where nothing changes.
    """
    if not wrong:
        return 0
    about = root(facts, wrong)
    before, after = is_dead(facts, about), is_dead(facts, about, wrong)
    return int(before) - int(after)


def records(book: Json, facts: Any, event: Json, event_id: str, aside: bool) -> list[list[Any]]:
    """Return the task of the corrected entry, with one correction more."""
    wrong = (event.get("with") or {}).get("event")
    if not wrong or facts.get("event", wrong) is None:
        return []
    known = _by(facts, wrong)
    day = days.gaming_day(book, context.effective(event))
    known.append({"event": event_id, "day": day, "aside": aside})
    return [["task", task_id(wrong), {"event": wrong, "by": known}]]


def first(facts: Any, wrong: Any) -> Any:
    """Return the first correction of an entry that counts, None where there is none: one that
    stands aside is for a resolution, and spares no other.
    """
    for one in _by(facts, wrong) if wrong else []:
        if not one["aside"] and not is_dead(facts, one["event"]):
            return one
    return None


def uncorrected(found: Json, group: Json, need: Json) -> Any:
    """No correction of the entry counts already."""
    wrong = found["with"].get(need["event"])
    one = first(found["facts"], wrong)
    return one and {"event": wrong, "correction": one["event"], "day": one["day"]}


CHECKS: Json = {"uncorrected": uncorrected}

CODES = {"uncorrected": "already-corrected"}
