"""Which event continues which: tips, concurrent claims, their resolution, and corrections.

An event is judged against the state that its `saw` names. Where that is no tip of an item it raises
`concurrent-claim` once and nothing else, and becomes one more branch. `store` is described in
docs/architecture.md.
"""

from . import (
    codes_errors,
    codes_range,
    independence,
    lots,
    naming,
    numbered,
    papers,
    reaching,
    recount,
    refold,
    requisitions,
    slips,
    soft_codes,
    stock,
    undoing,
)
from . import fold as folding
from . import judge as judging
from .facts import Seen
from .shapes import Any, Json


def take(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Return what the log's next event does: `tips`, `links`, `records`, `postings`, `raised`,
    `closed`, `built_on`.

    A well-formed event is never refused: every reason against it becomes an exception.
    """
    if event["step"] == "correct":
        return _correct(book, store, event, event_id)
    if event["step"] == "resolve":
        return _resolve(book, store, event, event_id)
    log = store
    named = naming.codes_of(book, store, event)
    store = named["facts"]
    base = _base(book, store, event, named)
    facts = Seen(store, base["values"])
    result = unchanged()
    done = folding.fold(book, facts, event, event_id, named)
    result["cuts"] = done["cuts"]
    if base["concurrent"]:
        result["raised"].append(_concurrent(base))
    else:
        judged = judging.judge(book, facts, event, _read(named))
        reasons = judged["reasons"] + judged.get("noted", [])
        result["raised"].extend(broken(facts, event, named, reason) for reason in reasons)
        result["raised"].extend(done["raised"])
        result["closed"] = numbered.accounted(log, store, done["records"])
        result["closed"].extend(papers.found_again(store, named["codes"]))
    _continue(book, store, base, done, event_id, result)
    return result


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
    kind = reason.get("raises", "rule-broken")
    items = _about(facts, event, named["codes"], reason["items"])
    return {"kind": kind, "clause": reason["clause"], "items": items, "values": values}


def _about(facts: Any, event: Json, named: list[str], failing: list[str]) -> list[str]:
    """The items that fail and the envelopes about them; all that are named, where none fails by
    itself.
    """
    around = [code for code in named if _holds(facts.get("item", code), failing)]
    into = [event["into"]] if event.get("into") else []
    items = failing or named
    return items + [code for code in around + into if code not in items]


def _holds(value: Any, codes: list[str]) -> bool:
    return any(code in codes for code in (value or {}).get("contents", []))


def _concurrent(base: Json) -> Json:
    codes = sorted(base["concurrent"])
    known = {code: [tip[0] for tip in base["tips"][code]] for code in codes}
    return {"kind": "concurrent-claim", "clause": None, "items": codes, "values": {"tips": known}}


def _read(named: Json) -> Any:
    """What was named, for the judge; where nothing was, it looks again and says why."""
    return named if named["codes"] or named["problems"] else None


def _base(book: Json, store: Any, event: Json, named: Json) -> Json:
    """Return for each claimed code its tips, which one is continued, and the value that was
    seen.
    """
    codes = named["codes"]
    saw = _saw(store, event, named)
    base: Json = {"tips": {}, "parents": {}, "values": {}, "concurrent": {}}
    for code in soft_codes.of(event) + named["soft"]:
        tips = store.tips(code)
        if tips and code not in codes:
            saw[code] = tips[0][0]
            _see(book, store, base, code, tips[0][0])
    waiting = [] if event["step"] == "count" else list(codes)
    if event.get("into"):
        waiting.append(event["into"])
    while waiting:
        code = waiting.pop(0)
        if code in base["tips"]:
            continue
        whole = named["whole"].get(code)
        seen = saw.get(code)
        if code in named["alike"]:
            seen = (store.tips(code) or [[None]])[0][0]
        if whole is not None and seen is None and whole not in base["concurrent"]:
            seen = (store.tips(code) or [[None]])[0][0]
        value = _see(book, store, base, code, seen)
        if code != event.get("into") or code in codes:
            waiting.extend(lots.inside(store, value))
    return base


def _see(book: Json, store: Any, base: Json, code: str, seen: Any) -> Any:
    """Note which branch of a code an event continues, and return the value it had there."""
    tips = store.tips(code)
    base["tips"][code] = tips
    base["parents"][code] = seen
    value = None
    known = not tips and seen is None
    for tip in tips:
        if tip[0] == seen or lots.same(tip[1], seen):
            known, value, base["parents"][code] = True, tip[1], tip[0]
    if not known:
        base["concurrent"][code] = True
        value = refold.state(book, store, code, seen) if seen else None
    base["values"][code] = value
    return value


def _saw(store: Any, event: Json, named: Json) -> Json:
    """Return `saw` with its runs of codes expanded. A run that is none names nothing."""
    found: Json = dict(named["saw"])
    saw = event.get("saw") or {}
    for key in saw:
        if ".." in key and named["spans"] and naming.is_serial(store, key):
            continue  # what it says of ranges stands in `named`
        if ".." not in key:
            found[key] = saw[key]
            continue
        try:
            for code in codes_range.expand(key):
                found[code] = saw[key]
        except codes_errors.CodeRangeError:
            found[key] = saw[key]
    return found


def _continue(book: Json, store: Any, base: Json, done: Json, event_id: str, result: Json) -> None:
    """Put the new values in the place of the tips that they continue, or beside them."""
    changed = False
    for of, key, value in done["records"]:
        if of != "item":
            result["records"].append([of, key, value])
            continue
        tips = [list(tip) for tip in base["tips"].get(key, [])]
        index = _index(tips, base["parents"].get(key))
        if key in base["concurrent"] or index is None:
            tips.append([event_id, value])
        else:
            tips[index] = [event_id, value]
        changed = changed or len(tips) > 1
        result["tips"].append([key, tips])
        result["links"].append([key, base["parents"].get(key)])
    result["postings"] = _canonical(book, base, result, done) if changed else done["postings"]


def _index(tips: list[Any], parent: Any) -> Any:
    for index, tip in enumerate(tips):
        if tip[0] == parent:
            return index
    return None


def _canonical(book: Json, base: Json, result: Json, done: Json) -> list[Json]:
    """Only an item's first branch is in the stock: what another branch says posts nothing."""
    first = {code: tips[0][0] for code, tips in result["tips"]}
    lines: list[Json] = []
    for code, made in done["by_item"]:
        old = base["tips"].get(code, [])
        if code is None or not old or old[0][0] != first.get(code):
            lines.extend(made)
    return stock.merged(lines)


def _resolve(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Close exceptions; where they were about branches, one stands and the others end.

    `with.stands` names the event that holds, else the branch that was logged first.
    """
    named = naming.codes_of(book, store, event)
    store = named["facts"]
    base = _base(book, store, event, named)
    result = unchanged()
    result["cuts"] = named["cuts"]
    result["records"] = lots.records(store, event, named)
    facts = Seen(store, base["values"])
    reasons = judging.judge(book, facts, event, _read(named))["reasons"]
    if base["concurrent"]:
        result["raised"].append(_concurrent(base))
    else:
        result["raised"].extend(broken(facts, event, named, reason) for reason in reasons)
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


def _correct(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Fold again, without the event that was entered wrongly, everything that it had touched."""
    log = store
    named = reaching.corrected(book, store, event)
    store = named["facts"]
    base = _base(book, store, event, named)
    result = unchanged()
    result["cuts"] = named["cuts"]
    facts = Seen(store, base["values"])
    if base["concurrent"]:
        result["raised"].append(_concurrent(base))
    else:
        reasons = judging.judge(book, facts, event, _read(named))["reasons"]
        result["raised"].extend(broken(facts, event, named, reason) for reason in reasons)
    wrong = (event.get("with") or {}).get("event")
    built: Json = {}
    for code in sorted(_touched(store, base, named, wrong)):
        _without(book, store, base, code, event, event_id, result, built)
    counted, lines = recount.undone(store, wrong)
    result["postings"] = stock.merged(result["postings"] + lines)
    result["built_on"] = sorted(built)
    result["records"] = _restored(store, wrong) + lots.records(store, event, named)
    result["records"].extend(requisitions.undone(store, wrong))
    result["records"].extend(lots.undone(store, wrong))
    result["records"].extend(counted)
    result["records"].extend(slips.undone(store, wrong, reaching.reached(store, wrong)))
    if independence.WORD in book["asked"]:
        before = [_as_met(book, store, code, wrong) for code in reaching.reached(store, wrong)]
        result["records"].extend(independence.undone(store, wrong, before))
    if not base["concurrent"]:
        _exceptions(book, log, result, wrong)
    if built:
        reason = (event.get("with") or {}).get("reason")
        task = {"event": event_id, "corrects": wrong, "reason": reason, "built_on": sorted(built)}
        result["records"].append(["task", "correction:" + event_id, task])
    return result


def _as_met(book: Json, store: Any, code: str, wrong: Any) -> Any:
    """An item's value as an event met it; None where it came into being with it."""
    parent = store.parent(code, wrong)
    return refold.state(book, store, code, parent) if parent else None


def _exceptions(book: Json, log: Any, result: Json, wrong: Any) -> None:
    raised, ended = undoing.rejudged(book, log, result["built_on"], wrong, broken)
    result["raised"].extend(raised)
    result["closed"] = sorted(set(undoing.closed(log, wrong) + ended))
    result["reopened"] = undoing.reopened(log, wrong)


def _touched(store: Any, base: Json, named: Json, wrong: Any) -> Json:
    """The codes that a correction claims, and those that the corrected event had touched: of a
    range that the correction cuts, the parts.
    """
    codes: Json = dict.fromkeys(base["tips"], True)
    parts = dict(named["cuts"])
    for code in reaching.reached(store, wrong):
        codes.update(dict.fromkeys([part for part, _, _ in parts.get(code, [[code, 0, 0]])], True))
    return codes


def _without(
    book: Json,
    store: Any,
    base: Json,
    code: str,
    event: Json,
    event_id: str,
    result: Json,
    built: Json,
) -> None:
    wrong = (event.get("with") or {}).get("event")
    tips = [list(tip) for tip in store.tips(code)]
    index = _branch_with(store, code, tips, wrong, base["parents"].get(code))
    if code in base["concurrent"] or index is None:
        if code in base["tips"]:
            tips.append([event_id, base["values"].get(code)])
            result["tips"].append([code, tips])
            result["links"].append([code, base["parents"].get(code)])
        return
    parent = tips[index][0]
    path = refold.path(store, code, parent)
    if wrong in path:
        for later in path[path.index(wrong) + 1 :]:
            built[later] = True
    value = refold.state(book, store, code, parent, [wrong])
    value = refold.after(book, store, event, event_id, code, value)
    tips[index] = [event_id, value]
    result["tips"].append([code, tips])
    result["links"].append([code, parent])
    if index == 0 and wrong in path:
        before = refold.lines(book, store, code, parent, [])
        after = refold.lines(book, store, code, parent, [wrong])
        result["postings"].extend([stock.reversed_line(line) for line in before] + after)


def _branch_with(store: Any, code: str, tips: list[Any], wrong: Any, seen: Any) -> Any:
    """The branch in which the corrected event lies; the one that was seen, where it lies in
    none.
    """
    for index, tip in enumerate(tips):
        if wrong in refold.path(store, code, tip[0]):
            return index
    return _index(tips, seen)


def _restored(store: Any, wrong: Any) -> list[list[Any]]:
    """A table is again what it was before a wrong opening or closing."""
    event = store.get("event", wrong) if wrong else None
    code = (event or {}).get("where") or (event or {}).get("to")
    place = store.get("place", code) if code else None
    if place is None or (place.get("table") or {}).get("event") != wrong:
        return []
    return [["place", code, dict(place, table=place["table"]["before"])]]
