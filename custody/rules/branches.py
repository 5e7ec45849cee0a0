"""Which event continues which: tips, concurrent claims, their resolution, and corrections.

An event is judged against the state that its `saw` names. Where that is no tip of an item it raises
`concurrent-claim` once and nothing else, and becomes one more branch. `store` is described in
docs/architecture.md.
"""

from . import (
    claiming,
    context,
    correcting,
    field_types,
    naming,
    numbered,
    papers,
    resolving,
    signing_off,
    stock,
)
from . import fold as folding
from . import judge as judging
from .facts import Seen
from .shapes import Any, Json


def take(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """Return what the log's next event does: `tips`, `links`, `records`, `postings`, `raised`,
    `closed`, `built_on`.

    A well-formed event is never refused: every reason against it becomes an exception. Raises
    field_types.IllegibleError for one with a field that no rule can read.
    """
    result = _taken(book, store, event, event_id)
    result["raised"].extend(signing_off.late(book, store, event, result["raised"]))
    return result


def _taken(book: Json, store: Any, event: Json, event_id: str) -> Json:
    """What the event does, whether its gaming day is still open or not. Raises
    field_types.IllegibleError.
    """
    wrong = field_types.illegible(field_types.of(book, event), event["with"])
    if wrong:
        raise field_types.IllegibleError(wrong[0], wrong[1])
    if event["step"] == "correct":
        return correcting.correct(book, store, event, event_id)
    if event["step"] == "resolve":
        return resolving.resolve(book, store, event, event_id)
    log = store
    named = naming.codes_of(book, store, event)
    store = named["facts"]
    base = claiming.base_of(book, store, event, named)
    facts = Seen(store, base["values"])
    result = claiming.unchanged()
    framed = context.frame(book, store, event)
    done = folding.fold(book, facts, event, event_id, named, framed)
    result["cuts"] = done["cuts"]
    if base["concurrent"]:
        result["raised"].append(claiming.concurrent(base))
    else:
        judged = judging.judge(book, facts, event, claiming.read(named), framed)
        for reason in judged["reasons"] + judged.get("noted", []):
            result["raised"].append(claiming.broken(facts, event, named, reason))
        result["raised"].extend(done["raised"])
        if named["spans"]:
            result["closed"] = numbered.accounted(log, store, done["records"])
        result["closed"].extend(papers.found_again(store, named["codes"]))
    _continue(book, store, base, done, event_id, result)
    return result


def _continue(book: Json, store: Any, base: Json, done: Json, event_id: str, result: Json) -> None:
    """Put the new values in the place of the tips that they continue, or beside them."""
    changed = False
    for of, key, value in done["records"]:
        if of != "item":
            result["records"].append([of, key, value])
            continue
        parent = base["parents"].get(key)
        tips = [[event_id, value]]
        before = base["tips"].get(key) or []
        if len(before) > 1 or key in base["concurrent"] or (before and before[0][0] != parent):
            tips = _beside(base, key, parent, tips[0])
            changed = changed or len(tips) > 1
        result["tips"].append([key, tips])
        result["links"].append([key, parent])
    result["postings"] = _canonical(book, base, result, done) if changed else done["postings"]


def _beside(base: Json, key: str, parent: Any, tip: list[Any]) -> list[list[Any]]:
    """The branches of an item that had some, with a new tip."""
    tips = [list(known) for known in base["tips"][key]]
    index = claiming.index(tips, parent)
    if key in base["concurrent"] or index is None:
        tips.append(tip)
    else:
        tips[index] = tip
    return tips


def _canonical(book: Json, base: Json, result: Json, done: Json) -> list[Json]:
    """Only an item's first branch is in the stock: what another branch says posts nothing."""
    first = {code: tips[0][0] for code, tips in result["tips"]}
    lines: list[Json] = []
    for code, made in done["by_item"]:
        old = base["tips"].get(code, [])
        if code is None or not old or old[0][0] != first.get(code):
            lines.extend(made)
    return stock.merged(lines)
