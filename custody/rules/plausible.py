"""What any step needs whatever the regime: codes, places and people that exist, and fields that
are well written.
"""

from . import amounts, ends, field_types, forms, reasons, with_fields
from .exception_kinds import UNKNOWN_CODE, UNKNOWN_PERSON, UNKNOWN_PLACE
from .shapes import Any, Json


def check(found: Json) -> None:
    """Add a reason for every code, place and person that is not known, or does not fit the step."""
    words = found["book"]["words"]["steps"][found["step"]]
    found["fields"] = sorted(found["with"])
    _codes(found, words)
    _places(found, words)
    _people(found)
    _fields_known(found, words)
    _photos(found)
    _fact(found)


def _codes(found: Json, words: Json) -> None:
    if words.get("creates"):
        named = dict.fromkeys(found["codes"], True)
        taken = [code for code, value, _ in found["items"] if code in named]
        if taken:
            reasons.add(found, "code-taken", None, {}, taken)
        _kind(found)
    elif found["unknown"] and not _by_id(found):
        reasons.add(found, UNKNOWN_CODE, None, {}, found["unknown"], UNKNOWN_CODE)
    nothing = not found["codes"] and not found["named"]["problems"]
    if words.get("items") and nothing and not _by_id(found):
        reasons.add(found, "items-missing", None, {"step": found["step"]})
    if words.get("envelopes"):
        loose = [c for c, v, inside in found["items"] if inside is None and not v.get("sealed")]
        if loose:
            reasons.add(found, "not-closed", None, {}, loose)
    into = found["into"]
    if into is not None and into["kind"] != "envelope":
        reasons.add(found, "no-envelope", None, {"into": into["code"]}, [into["code"]])


def _by_id(found: Json) -> bool:
    """Whether a resolution names its exception by id: that may be about nothing that is known, such
    as a line that cannot be read.
    """
    if found["step"] != "resolve":
        return False
    return found["facts"].get("exception", found["with"].get("exception") or "") is not None


def _kind(found: Json) -> None:
    draft, kinds = found["draft"], found["book"]["words"]["kinds"]
    kind = kinds.get(draft.get("kind") or "")
    if kind is None:
        reasons.add(found, "unknown-kind", None, {"kind": draft.get("kind")})
    elif draft.get("form") not in kind["forms"]:
        reasons.add(
            found, "unknown-form", None, {"form": draft.get("form"), "forms": kind["forms"]}
        )


def _places(found: Json, words: Json) -> None:
    if found["to_id"]:
        _place(found, words, "to")
    if found["from_id"]:
        _place(found, words, "from")
    if found["where_id"]:
        _place(found, words, "where")
    requires = words.get("requires")
    if requires:
        for role in ("to", "into", "where"):
            if role in requires and not found["draft"].get(role):
                reasons.add(found, "field-missing", None, {"field": role})
    named = found["from_id"]
    if named:
        away = [c for c, v, inside in found["items"] if inside is None and v["place"] != named]
        if away:
            reasons.add(found, "not-there", None, {"place": named}, away)
    if words.get("to_person"):
        _handed_out(found)


def _handed_out(found: Json) -> None:
    """What is handed out goes to another place, or to another person, than has it. Within a place
    it may go to somebody by name (`with.holder`).
    """
    goal = None if found["with"].get("holder") else found["to_id"]
    loose = [[code, value] for code, value, inside in found["items"] if inside is None]
    still = [code for code, value in loose if goal and goal in (value["place"], _bearer(value))]
    if still:
        reasons.add(found, "already-there", None, {"place": goal}, still)


def _bearer(value: Json) -> Any:
    return value["holder"] if ends.in_hands(value) else None


def _place(found: Json, words: Json, role: str) -> None:
    place = found[role]
    person = place is not None and place["type"] == ends.PERSON
    if place is None or (person and not (role == "to" and words.get("to_person"))):
        values = {"place": found[role + "_id"]}
        reasons.add(found, UNKNOWN_PLACE, None, values, found["codes"], UNKNOWN_PLACE)


def _people(found: Json) -> None:
    if not found["known"]:
        known = [person["id"] for person in found["people"]]
        unknown = [person for person in found["ids"] if person not in known]
        if unknown:
            values = {"people": unknown}
            reasons.add(found, UNKNOWN_PERSON, None, values, found["codes"], UNKNOWN_PERSON)
    if not found["ids"]:
        reasons.add(found, "nobody-signs", None, {})
    if found["step"] != "administer":
        _administrators(found)


def _administrators(found: Json) -> None:
    """Who runs the system signs no custody step, not even beside the others."""
    departments = found["book"]["departments"]
    running = [p["id"] for p in found["people"] if departments.get(p["job"]) == "administration"]
    if running:
        reasons.add(found, "signer-administrator", None, {"people": running}, found["codes"])


