"""An event made ready for its effects: what they need of the facts, looked up once."""

from . import (
    cases,
    codes_errors,
    codes_range,
    context,
    coupons,
    naming,
    papers,
    parts,
    people,
    requisitions,
    soft_codes,
    tables,
    tasks,
    telling,
    tiles,
)
from .shapes import Any, Json


def prepare(
    book: Json,
    facts: Any,
    event: Json,
    event_id: str,
    expanded: Any = None,
    framed: Any = None,
) -> Json:
    """Return an event with what its effects need: expanded codes, types of places, gaming day,
    game.
    """
    if framed is None:
        framed = context.frame(book, facts, event)
    step, fields = framed["step"], framed["with"]
    codes = named(event) if expanded is None else expanded
    ready: Json = dict(_PLAIN)
    ready.update(
        {
            "id": event_id,
            "step": step,
            "codes": codes,
            "named": dict.fromkeys(codes, True),
            "into": event.get("into"),
            "with": fields,
            "by": framed["names"] or [None],
            "at": framed["at"],
            "day": framed["day"],
            "creates": step in book["creates"],
            "kind": event.get("kind"),
            "form": event.get("form"),
            "attributes": event.get("attributes") or {},
            "soft": soft_codes.of(event) if fields else [],
            "whole": naming.wholes(event) if fields else event.get("items") or [],
            "arrivals": book["words"]["arrival"],
        }
    )
    if step == "redeem":
        ready["day"] = coupons.day_of(book, facts, event, framed["day"])
    _places(facts, framed, event, ready)
    if fields and papers.number(event) is not None:
        ready["paper"] = papers.of(book, facts, event, codes, ready["day"])
        ready["base"] = papers.base(facts, event)
    if step in _MORE:
        _MORE[step](book, facts, event, ready, framed)
    return ready


# What only the effects of a few steps ask for: `_MORE` finds it for them. Nothing changes it.
_PLAIN: Json = {
    "lot": None,
    "cases": {},
    "until": None,
    "game": None,
    "handled": False,
    "counted_in": False,
    "parts": [],
    "gives": {},
    "told_commission": False,
    "departments": [],
    "paper": None,
    "base": None,
    "pit": None,
    "intact": True,
    "packed_state": "sealed",
    "reuse": [],
    "swap_in_play": False,
}


def _received(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["lot"] = ready["codes"][0] if ready["codes"] else None
    ready["cases"] = cases.made(event)


def _issued(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["until"] = requisitions.until(book, facts, event, ready["codes"], ready["at"])


def _played(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    table = framed["where"]
    if not framed["where_id"] and ready["from_place"]:
        table = facts.get("place", ready["from_place"])
    if table is not None and table["type"] == "table":
        ready["game"] = tables.game_of(table, ready["at"])
        ready["handled"] = tables.handled(table, ready["at"])


def _redeemed(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["counted_in"] = coupons.counted_in(book, facts, event)


def _packed(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["parts"] = _parts(facts, event, ready["codes"])
    ready["packed_state"] = _purpose_state(book, ready["with"].get("purpose"))


def _rebuilt(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["gives"] = tiles.given_by(facts, event)


def _notified(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["told_commission"] = telling.commission(book, facts, event)


def _held(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    """The department of each who signs, in their order."""
    jobs = {person["id"]: person["job"] for person in framed["people"]}
    signers = framed["names"]
    ready["departments"] = [people.department(book, jobs.get(one, "")) for one in signers]


def _handed_over(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["pit"] = tasks.pit(facts, ready)


def _opened(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["pit"] = tasks.pit(facts, ready)
    ready["intact"] = _intact(ready["with"])


def _examined(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    ready["reuse"] = book["controls"].get("reuse") or []


def _swapped(book: Json, facts: Any, event: Json, ready: Json, framed: Json) -> None:
    first = facts.get("item", ready["codes"][0]) if ready["codes"] else None
    ready["swap_in_play"] = first is not None and first["state"] == "in_play"


_MORE: Json = {
    "receive": _received,
    "issue": _issued,
    "play": _played,
    "redeem": _redeemed,
    "pack": _packed,
    "rebuild": _rebuilt,
    "notify": _notified,
    "hold": _held,
    "collect": _held,
    "hand_over": _handed_over,
    "open": _opened,
    "examine": _examined,
    "swap": _swapped,
}


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


def _places(facts: Any, framed: Json, event: Json, ready: Json) -> None:
    first = facts.get("item", ready["codes"][0]) if ready["codes"] else None
    here = first["place"] if first else None
    origin = facts.get("place", here) if here else None
    to, where = framed["to"], framed["where"]
    ready["from_place"] = here
    ready["place_type"] = origin["type"] if origin else None
    ready["to"], ready["to_type"] = framed["to_id"], to["type"] if to else None
    ready["where"], ready["where_type"] = framed["where_id"], where["type"] if where else None
    ready["arrival"] = ready["arrivals"].get(ready["to_type"])
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
