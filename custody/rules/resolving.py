"""Resolutions: exceptions are closed, and of branches one stands."""

from . import claiming, lots, naming, refold, stock
from . import judge as judging
from .facts import Seen
from .shapes import Any, Json


def resolve(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Close exceptions; where they were about branches, one stands and the others end.

    `with.stands` names the event that holds, else the branch that was logged first.
    """
    named = naming.codes_of(book, store, event)
    store = named["facts"]
    base = claiming.base_of(book, store, event, named)
    result = claiming.unchanged()
    result["cuts"] = named["cuts"]
    result["records"] = lots.records(store, event, named)
    facts = Seen(store, base["values"])
    reasons = judging.judge(book, facts, event, claiming.read(named))["reasons"]
    if base["concurrent"]:
        result["raised"].append(claiming.concurrent(base))
    else:
        result["raised"].extend(claiming.broken(facts, event, named, reason) for reason in reasons)
    result["closed"] = closing(store, event, list(base["tips"]))
    stands = (event.get("with") or {}).get("stands")
    for code in sorted(base["tips"]):
        tips = base["tips"][code]
        if not tips:
            continue
        if code in base["concurrent"]:
            seen = base["parents"][code]
            kept = [list(tip) for tip in tips] + [[event_id, base["values"][code]]]
            result["tips"].append([code, kept])
            result["links"].append([code, seen])
            continue
        chosen = _standing(store, code, tips, stands)
        value = refold.after(book, store, event, event_id, code, tips[chosen][1])
        result["tips"].append([code, [[event_id, value]]])
        result["links"].append([code, tips[chosen][0]])
        if chosen:
            before = refold.lines(book, store, code, tips[0][0], [])
            instead = refold.lines(book, store, code, tips[chosen][0], [])
            result["postings"].extend([stock.reversed_line(line) for line in before] + instead)
    result["postings"] = stock.merged(result["postings"])
    return result


def _standing(store: Any, code: str, tips: list[Any], stands: Any) -> int:
    if stands:
        for index, tip in enumerate(tips):
            if stands in refold.path(store, code, tip[0]):
                return index
    return 0


def closing(store: Any, event: Json, codes: list[str]) -> list[str]:
    """Return the ids of the open exceptions that a resolution names: by id, or by kind on its
    items.
    """
    named = (event.get("with") or {}).get("exception")
    known = store.get("exception", named or "")
    found: Json = {str(named): True} if known is not None and known["open"] else {}
    for code in codes:
        for key, kind, _ in store.open(code):
            if named in (key, kind):
                found[key] = True
    return sorted(found)