def _fact(found: Json) -> None:
    """What has happened already says why it comes late; one of the rulebook's jobs states it."""
    fact = found["with"].get("fact")
    if fact is None:
        return
    allowed = found["book"]["words"]["everywhere"]["fact"]["words"]
    why = fact.get("why") if isinstance(fact, dict) else None
    if why not in allowed:
        values = {"field": "fact", "found": [why], "allowed": allowed}
        reasons.add(found, "field-word", None, values)
    jobs = found["book"]["facts"]
    house = [person for person in found["people"] if not person.get("outside")]
    if not any(person["job"] in jobs for person in house):
        who = [person["id"] for person in found["present"] if person["job"] in jobs]
        reasons.add(found, "fact-not-yours", None, {}, None, None, who)


PHOTOS = 5


def _photos(found: Json) -> None:
    """At most five pictures, as the protocol has it."""
    photos = found["with"].get("photos")
    if photos is None:
        return
    if not field_types.well_typed("codes", photos):
        reasons.add(found, "field-type", None, {"field": "photos", "type": "codes"})
    elif len(photos) > PHOTOS:
        reasons.add(found, "photos-many", None, {"found": len(photos), "most": PHOTOS})


def _fields_known(found: Json, words: Json) -> None:
    everywhere = found["book"]["words"]["everywhere"]
    for name in found["fields"]:
        if name not in words["fields"] and name not in everywhere:
            reasons.add(found, "field-unknown", None, {"field": name, "step": found["step"]})


def fields(found: Json, entry: Json, group: Json) -> None:
    """Add a reason for every field that the entry asks for and that is missing or wrong."""
    words = found["book"]["words"]["steps"][found["step"]]
    if group["traits"]["inside"] == "hidden" and not words.get("reaches"):
        values = {"envelope": group["items"][0][1]["in"]}
        reasons.add(found, "inside-envelope", _cite(entry), values, _named(group))
    _entered(found, entry, entry["specs"])


def asked_besides(found: Json, rule: Json, group: Json) -> None:
    """Add a reason for every field that a rule asks for besides the entry."""
    _entered(found, rule, rule["asks"])


def _entered(found: Json, entry: Json, specs: Json) -> None:
    for name in found["fields"]:
        if name in specs:
            _field(found, name, entry["specs"][name])
    for name in entry["required"]:
        ask = entry["asks"][name]
        if _is_missing(found, entry, name) and forms.asked(found, ask):
            clause = ask.get("clause", _cite(entry))
            reasons.add(found, "field-missing", clause, {"field": name})


def _is_missing(found: Json, entry: Json, name: str) -> bool:
    """Whether nothing is entered. A count that found nothing at all is a count."""
    value = found["with"].get(name)
    nothing_found = value == [] and entry["specs"].get(name, {}).get("type") == "found"
    return value in (None, "", []) and not nothing_found


def _cite(entry: Json) -> Any:
    return entry["clause"][0] if entry["clause"] else None


def _named(group: Json) -> list[str]:
    return [code for code, _, _ in group["items"]]


def _field(found: Json, name: str, spec: Json) -> None:
    value = found["with"][name]
    if value is None:
        return
    clause = spec.get("clause")
    if not field_types.well_typed(spec["type"], value):
        reasons.add(found, "field-type", clause, {"field": name, "type": spec["type"]})
        return
    if spec.get("words") or spec.get("all"):
        _words(found, name, with_fields.words(value), spec, clause)
    if "is" in spec and value != spec["is"]:
        reasons.add(found, "field-must-be", clause, {"field": name, "must": spec["is"]})
    if "least" in spec:
        _least(found, name, value, spec, clause)


def _words(found: Json, name: str, told: list[Any], spec: Json, clause: Any) -> None:
    allowed = spec.get("words")
    if allowed and not spec.get("open"):
        wrong = [word for word in told if word not in allowed]
        if wrong:
            values = {"field": name, "found": wrong, "allowed": allowed}
            reasons.add(found, "field-word", clause, values)
    lacking = [word for word in spec.get("all", []) if word not in told]
    if lacking:
        reasons.add(found, "field-lacks", clause, {"field": name, "lacking": lacking})


def _least(found: Json, name: str, value: Any, spec: Json, clause: Any) -> None:
    values = {"field": name, "found": value, "least": spec["least"], "unit": spec.get("unit")}
    try:
        if amounts.micro(str(value)) < amounts.micro(str(spec["least"])):
            reasons.add(found, "field-least", clause, values)
    except amounts.AmountError:
        reasons.add(found, "field-type", clause, {"field": name, "type": "inches"})
