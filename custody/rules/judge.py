"""Whether a step may be taken: every reason against it, each with its clause."""

from . import (
    codes_errors,
    conditions,
    context,
    field_types,
    lots,
    people,
    plausible,
    reasons,
    requirements,
    traits,
)
from .book import family, select
from .exception_kinds import UNKNOWN_CODE
from .shapes import Any, Json


def judge(book: Json, facts: Any, draft: Json, named: Any = None, framed: Any = None) -> Json:
    """Return `{"reasons": [...], "noted": [...]}`. No reasons mean that the step is allowed; what
    is noted refuses nothing and becomes an exception all the same.

    `named` is what `naming.read` says of the draft, and `framed` what `context.frame` does, where
    the caller has asked already. A step that is a fact (`with.fact`) is judged as any other: its
    reasons become exceptions.
    """
    if framed is None:
        wrong = field_types.illegible(field_types.of(book, draft), draft["with"])
        if wrong:
            return _only("field-type", {"field": wrong[0], "type": wrong[1]})
    try:
        found = context.of(book, facts, draft, named, framed)
    except codes_errors.CodeRangeError as error:
        return _only(error.code, error.values)
    book = found["book"]
    found["reasons"] = []
    found["noted"] = []
    if draft["step"] not in book["words"]["steps"]:
        reasons.add(found, "unknown-step", None, {"step": draft["step"]})
        return {"reasons": found["reasons"]}
    if found["day"] < book["in_force"]:
        reasons.add(
            found, "not-in-force", None, {"rulebook": book["id"], "since": book["in_force"]}
        )
        return {"reasons": found["reasons"]}
    plausible.check(found)
    _serials(found)
    for group in found["groups"]:
        _group(found, group)
    return {"reasons": found["reasons"], "noted": found["noted"]}


def _only(code: str, values: Json) -> Json:
    """The answer on a draft of which no more can be said."""
    told: Json = {"code": code, "clause": None, "values": values, "items": [], "who": []}
    return {"reasons": [told], "noted": []}


def _serials(found: Json) -> None:
    """Serials that no lot has, or that cannot be, under the clause of the step on such a lot."""
    problems = found["named"]["problems"]
    if not problems:
        return
    words = traits.of(found, context.lot_of(found), None)
    entry = select(found["book"], found["step"], words, found["day"]) or {}
    clause = (entry.get("clause") or [None])[0]
    told = {"reasons": found["noted"]} if entry.get("noted") else found
    for code, values in problems:
        items = [values[name] for name in ("first", "case") if name in values]
        raises = UNKNOWN_CODE if code == "serials-outside" else None
        reasons.add(told, code, clause, values, items, raises)


def _group(found: Json, group: Json) -> None:
    """Judge items that the rulebook cannot tell apart by the entry that fits them and by every
    rule.
    """
    parts = requirements.of(found["book"], found["step"], group["traits"], found["day"])
    if parts is None:
        _unforeseen(found, group)
        return
    check: Any = plausible.fields
    for part in parts:
        check(found, part["entry"], group)
        _needs(found, group, part)
        _signers(found, group, part)
        check = plausible.asked_besides


def _unforeseen(found: Json, group: Json) -> None:
    words = group["traits"]
    values = {
        "step": found["step"],
        "kind": words["kind"],
        "from": words["from"],
        "to": words["to"],
    }
    reasons.add(found, "not-foreseen", None, values, _codes(group))


def _needs(found: Json, group: Json, part: Json) -> None:
    for check, need in part["needs"]:
        values = check(found, group, need)
        if values is not None:
            _unmet(found, group, part["entry"], need, values)


def _unmet(found: Json, group: Json, entry: Json, need: Json, values: Json) -> None:
    code = need.get("code") or conditions.CODES[need["is"]]
    code = values.pop("code", code)
    items = values.pop("items", None) or _codes(group) or _lot(found)
    told = found
    if need.get("noted") or entry.get("noted"):
        told = {"reasons": found["noted"]}
    clause = values.pop("clause", None) or need.get("clause")
    reasons.add(told, code, clause, values, items, need.get("raises"))


def _lot(found: Json) -> list[str]:
    """The lot that comes into being with a step."""
    return found["codes"][:1] if found["draft"].get("kind") in lots.KINDS else []


def _signers(found: Json, group: Json, part: Json) -> None:
    """One reason for each slot that nobody fills."""
    slots = list(part["slots"])
    if not slots or requirements.signed(part, found["people"]):
        return
    values = [value for _, value, _ in group["items"]]
    games = family(found["book"], group["traits"]["game"])
    filled = people.fill(slots, found["people"], values, games)
    for number, slot in enumerate(slots):
        if filled[number] is None:
            _unsigned(found, group, slot, values, games)


def _unsigned(found: Json, group: Json, slot: Json, values: list[Any], games: list[str]) -> None:
    code = people.unfilled(slot, found["people"], values, games)
    told = {"need": slot["need"]}
    if code == "signer-barred":
        told["barred"] = people.relations(values, slot["bar"])
    who = people.able(slot, found["present"], values, games)
    reasons.add(found, code, slot.get("clause"), told, _codes(group), None, who)


def _codes(group: Json) -> list[str]:
    return [code for code, _, _ in group["items"]]
