"""What an event claims, which branch of each it continues, and what is said of it where it may not.

`store` is described in docs/architecture.md.
"""

from . import codes_range, lots, naming, refold, soft_codes
from .exception_kinds import CLAIM, RULE_BROKEN
from .shapes import Any, Json


def unchanged() -> Json:
    """Return the answer of `take` for an event that changes nothing."""
    return {
        "cuts": [],
        "tips": [],
        "links": [],
        "records": [],
        "postings": [],
        "raised": [],
        "closed": [],
        "reopened": [],
        "built_on": [],
    }


def broken(facts: Any, event: Json, named: Json, reason: Json) -> Json:
    """Return the exception that a reason becomes when the step has happened all the same."""
    values = dict(reason["values"], reason=reason["code"])
    kind = reason.get("raises", RULE_BROKEN)
    items = _about(facts, event, named["codes"], reason["items"])
    return {"kind": kind, "clause": reason["clause"], "items": items, "values": values}


def _about(facts: Any, event: Json, named: list[str], failing: list[str]) -> list[str]:
    """The items that fail and the envelopes about them; all that are named, where none fails by
    itself.
    """
    wrong = dict.fromkeys(failing, True)
    around = [code for code in named if _holds(facts.get("item", code), wrong)]
    into = [event["into"]] if event.get("into") else []
    items = failing or named
    known = wrong or dict.fromkeys(named, True)
    return items + [code for code in around + into if code not in known]


def _holds(value: Any, codes: Json) -> bool:
    return any(code in codes for code in (value or {}).get("contents", []))


def concurrent(base: Json) -> Json:
    codes = sorted(base["concurrent"])
    known = {code: [tip[0] for tip in base["tips"][code]] for code in codes}
    return {"kind": CLAIM, "clause": None, "items": codes, "values": {"tips": known}}


def read(named: Json) -> Any:
    """What was named, for the judge; where nothing was, it looks again and says why."""
    return named if named["codes"] or named["problems"] else None


def base_of(book: Json, store: Any, event: Json, named: Json) -> Json:
    """Return for each claimed code its tips, which one is continued, and the value that was
    seen.
    """
    codes, into = named["codes"], event.get("into")
    saw = _saw(store, event, named)
    base: Json = {"tips": {}, "parents": {}, "values": {}, "concurrent": {}, "memo": {}}
    for code in soft_codes.of(event) + named["soft"]:
        tips = store.tips(code)
        if tips and code not in codes:
            saw[code] = tips[0][0]
            _see(book, store, base, code, tips[0][0])
    waiting = [] if event["step"] == "count" else list(codes)
    if into:
        waiting.append(into)
    for code in waiting:  # which grows by what lies in an envelope
        if code in base["tips"]:
            continue
        seen = saw.get(code)
        if named["spans"]:
            seen = _seen_of_range(store, base, named, code, seen)
        value = _see(book, store, base, code, seen)
        if value and value.get("contents") and (code != into or code in codes):
            waiting.extend(lots.inside(store, value))
    return base


def _seen_of_range(store: Any, base: Json, named: Json, code: str, seen: Any) -> Any:
    """Pieces that a number picked, and serials of which only their lot is named, are continued as
    they are.
    """
    whole = named["whole"].get(code)
    follows = whole is not None and seen is None and whole not in base["concurrent"]
    if follows or code in named["alike"]:
        return (store.tips(code) or [[None]])[0][0]
    return seen


def _see(book: Json, store: Any, base: Json, code: str, seen: Any) -> Any:
    """Note which branch of a code an event continues, and return the value it had there."""
    tips = store.tips(code)
    base["tips"][code] = tips
    value, parent = None, seen
    known = not tips and seen is None
    for tip in tips:
        if tip[0] == seen or lots.same(tip[1], seen):
            known, value, parent = True, tip[1], tip[0]
    base["parents"][code] = parent
    if not known:
        base["concurrent"][code] = True
        value = refold.state(book, store, code, seen, None, base["memo"]) if seen else None
    base["values"][code] = value
    return value


def _saw(store: Any, event: Json, named: Json) -> Json:
    """Return `saw` with its runs of codes expanded. A run that is none names nothing."""
    found: Json = dict(named["saw"])
    saw = event.get("saw") or {}
    for key in saw:
        if ".." not in key:
            found[key] = saw[key]
            continue
        if named["spans"] and naming.is_serial(store, key):
            continue  # what it says of ranges stands in `named`
        for code in codes_range.named_by(key):
            found[code] = saw[key]
    return found


def index(tips: list[Any], parent: Any) -> Any:
    """Return which of these branches an event continues, None for none."""
    for index, tip in enumerate(tips):
        if tip[0] == parent:
            return index
    return None
