"""Conditions on envelopes, seals and what was entered."""

from . import failing, lots
from .shapes import Any, Json


def sealed(found: Json, group: Json, need: Json) -> Any:
    """It travels in a sealed envelope, named as a whole; `purpose` says what for."""
    purposes = need.get("purpose")
    failed = [
        code
        for code, value, envelope in group["items"]
        if envelope is None
        or not envelope.get("sealed")
        or (purposes and envelope["purpose"] not in purposes)
    ]
    return failing.items(failed)


def seal_fresh(found: Json, group: Json, need: Json) -> Any:
    """The seal's number closed nothing before."""
    seal = found["with"].get("seal")
    used = found["facts"].sealed(seal) if seal else []
    into = found["draft"].get("into")
    return {"seal": seal, "used": used, "items": [into] if into else used} if used else None


def label_table(found: Json, group: Json, need: Json) -> Any:
    """The label names the table that it was removed from, or where it lies."""
    named = found["with"].get("table")
    origins = [[code, _table_of(found, value)] for code, value, _ in group["items"]]
    wrong = [[code, table] for code, table in origins if named and table not in (None, named)]
    if not wrong:
        return None
    return {"items": [code for code, _ in wrong], "table": wrong[0][1], "named": named}


def _table_of(found: Json, value: Json) -> Any:
    """The table from which an item was taken out of use, else the one where it is; or None."""
    code = (value.get("removal") or {}).get("place") or value["place"]
    place = found["facts"].get("place", code) if code else None
    return code if place is not None and place["type"] == "table" else None


def from_tables(found: Json, group: Json, need: Json) -> Any:
    """The tables that are listed have among them each from which an item was removed."""
    listed = found["with"].get("tables") or []
    origins = [[code, _table_of(found, value)] for code, value, _ in group["items"]]
    left_out = [[code, table] for code, table in origins if table and table not in listed]
    if not listed or not left_out:
        return None
    tables = sorted({table for _, table in left_out})
    return {"items": [code for code, _ in left_out], "tables": tables}


def signed(found: Json, group: Json, need: Json) -> Any:
    """The collector signs, unless (`waivable`) the operator has an approved procedure without."""
    waived = found["book"]["controls"].get("collector_signature") == "waived"
    waived = waived and need.get("waivable", True)
    return {} if found["with"].get("signed") is False and not waived else None


def either(found: Json, group: Json, need: Json) -> Any:
    """At least one of the fields `fields` is given."""
    given = [f for f in need["fields"] if found["with"].get(f) not in (None, "", [])]
    return None if given else {"field": need["fields"]}


def alone(found: Json, group: Json, need: Json) -> Any:
    """One set goes into an envelope of its own."""
    return None if sum([lots.size(value) for _, value, _ in found["items"]]) == 1 else {}


def empty(found: Json, group: Json, need: Json) -> Any:
    """The envelope is new, or was opened and emptied: what is sealed is not added to."""
    into = found["into"]
    return {"into": found["draft"]["into"]} if into and into.get("contents") else None


def opened(found: Json, group: Json, need: Json) -> Any:
    """The envelope was opened and its seal compared before its contents are named."""
    return failing.items([code for code, value, envelope in group["items"] if envelope is not None])


def reserve_only(found: Json, group: Json, need: Json) -> Any:
    """It is reserve, and not in an envelope for destruction."""
    wrong = [
        code
        for code, value, envelope in group["items"]
        if envelope and envelope["purpose"] != "reserve_inspected"
    ]
    return failing.items(wrong)
