"""Corrections: what an event that was entered wrongly had touched is folded again without it."""

from . import (
    claiming,
    corrected,
    independence,
    lot_tasks,
    preparing,
    reaching,
    recount,
    refold,
    requisitions,
    slips,
    stock,
    undoing,
)
from . import judge as judging
from .facts import Seen
from .shapes import Any, Json, Table


def correct(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Fold again, without the event that was entered wrongly, everything that it had touched. What
    counts for nothing already is taken back no second time.
    """
    log = store
    named = reaching.corrected(book, store, event)
    store = named["facts"]
    base = claiming.base_of(book, store, event, named)
    result = claiming.unchanged()
    result["cuts"] = named["cuts"]
    facts = Seen(store, base["values"])
    if base["concurrent"]:
        result["raised"].append(claiming.concurrent(base))
    else:
        reasons = judging.judge(book, facts, event, claiming.read(named))["reasons"]
        result["raised"].extend(claiming.broken(facts, event, named, reason) for reason in reasons)
    wrong = (event.get("with") or {}).get("event")
    built: Json = {}
    memo: Table = {}
    noted = preparing.prepare(book, store, event, event_id)
    for code in sorted(_touched(store, base, named, wrong)):
        _without(book, store, base, code, event, noted, result, built, memo)
    turns = corrected.turns(store, wrong)
    counted, lines = recount.undone(store, wrong) if turns else [[], []]
    result["postings"] = stock.merged(result["postings"] + lines)
    result["records"] = lot_tasks.records(store, event, named) + counted
    result["records"].extend(_undone(book, store, wrong, event_id, turns))
    aside = bool(base["concurrent"])
    result["records"].extend(corrected.records(book, store, event, event_id, aside))
    if corrected.first(store, wrong) is not None:
        return result
    result["built_on"] = sorted(built)
    if not base["concurrent"]:
        _exceptions(book, log, result, wrong)
    if built:
        reason = (event.get("with") or {}).get("reason")
        task = {"event": event_id, "corrects": wrong, "reason": reason, "built_on": sorted(built)}
        result["records"].append(["task", "correction:" + event_id, task])
    return result


def _undone(book: Json, store: Any, wrong: Any, event_id: str, turns: int) -> list[list[Any]]:
    """The tasks and the table of an entry that counts no longer, or, of who moved stock, again."""
    records: list[list[Any]] = []
    if turns < 0:
        records.extend(_restored(store, wrong))
        records.extend(requisitions.undone(store, wrong, event_id))
        records.extend(lot_tasks.undone(store, wrong))
        records.extend(slips.undone(store, wrong, reaching.reached(store, wrong)))
    if turns and independence.WORD in book["asked"]:
        about = corrected.root(store, wrong)
        memo: Table = {}
        codes = reaching.reached(store, about)
        before = [_as_met(book, store, code, about, memo) for code in codes]
        records.extend(independence.undone(store, about, before, turns))
    return records


def _as_met(book: Json, store: Any, code: str, wrong: Any, memo: Table) -> Any:
    """An item's value as an event met it; None where it came into being with it."""
    parent = store.parent(code, wrong)
    return refold.state(book, store, code, parent, None, memo) if parent else None


def _exceptions(book: Json, log: Any, result: Json, wrong: Any) -> None:
    raised, ended = undoing.rejudged(book, log, result["built_on"], wrong, claiming.broken)
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
    noted: Json,
    result: Json,
    built: Json,
    memo: Table,
) -> None:
    """Put into `result` what an item is without the corrected event, and into `built` what was
    built on that; `noted` is the correction, prepared.
    """
    event_id = noted["id"]
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
    value = refold.state(book, store, code, parent, [wrong], memo)
    value = refold.noted(noted, event, code, value)
    tips[index] = [event_id, value]
    result["tips"].append([code, tips])
    result["links"].append([code, parent])
    if index == 0 and wrong in path:
        before = refold.lines(book, store, code, parent, [], memo)
        after = refold.lines(book, store, code, parent, [wrong], memo)
        result["postings"].extend([stock.reversed_line(line) for line in before] + after)


def _branch_with(store: Any, code: str, tips: list[Any], wrong: Any, seen: Any) -> Any:
    """The branch in which the corrected event lies; the one that was seen, where it lies in
    none.
    """
    for index, tip in enumerate(tips):
        if wrong in refold.path(store, code, tip[0]):
            return index
    return claiming.index(tips, seen)


def _restored(store: Any, wrong: Any) -> list[list[Any]]:
    """A table is again what it was before a wrong opening or closing."""
    event = store.get("event", wrong) if wrong else None
    code = (event or {}).get("where") or (event or {}).get("to")
    place = store.get("place", code) if code else None
    if place is None or (place.get("table") or {}).get("event") != wrong:
        return []
    return [["place", code, dict(place, table=place["table"]["before"])]]
