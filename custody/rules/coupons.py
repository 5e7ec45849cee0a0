"""Coupons in the hands of accounting and marketing: what a step on them must find (MD-03.11)."""

from . import access, ends, failing, lots, people, requisitions
from .exception_kinds import VARIANCE
from .shapes import Any, Json


def marks(context: Json, value: Any) -> Json:
    """Return the words by which a rulebook tells coupons apart."""
    attributes = value["attributes"] if value else (context["draft"].get("attributes") or {})
    counted = counted_in(context["book"], context["facts"], context["draft"])
    return {
        "mailed": "yes" if attributes.get("mailed") else "no",
        "printed": "yes" if attributes.get("printed_in_house") else "no",
        "counted_in": "yes" if counted else "no",
        "redeemed": "yes" if value and value.get("redeemed") else "no",
    }


def counted_in(book: Json, facts: Any, event: Json) -> bool:
    """Whether a redemption is entered in accounting, from a drop box, and not at the table."""
    if event["step"] != "redeem":
        return False
    signers = people.known(facts, people.ids(event)[:1])
    department = people.department(book, signers[0]["job"]) if signers else None
    at_table = department in access.GAMING
    return department == "accounting" or (not at_table and _in_accounting(facts, event))


def _in_accounting(facts: Any, event: Json) -> bool:
    ids = [event[role] for role in ("where", "to") if event.get(role)]
    places = [ends.place(facts, id_) for id_ in ids]
    return any(place is not None and place["type"] == "accounting" for place in places)


def day_of(book: Json, facts: Any, event: Json, day: str) -> str:
    """Return the gaming day to which a redemption belongs: of what is counted out of a drop box,
    the day of the box, which is none to come.
    """
    named = (event.get("with") or {}).get("day")
    boxed = isinstance(named, str) and len(named) == len(day) and named <= day
    return str(named) if boxed and counted_in(book, facts, event) else day


def expired(value: Json, day: str) -> bool:
    """Whether a coupon is past its last gaming day."""
    expires = value["attributes"].get("expires")
    return bool(expires) and day > str(expires)


def shown(value: Json, day: str) -> str:
    """Return the state of a coupon as people see it on a gaming day: what ran out is `expired`."""
    if value["kind"] == "coupons" and lots.is_range(value) and value["state"] in _CAN_EXPIRE:
        return "expired" if expired(value, day) else str(value["state"])
    return str(value["state"])


_CAN_EXPIRE = ("received", "stored", "issued", "returned", "distributed")


def unexpired(found: Json, group: Json, need: Json) -> Any:
    """The coupon is within its last gaming day; out of a drop box, on the day of the box."""
    boxed = counted_in(found["book"], found["facts"], found["draft"])
    day = (found["with"].get("day") if boxed else None) or found["day"]
    failed = failing.codes(group, lambda v: expired(v, day))
    if not failed:
        return None
    first = found["facts"].get("item", failed[0])
    return {"items": failed, "expires": first["attributes"]["expires"]}


def licensed(found: Json, group: Json, need: Json) -> Any:
    """Everyone of the departments `of` who signs has a license number."""
    missing = [
        person["id"]
        for person in found["people"]
        if people.department(found["book"], person["job"]) in need["of"]
        and not person.get("license")
    ]
    return {"people": missing} if missing else None


def described(found: Json, group: Json, need: Json) -> Any:
    """What arrives says all of `all`: attributes of the draft."""
    attributes = found["draft"].get("attributes") or {}
    missing = [name for name in need["all"] if attributes.get(name) in (None, "", [])]
    worth = attributes.get("denomination")
    if "denomination" in need["all"] and not missing and not (isinstance(worth, int) and worth > 0):
        missing.append("denomination")
    expires = attributes.get("expires")
    if "expires" in need["all"] and expires and requisitions.period(expires) is None:
        missing.append("expires")
    return {"field": missing} if missing else None


def invoiced(found: Json, group: Json, need: Json) -> Any:
    """The invoice says as many as the serials are, or a note reports the deviation."""
    if found["with"].get("note") or found["draft"].get("note"):
        return None
    return deviates(found, group, need)


