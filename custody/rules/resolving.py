"""Resolutions: exceptions are closed, and of branches one stands where it is the claim that is
closed. Whoever closes another exception about a disputed item leaves the dispute as it is.
"""

from . import claiming, lot_tasks, naming, preparing, refold, stock
from . import judge as judging
from .exception_kinds import CLAIM
from .facts import Seen
from .shapes import Any, Json, Table


def resolve(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Close exceptions; where they were about branches, one stands and the others end.

    `with.stands` names the event that holds, else the branch that was logged first.
    """
    named = naming.codes_of(book, store, event)
    store = named["facts"]
    base = claiming.base_of(book, store, event, named)
    result = claiming.unchanged()
    result["cuts"] = named["cuts"]
    result["records"] = lot_tasks.records(store, event, named)
    facts = Seen(store, base["values"])
    reasons = judging.judge(book, facts, event, claiming.read(named))["reasons"]
    if base["concurrent"]:
        result["raised"].append(claiming.concurrent(base))
    else:
        result["raised"].extend(claiming.broken(facts, event, named, reason) for reason in reasons)
    result["closed"] = closing(store, event, list(base["tips"]))
    memo: Table = {}
    noted = preparing.prepare(book, store, event, event_id)
    for code in sorted(base["tips"]):
        if base["tips"][code]:
            tips, link, lines = _settled(book, store, base, event, noted, code, memo)
            result["tips"].append([code, tips])
            result["links"].append([code, link])
            result["postings"].extend(lines)
    result["postings"] = stock.merged(result["postings"])
    return result


def _settled(
    book: Json, store: Any, base: Json, event: Json, noted: Json, code: str, memo: Table
) -> tuple[list[list[Any]], Any, list[Json]]:
    """An item's branches after a resolution, which is `noted` when prepared; the event that it
    continued, and its postings.
    """
    event_id, tips, seen = noted["id"], base["tips"][code], base["parents"][code]
    if code in base["concurrent"]:
        kept = [list(tip) for tip in tips] + [[event_id, base["values"][code]]]
        return kept, seen, []
    if len(tips) > 1 and not ends_dispute(store, event, code):
        return _beside(base, event, noted, code), seen, []
    chosen = _standing(store, code, tips, (event.get("with") or {}).get("stands"))
    value = refold.noted(noted, event, code, tips[chosen][1])
    lines = _instead(book, store, code, tips[0][0], tips[chosen][0], memo) if chosen else []
    return [[event_id, value]], tips[chosen][0], lines


def _instead(book: Json, store: Any, code: str, first: str, chosen: str, memo: Table) -> list[Json]:
    """The postings that put a branch in the place of the one that was logged first."""
    before = refold.lines(book, store, code, first, [], memo)
    after = refold.lines(book, store, code, chosen, [], memo)
    return [stock.reversed_line(line) for line in before] + after


def ends_dispute(store: Any, event: Json, code: str) -> bool:
    """Say whether a resolution is about the claims that met on an item: it names the kind, or the
    id of one.
    """
    named = (event.get("with") or {}).get("exception")
    return named == CLAIM or any(e[0] == named and e[1] == CLAIM for e in store.open(code))


def _beside(base: Json, event: Json, noted: Json, code: str) -> list[list[Any]]:
    """The tips of a disputed item on which an exception of another kind is closed: the resolution
    is noted on the branch that it continues.
    """
    tips = [list(tip) for tip in base["tips"][code]]
    index = claiming.index(tips, base["parents"][code])
    tips[index] = [noted["id"], refold.noted(noted, event, code, tips[index][1])]
    return tips


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
