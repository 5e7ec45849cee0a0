"""What an event does to the records: one function per effect, the same on the server and on a
handheld.
"""

from . import (
    effects,
    envelope_effects,
    lot_tasks,
    lots,
    naming,
    numbered,
    papers,
    preparing,
    stock,
    tally,
    tasks,
)
from .exception_kinds import SEAL_BROKEN, SEAL_DIFFERENT
from .shapes import Any, Json


def fold(
    book: Json, facts: Any, event: Json, event_id: str, names: Any = None, framed: Any = None
) -> Json:
    """Return what an event changes: `records` [[of, id, value], ...], `postings`, `raised`,
    `claims`.

    `records` holds every item that the event claims (its items, its `into`, and what is inside of
    an envelope that it names), a table that it opens, closes or changes, and the site's tasks that
    it
    touches; nothing else changes. `by_item` has the postings before they are summed. Whether it
    was allowed is `judge`'s to say. `names` and `framed` are those of `judge`.
    """
    if names is None:
        names = naming.codes_of(book, facts, event)
        facts = names["facts"]
    ready = preparing.prepare(book, facts, event, event_id, names["codes"], framed)
    ready["soft"] = ready["soft"] + names["soft"]
    before = claimed(facts, ready)
    made: Json = {"records": [], "by_item": [], "raised": []}
    for code in sorted(before):
        _touch(book, ready, before[code], code, made)
    made["records"].extend(tasks.records(book, facts, ready))
    if names["fresh"] or names["opened"]:
        made["records"].extend(lot_tasks.records(facts, ready, names))
    counted: list[Json] = []
    if ready["step"] == "count":
        tallied = tally.variances(book, facts, ready)
        made["raised"].extend(tallied["raised"])
        counted = tallied["postings"]
    made["by_item"].append([None, counted])
    made["postings"] = stock.merged([line for _, lines in made["by_item"] for line in lines])
    made["claims"] = sorted(before)
    made["cuts"] = names["cuts"]
    return made


def _touch(book: Json, ready: Json, old: Any, code: str, made: Json) -> None:
    """Add what an event makes of one item that it claims: record, postings, what it raises."""
    new = effects.touch(ready, old, code)
    if ready["step"] == "open":
        made["raised"].extend(raised(ready, old, code))
    if lots.is_range(new):
        new = lots.followed(new, old)
        made["raised"].extend(numbered.raised(book, ready, old, new))
    made["records"].append(["item", code, new])
    made["by_item"].append([code, stock.postings(book, old, new, ready)])


def claimed(facts: Any, ready: Json) -> Json:
    """Return the values of what an event claims, by code: its items, what is inside of them, its
    `into`.
    """
    if ready["step"] == "count":
        return {}
    found: Json = {}
    for code in ready["codes"]:
        _claim(facts, code, found, ready)
    if ready["into"]:
        found[ready["into"]] = facts.get("item", ready["into"])
    for code in ready["soft"]:
        value = facts.get("item", code)
        if value is not None or papers.makes(ready, code):
            found[code] = value
    return found


def _claim(facts: Any, code: str, found: Json, ready: Json) -> None:
    if code in found:
        return
    value = facts.get("item", code)
    if value is None and not ready["creates"]:
        return
    found[code] = value
    if value and value.get("contents"):
        for inner in lots.inside(facts, value):
            _claim(facts, inner, found, ready)


def raised(ready: Json, old: Any, code: str) -> list[Json]:
    """Return the exceptions that an opening raises by what it found: a broken or another seal."""
    if code not in ready["named"] or old is None:
        return []
    found = []
    if not ready["intact"]:
        values = {"seal": ready["with"].get("seal"), "condition": ready["with"].get("condition")}
        found.append({"kind": SEAL_BROKEN, "clause": None, "items": [code], "values": values})
    if envelope_effects.differs(old.get("seal"), ready):
        values = {"seal": old.get("seal"), "found": ready["with"].get("seal")}
        found.append({"kind": SEAL_DIFFERENT, "clause": None, "items": [code], "values": values})
    return found
