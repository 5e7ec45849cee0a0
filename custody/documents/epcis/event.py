"""One event of custody as an event of EPCIS 2.0 (docs/exports.md).

What EPCIS has no field for stands under `custody:`: the step, the chain, who signed, the fields.
Of people it has their ids alone, of outside signers their agency and number; no name and no drawn
signature leaves the house in it.
"""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from custody.documents.epcis import what
from custody.documents.epcis.names import Namer, field
from custody.documents.epcis.what import What
from custody.rules import disposal, ends, there

Value = dict[str, Any]
OFF_SITE, LOST = "destroy off site", "adjust lost"  # entries of steps that have two
REASON = "did_not_occur"  # a corrected event counts for nothing from then on
INVOICE = "inv"
MOST_OFFSET = 14 * 60  # minutes; EPCIS has no further one
KEPT_BACK = ("found", "signature")  # in the lists of the event, or nobody's to hand out
OUTSIDE = ("agency", "number", "job", "how")


class Struck(NamedTuple):
    """The correction that took an event back: its id, and when it reached the server (UTC ms)."""

    id: str
    at: int


@cache
def steps() -> dict[str, Value]:
    """Return `steps.toml`: the entry of every step, and `left_out`."""
    text = (files("custody.documents.epcis") / "steps.toml").read_text("utf-8")
    return tomllib.loads(text)


def of_entry(
    entry: Value, name: Namer, struck: Struck | None = None, raised: list[str] | None = None
) -> list[Value]:
    """Return the EPCIS events of an entry of the log: one, one an envelope that was opened, or
    none, where it is about no object or cannot be read.

    `struck` is its correction; `raised` are the kinds of the exceptions that it raised.
    """
    event = entry["event"]
    rule = _rule(event) if event else None
    if rule is None:
        return []
    about = what.of(event, name)
    shape = _shape(rule, event, about, name, entry["id"])
    if shape is None:
        return []
    common = {
        **_head(entry, name),
        **_why(rule, event),
        **_where(event, name, shape),
        **_error(struck, name),
        **_extensions(entry, name, raised or []),
    }
    return [
        {**one, **common, "eventID": _numbered(common["eventID"], number)}
        for number, one in enumerate(_each(shape, about))
    ]


def _rule(event: Value) -> Value | None:
    step = event["step"]
    if step == "destroy" and disposal.awaits({**event, "with": event.get("with") or {}}):
        step = OFF_SITE
    if step == "adjust" and not event.get("to"):
        step = LOST
    found = steps().get(step)
    return found if found and step != "left_out" else None


def _shape(rule: Value, event: Value, about: What, name: Namer, id_: str) -> Value | None:
    """Return the type, the action and what an event is about; None where that is nothing."""
    kind = rule.get("as", "ObjectEvent")
    given = event.get("with") or {}
    sources = what.of_codes(given.get("sources"), name)
    if not about.things and not about.quantities:
        return None
    if kind == "TransformationEvent" and sources:
        outputs = about.lists("outputEPCList", "outputQuantityList")
        return {"type": kind, "inputEPCList": sources, **outputs}
    if kind == "AggregationEvent" and event.get("into"):
        parent = name.item(event["into"])
        children = about.lists("childEPCs", "childQuantityList")
        return {"type": kind, "action": rule["action"], "parentID": parent, **children}
    if kind == "AggregationEvent" and rule["action"] == "DELETE" and about.things:
        return {"type": kind, "action": "DELETE", "parentID": ""}
    made: Value = {"type": "ObjectEvent", "action": _action(rule)}
    if kind == "TransactionEvent":
        document = {"bizTransaction": name.own("bt", id_)}
        made.update(type=kind, bizTransactionList=[document])
    return {**made, **_received(event, given, name), **about.lists("epcList", "quantityList")}


def _action(rule: Value) -> str:
    """An envelope that a `pack` does not name is none that could be added to."""
    grouped = rule.get("as") == "AggregationEvent"
    return "OBSERVE" if grouped else str(rule["action"])


def _received(event: Value, given: Value, name: Namer) -> Value:
    """What a thing is told of once, when it comes: its master data and the supplier's invoice."""
    if event["step"] != "receive":
        return {}
    told = {n: event.get(n) for n in ("kind", "form", "attributes")}
    kept = {field(n): _prefixed(value) for n, value in told.items() if value}
    found: Value = {"ilmd": kept} if kept else {}
    if given.get("invoice"):
        about = {"type": INVOICE, "bizTransaction": name.own("bt", str(given["invoice"]))}
        found["bizTransactionList"] = [about]
    return found


