"""What a correction does to exceptions: those of the wrong event end, those that it had ended are
open again, and what was built on it is judged anew.
"""

from . import exception_kinds as kinds
from . import judge as judging
from . import lots, refold
from .facts import Seen
from .shapes import Any, Json

# What is said of the record itself, of who made it and when, and of two branches, stays.
STAYS = (
    kinds.CLAIM,
    kinds.PENDING_DEVICE,
    kinds.REVOKED_DEVICE,
    kinds.REVOKED_PERSON,
    kinds.LEASE_EXPIRED,
    kinds.CLOCK,
    kinds.LATE,
    kinds.UNREADABLE,
    kinds.FORK,
    kinds.LOG_REWRITTEN,
)
# Events times items up to which what was built on a wrong event is judged anew; beyond it the list
# of the correction's task is for a supervisor alone.
MOST = 600


def closed(store: Any, wrong: Any) -> list[str]:
    """Return the ids of the open exceptions that a wrong event had raised."""
    return [entry[0] for entry in store.raised(wrong) if entry[1] not in STAYS] if wrong else []


def reopened(store: Any, wrong: Any) -> list[str]:
    """Return the ids of the exceptions that a wrong event had ended, by resolving them or by what
    it said.
    """
    return [entry[0] for entry in store.ended(wrong) if entry[1] not in STAYS] if wrong else []


def rejudged(book: Json, store: Any, built: list[str], wrong: Any, broken: Any) -> list[list[Any]]:
    """Return `[raised, ended]`: the exceptions that later events raise without the wrong one, and
    the ids of those that they raised because of it.

    An event is judged twice by all that is known now, with the wrong event and without: only what
    differs counts. Events about serials stand as they were judged.
    """
    raised: list[Json] = []
    ended: list[str] = []
    met = _met(book, store, built, wrong)
    for key in built if met else []:
        event = store.get("event", key)
        views = [_as_of(store, key, values) for values in met]
        if event is None or event["step"] in refold.NOTED or None in views:
            continue
        if views[0].values == views[1].values:
            continue
        before, after = [_reasons(book, view, event) for view in views]
        for name in sorted(after):
            if name not in before:
                raised.append(_of(broken, views[1], event, after[name], key))
        gone = [before[name] for name in sorted(before) if name not in after]
        ended.extend(_raised_for(store, key, gone))
    return [raised, ended]


def _met(book: Json, store: Any, built: list[str], wrong: Any) -> list[Any]:
    """The values of items as each event met them, with the wrong event and without: two tables from
    `(code, event)`; [] where that is too much to make again.
    """
    codes: Json = {}
    for key in built:
        codes.update(dict.fromkeys(store.claims(key), True))
    if not codes or len(codes) * len(built) > MOST:
        return []
    return [refold.met(book, store, sorted(codes), more) for more in ([], [wrong])]


def _as_of(store: Any, key: str, met: Any) -> Any:
    """The facts as an event met them; None for one about serials, or of another branch."""
    values: Json = {}
    for code in store.claims(key):
        if lots.is_range(store.get("item", code)) or (code, key) not in met:
            return None
        values[code] = met[(code, key)]
    return Seen(store, values)


def _reasons(book: Json, facts: Any, event: Json) -> Json:
    judged = judging.judge(book, facts, event)
    every = judged["reasons"] + judged.get("noted", [])
    return {reason["code"] + " " + str(reason["clause"]): reason for reason in every}


def _of(broken: Any, facts: Any, event: Json, reason: Json, key: str) -> Json:
    made = broken(facts, event, {"codes": list(facts.values)}, reason)
    made["values"] = dict(made["values"], event=key)
    return dict(made)


def _raised_for(store: Any, key: str, reasons: list[Json]) -> list[str]:
    """The open exceptions that an event raised for one of these reasons."""
    codes = [reason["code"] for reason in reasons]
    return [entry[0] for entry in store.raised(key) if entry[2] in codes]
