"""Conditions on two-part forms and their numbers."""

from . import collecting, failing, numbered, papers, people, serials
from .shapes import Any, Json


def usable(found: Json, group: Json, need: Json) -> Any:
    """The number of the form is of one that was handed out and is not written on; a number of no
    lot is a new one.
    """
    number = papers.number(found["draft"])
    if number is None:
        return None
    facts = found["facts"]
    wrong = numbered.usable(facts, number, papers.KIND)
    if wrong is None:
        keeper = numbered.not_yours(found, number, papers.KIND)
        if keeper:
            return {"code": "form-not-yours", "number": number, "people": keeper}
        taken = facts.get("item", number + serials.INSIDE + papers.PARTS[0])
        return {"code": "form-spent", "number": number} if taken else None
    if wrong[0] == "unclear":
        return {"code": "form-unclear", "number": number, "numbers": wrong[1]}
    if wrong[0] == "spent":
        return {"code": "form-spent", "number": number}
    return {"number": number, "state": wrong[1]}


def on_its_way(found: Json, group: Json, need: Json) -> Any:
    """A part of a form goes to the next place of its way."""
    kind = group["traits"]["to"]
    astray = [v for _, v, _ in group["items"] if v.get("way") and kind not in v["way"][0]]
    if not astray:
        return None
    first = astray[0]
    values = {"items": [value["code"] for value in astray], "to": kind, "types": first["way"][0]}
    return dict(values, clause=(first.get("clauses") or [None])[0])


def taken_along(found: Json, group: Json, need: Json) -> Any:
    """Security, which collects, takes the parts that wait there to go to it."""
    signers = found["people"][:1]
    book = found["book"]
    if not signers or people.department(book, signers[0]["job"]) != "security":
        return None
    place = group["items"][0][1]["place"] if group["items"] else None
    left = [
        code
        for code in (found["facts"].at(place) if place else [])
        if code not in found["codes"] and _left(found["facts"].get("item", code))
    ]
    return {"items": left, "place": place} if left else None


def _left(value: Any) -> bool:
    """A part of a form that an envelope holds waits as well: whoever collects may take it along."""
    return value is not None and not value["holder"] and collecting.goes_to_security(value)


def complete(found: Json, group: Json, need: Json) -> Any:
    """Nothing of it is still to go anywhere."""
    return failing.of(group, lambda v: v.get("way"))


CHECKS: Json = {
    "form_usable": usable,
    "form_way": on_its_way,
    "forms_taken": taken_along,
    "form_filed": complete,
}

CODES = {
    "form_usable": "form-not-issued",
    "form_way": "form-astray",
    "forms_taken": "form-left",
    "form_filed": "form-underway",
}