def _each(shape: Value, about: What) -> list[Value]:
    """One event for each envelope that was opened: all that is in it comes out."""
    if shape.get("parentID") != "":
        return [shape]
    return [{**shape, "parentID": envelope} for envelope in about.things]


def _numbered(id_: str, number: int) -> str:
    return id_ if number == 0 else f"{id_}:{number + 1}"


def _head(entry: Value, name: Namer) -> Value:
    event = entry["event"]
    offset = event["offset"] if abs(event["offset"]) <= MOST_OFFSET else 0
    return {
        "eventID": name.own("event", entry["id"]),
        "eventTime": instant(there.effective(event), offset),
        "eventTimeZoneOffset": _zone(offset),
        "recordTime": instant(entry["received"], 0),
    }


def instant(at: int, offset: int) -> str:
    """Write an instant (UTC ms) as `2026-12-01T08:00:00.000-05:00`; one outside the years that can
    be written is the nearest one.
    """
    try:
        moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
        local = moment.astimezone(timezone(timedelta(minutes=offset)))
    except (OverflowError, ValueError):
        local = (datetime.max if at > 0 else datetime.min).replace(tzinfo=UTC)
    return local.isoformat(timespec="milliseconds")


def _zone(offset: int) -> str:
    hours, minutes = divmod(abs(offset), 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}"


def _why(rule: Value, event: Value) -> Value:
    given = (event.get("with") or {}).get(rule.get("field"))
    chosen = rule.get("dispositions", {}).get(given) if isinstance(given, str) else None
    told = {"bizStep": rule["biz_step"], "disposition": chosen or rule.get("disposition")}
    return {name: value for name, value in told.items() if value}


def _where(event: Value, name: Namer, shape: Value) -> Value:
    """Where it was read, where the things are from then on, and the two ends of a move."""
    start, end, where = (event.get(one) for one in ("from", "to", "where"))
    ended = shape["type"] == "ObjectEvent" and shape["action"] == "DELETE"
    transformed = shape["type"] == "TransformationEvent"
    after = None if ended else end or where
    found: Value = {}
    for field_, id_ in (("readPoint", where or start or end), ("bizLocation", after)):
        if id_ and id_ not in ends.ENDS and id_ not in name.people:
            found[field_] = {"id": name.place(id_)}
    if end and (start or end in name.people) and not transformed:
        found["destinationList"] = [_end("destination", end, name)]
    if start and end and not transformed:
        found["sourceList"] = [_end("source", start, name)]
    return found


def _end(field_: str, id_: str, name: Namer) -> Value:
    """An end of a move: a place, or the person into whose hands things go."""
    if id_ in name.people:
        return {"type": "possessing_party", field_: name.party(id_)}
    return {"type": "location", field_: name.place(id_)}


def _error(struck: Struck | None, name: Namer) -> Value:
    if struck is None:
        return {}
    correction = {field("correction"): name.own("event", struck.id)}
    told = {"declarationTime": instant(struck.at, 0), "reason": REASON, **correction}
    return {"errorDeclaration": told}


def _extensions(entry: Value, name: Namer, raised: list[str]) -> Value:
    event = entry["event"]
    chain = {n: entry[n] for n in ("device", "run", "branch", "seq")}
    given = {n: v for n, v in (event.get("with") or {}).items() if n not in KEPT_BACK}
    told = {
        "step": event["step"],
        "position": entry["position"],
        "chain": _prefixed(chain),
        "lots": what.lots(event, name),
        "gaming_day": event.get("day"),
        "recorded": instant(event["at"], 0),
        "signers": [_signer(one, name) for one in event.get("by") or []],
        "fields": _prefixed(given),
        "note": event.get("note"),
        "exceptions": sorted(raised),
    }
    return {field(n): value for n, value in told.items() if value not in (None, [], {}, "")}


def _signer(one: Value, name: Namer) -> Value:
    if "person" in one:
        told = {"person": name.party(str(one["person"])), "how": one.get("how")}
    else:
        told = {n: one.get(n) for n in OUTSIDE}
    return {field(n): value for n, value in told.items() if value is not None}


def _prefixed(value: Any) -> Any:
    """Return a value with the names in it as names of ours, so that JSON-LD keeps them."""
    if isinstance(value, dict):
        return {field(n): _prefixed(one) for n, one in value.items() if one is not None}
    return [_prefixed(one) for one in value] if isinstance(value, list) else value
