"""What an event does to the records: one function per effect, the same on the server and on a
handheld.
"""

from . import (
    cases,
    codes_errors,
    codes_range,
    context,
    coupons,
    days,
    effects,
    ends,
    envelope_effects,
    lots,
    naming,
    numbered,
    papers,
    parts,
    people,
    requisitions,
    soft_codes,
    stock,
    tables,
    tally,
    tasks,
    telling,
    tiles,
)
from .shapes import Any, Json


def fold(book: Json, facts: Any, event: Json, event_id: str, names: Any = None) -> Json:
    """Return what an event changes: `records` [[of, id, value], ...], `postings`, `raised`,
    `claims`.

    `records` holds every item that the event claims (its items, its `into`, and what is inside of
    an envelope that it names), a table that it opens, closes or changes, and the site's tasks that
    it
    touches; nothing else changes. `by_item` has the postings before they are summed. Whether it
    was allowed is `judge`'s to say.
    """
    if names is None:
        names = naming.codes_of(book, facts, event)
        facts = names["facts"]
    ready = prepare(book, facts, event, event_id, names["codes"])
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


def prepare(book: Json, facts: Any, event: Json, event_id: str, expanded: Any = None) -> Json:
    """Return an event with what its effects need: expanded codes, types of places, gaming day,
    game.
    """
    fields = event.get("with") or {}
    at = context.effective(event)
    codes = named(event) if expanded is None else expanded
    signers = people.names(event)
    jobs = {person["id"]: person["job"] for person in people.signing(facts, event)}
    words = book["words"]["steps"].get(event["step"], {})
    ready: Json = {
        "id": event_id,
        "step": event["step"],
        "codes": codes,
        "named": dict.fromkeys(codes, True),
        "into": event.get("into"),
        "with": fields,
        "by": signers or [None],
        "at": at,
        "day": coupons.day_of(book, facts, event, days.gaming_day(book, at)),
        "creates": words.get("creates", False),
        "kind": event.get("kind"),
        "form": event.get("form"),
        "attributes": event.get("attributes") or {},
        "intact": _intact(fields),
        "packed_state": _purpose_state(book, fields.get("purpose")),
        "soft": soft_codes.of(event),
        "lot": codes[0] if codes and event["step"] == "receive" else None,
        "until": requisitions.until(book, facts, event, codes, at),
        "whole": naming.wholes(event),
        "cases": cases.made(event),
        "reuse": book["controls"].get("reuse") or [],
        "counted_in": coupons.counted_in(book, facts, event),
        "parts": _parts(facts, event, codes),
        "gives": tiles.given_by(facts, event) if event["step"] == "rebuild" else {},
        "told_commission": event["step"] == "notify" and telling.commission(book, facts, event),
        "departments": [people.department(book, jobs.get(person, "")) for person in signers],
    }
    _places(book, facts, event, ready)
    ready["paper"] = papers.of(book, facts, event, codes, ready["day"])
    ready["base"] = papers.base(facts, event)
    ready["arrivals"] = book["words"]["arrival"]
    ready["pit"] = tasks.pit(facts, ready) if event["step"] in papers.HANDED else None
    first = facts.get("item", codes[0]) if codes and event["step"] == "swap" else None
    ready["swap_in_play"] = first is not None and first["state"] == "in_play"
    return ready


def _parts(facts: Any, event: Json, codes: list[str]) -> list[list[Any]]:
    """The parts of items that a step packs: `[code, [names]]`; [] where whole items go in."""
    names = (event.get("with") or {}).get("pieces")
    if event["step"] != "pack" or not names:
        return []
    found = []
    for code in codes:
        value = facts.get("item", code)
        if value is not None and parts.goes(value, event):
            found.append([code, names])
    return found


def named(event: Json) -> list[str]:
    """Return the codes that an event names, its runs expanded. A run that is none names nothing."""
    try:
        return codes_range.expand_all(event.get("items") or [])
    except codes_errors.CodeRangeError:
        return []


def _places(book: Json, facts: Any, event: Json, ready: Json) -> None:
    first = facts.get("item", ready["codes"][0]) if ready["codes"] else None
    ready["from_place"] = first["place"] if first else None
    for role in ("to", "where"):
        place = ends.place(facts, event[role]) if event.get(role) else None
        ready[role] = event.get(role)
        ready[role + "_type"] = place["type"] if place else None
    origin = facts.get("place", ready["from_place"]) if ready["from_place"] else None
    ready["place_type"] = origin["type"] if origin else None
    ready["arrival"] = book["words"]["arrival"].get(ready["to_type"])
    table = facts.get("place", ready["where"]) if ready["where"] else origin
    table = table if table is not None and table["type"] == "table" else None
    ready["game"] = tables.game_of(table, ready["at"]) if table is not None else None
    ready["handled"] = table is not None and tables.handled(table, ready["at"])
    ready["kinds"] = _kinds(facts, ready) if ready["into"] else []


def _kinds(facts: Any, ready: Json) -> list[str]:
    found = []
    for code in ready["codes"]:
        value = facts.get("item", code)
        if value is not None:
            found.extend(value.get("kinds", [value["kind"]]))
    return found


def _intact(fields: Json) -> bool:
    condition = fields.get("condition")
    return fields.get("seal_state") != "broken" and condition in (None, "closed")


def _purpose_state(book: Json, purpose: Any) -> str:
    for entry in book["words"]["purposes"]:
        if entry["name"] == purpose:
            return str(entry["state"])
    return "sealed"


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
