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
    claims = sorted(before)
    records: list[list[Any]] = []
    by_item: list[list[Any]] = []
    found: list[Json] = []
    lines: list[Json] = []
    opens = ready["step"] == "open"
    for code in claims:
        old = before[code]
        new = effects.touch(ready, old, code)
        if opens:
            found.extend(raised(ready, old, code))
        if lots.is_range(new):
            new = lots.followed(new, old)
            found.extend(numbered.raised(book, ready, old, new))
        records.append(["item", code, new])
        made = stock.postings(book, old, new, ready)
        by_item.append([code, made])
        lines.extend(made)
    records.extend(tasks.records(book, facts, ready))
    if names["fresh"] or names["opened"]:
        records.extend(lot_tasks.records(facts, ready, names))
    counted: list[Json] = []
    if ready["step"] == "count":
        tallied = tally.variances(book, facts, ready)
        found.extend(tallied["raised"])
        counted = tallied["postings"]
    by_item.append([None, counted])
    return {
        "records": records,
        "postings": stock.merged(lines + counted),
        "by_item": by_item,
        "raised": found,
        "claims": claims,
        "cuts": names["cuts"],
    }


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
        found.append({"kind": "seal-broken", "clause": None, "items": [code], "values": values})
    if envelope_effects.differs(old.get("seal"), ready):
        values = {"seal": old.get("seal"), "found": ready["with"].get("seal")}
        found.append({"kind": "seal-different", "clause": None, "items": [code], "values": values})
    return found