def deviates(found: Json, group: Json, need: Json) -> Any:
    """The invoice says as many as the serials are."""
    said = found["with"].get("invoiced")
    spans = found["named"]["spans"]
    if said is None or not spans:
        return None
    there = sum([spans[code][2] - spans[code][1] + 1 for code in spans])
    return None if said == there else {"invoiced": said, "count": there}


def requisitioned(found: Json, group: Json, need: Json) -> Any:
    """A requisition for this gaming day asks for these: denomination, and at most what is left."""
    wanted = requisitions.asked([value for _, value, _ in found["items"]])
    known = requisitions.needs(found["facts"], "coupons", found["day"])
    for worth in sorted(wanted):
        left = [n["left"] for n in known if n["denomination"] == worth]
        if not left:
            return {"denomination": worth, "day": found["day"]}
        if sum(left) < wanted[worth]:
            values = {"denomination": worth, "day": found["day"], "quantity": wanted[worth]}
            return dict(values, left=sum(left), code="requisition-short")
    return None


def requested(found: Json, group: Json, need: Json) -> Any:
    """A requisition says for which gaming day, not before today, and how many of what value."""
    fields = found["with"]
    span = requisitions.period(fields.get("needed_for"))
    if span is None or span[1] < found["day"]:
        return {"field": "needed_for"}
    wrong = [name for name in ("denomination", "quantity") if not _positive(fields.get(name))]
    return {"field": wrong} if wrong else None


def _positive(value: Any) -> bool:
    return isinstance(value, int) and value is not True and value > 0


def quantity(found: Json, group: Json, need: Json) -> Any:
    """The quantity that is entered is the number of the serials that are named."""
    said = found["with"].get("quantity")
    there = sum([value["pieces"] for _, value, _ in found["items"] if lots.is_range(value)])
    return None if said in (None, there) else {"quantity": said, "count": there}


def carried(found: Json, group: Json, need: Json) -> Any:
    """It was issued for this gaming day, or is left over where marketing may keep it."""
    if carries_over(found["book"]):
        return None
    failed = failing.codes(group, lambda v: found["day"] > str(v.get("until") or ""))
    return {"items": failed, "day": found["day"]} if failed else None


def carries_over(book: Json) -> bool:
    """Whether marketing has an approved area for leftovers. What lies there opens the form of the
    next gaming day by itself, and so is listed on it (MD-03.11-L.2).
    """
    return bool(book["controls"].get("carry_over") == "approved")


def control(found: Json, group: Json, need: Json) -> Any:
    """The operator has an approved control `name`, with one of the words `chosen`."""
    now = found["book"]["controls"].get(need["name"])
    return None if now in need["chosen"] else {"control": need["name"]}


def explained(found: Json, group: Json, need: Json) -> Any:
    """A difference that was counted and is not resolved is explained in a note."""
    if found["with"].get("note") or found["draft"].get("note"):
        return None
    names = [code for code, _, _ in group["items"]]
    names.extend([value["lot"] for _, value, _ in group["items"] if lots.is_range(value)])
    open_ones = [code for code in names if _varies(found["facts"], code)]
    return {"items": open_ones} if open_ones else None


def _varies(facts: Any, code: str) -> bool:
    return any(kind == VARIANCE for _, kind, _ in facts.open(code))


def lot_named(found: Json, group: Json, need: Json) -> Any:
    """The serials are named, not only their lot."""
    whole = failing.codes(group, lots.is_lot)
    return {"items": whole} if whole else None


CHECKS: Json = {
    "unexpired": unexpired,
    "licensed": licensed,
    "described": described,
    "invoiced": invoiced,
    "deviates": deviates,
    "requisitioned": requisitioned,
    "requested": requested,
    "quantity": quantity,
    "carried": carried,
    "control": control,
    "lot_named": lot_named,
    "explained": explained,
}

CODES = {
    "unexpired": "coupon-expired",
    "licensed": "license-missing",
    "described": "attribute-missing",
    "invoiced": "invoice-differs",
    "deviates": "invoice-differs",
    "requisitioned": "no-requisition",
    "requested": "requisition-unclear",
    "quantity": "quantity-differs",
    "carried": "not-carried-over",
    "control": "control-unapproved",
    "lot_named": "serials-missing",
    "explained": "difference-unexplained",
}
