"""What an event does to the records: one function per effect, the same on the server and on a
handheld.
"""

from . import (
    effects,
    envelope_effects,
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
    claims = claimed(facts, ready)
    result: Json = {"records": [], "postings": [], "by_item": [], "raised": [], "claims": claims}
    result["cuts"] = names["cuts"]
    for code in claims:
        old = facts.get("item", code)
        new = lots.followed(effects.touch(ready, old, code), old)
        result["records"].append(["item", code, new])
        result["by_item"].append([code, stock.postings(book, old, new, ready)])
        result["raised"].extend(raised(ready, old, code))
        result["raised"].extend(numbered.raised(book, ready, old, new))
    for record in tasks.records(book, facts, ready):
        result["records"].append(record)
    for record in lots.records(facts, ready, names):
        result["records"].append(record)
    counted = tally.variances(book, facts, ready)
    result["raised"].extend(counted["raised"])
    result["by_item"].append([None, counted["postings"]])
    result["postings"] = stock.merged([line for _, lines in result["by_item"] for line in lines])
    return result


def claimed(facts: Any, ready: Json) -> list[str]:
    """Return the codes that an event claims, sorted: its items, what is inside of them, its
    `into`.
    """
    if ready["step"] == "count":
        return []
    found: Json = {}
    for code in ready["codes"]:
        _claim(facts, code, found, ready)
    if ready["into"]:
        found[ready["into"]] = True
    for code in ready["soft"]:
        if facts.get("item", code) is not None or papers.makes(ready, code):
            found[code] = True
    return sorted(found)


def _claim(facts: Any, code: str, found: Json, ready: Json) -> None:
    if code in found:
        return
    value = facts.get("item", code)
    if value is None and not ready["creates"]:
        return
    found[code] = True
    for inner in lots.inside(facts, value):
        _claim(facts, inner, found, ready)


def raised(ready: Json, old: Any, code: str) -> list[Json]:
    """Return the exceptions that an event raises by what it found: a broken or another seal."""
    if ready["step"] != "open" or code not in ready["named"] or old is None:
        return []
    found = []
    if not ready["intact"]:
        values = {"seal": ready["with"].get("seal"), "condition": ready["with"].get("condition")}
        found.append({"kind": "seal-broken", "clause": None, "items": [code], "values": values})
    if envelope_effects.differs(old.get("seal"), ready):
        values = {"seal": old.get("seal"), "found": ready["with"].get("seal")}
        found.append({"kind": "seal-different", "clause": None, "items": [code], "values": values})
    return found
