"""What can be done now with an item, an envelope or at a table: steps with verdicts and drafts."""

from . import conditions, context, days, forms, judge, traits
from .book import holds, on, select
from .shapes import Any, Json

# Reasons that filling in the form, or one more signature, takes away: they refuse nothing yet.
_OPEN = ("field-missing", "nobody-signs", "items-missing")
# Steps that are about the record: offered for anything.
_RECORD = ("notify", "correct", "report")
_CREATED_ELSEWHERE = ("administer", "requisition")


def steps(book: Json, facts: Any, code_or_place: str, by: list[str], now: int) -> list[Json]:
    """Return the steps for what was scanned, those that are allowed first.

    Each is `{"step", "verdict", "near", "reasons", "needs", "draft", "to", "where"}`. `verdict`
    is `ok`
    or `refused`; `reasons` are those that no further entry or signature takes away; `near` tells a
    step that only they stop from one that belongs to another state. `needs` are the signatures
    still missing, with `who` of those in `by` could give them. `draft` is ready for `form`; `to`
    and `where` list the places where it could go or be done, [] where that is not asked. A table
    stands for the set in play there, else for what lies there; a place without items of its own
    for what is done at the place. What the rulebook does not foresee here is left out.
    """
    book = on(book, days.gaming_day(book, now))
    subject = _subject(facts, code_or_place)
    found = []
    for step in book["words"]["step_order"]:
        if _offered(book, step, subject):
            for draft in _drafts(book, facts, step, subject, by, now):
                option = _option(book, facts, draft)
                if option is not None:
                    found.append(option)
    return _sorted(found)


def _subject(facts: Any, code_or_place: str) -> Json:
    """The items that a scan stands for, their place, and what kind of thing was scanned."""
    place = facts.get("place", code_or_place)
    if place is None:
        value = facts.get("item", code_or_place)
        here = value["place"] if value else None
        table = facts.get("place", here) if here else None
        kind = table["type"] if table else None
        return {"items": [code_or_place], "place": here, "type": kind, "scanned": "item"}
    items: list[str] = []
    if place["type"] == "table":
        lying = [facts.get("item", code) for code in facts.at(code_or_place)]
        playing = [value["code"] for value in lying if value["state"] == "in_play"]
        items = playing or [value["code"] for value in lying if value["in"] is None]
    scanned = place["type"]
    return {"items": items, "place": code_or_place, "type": scanned, "scanned": scanned}


def _offered(book: Json, step: str, subject: Json) -> bool:
    words = book["words"]["steps"][step]
    if words.get("creates") or step in _CREATED_ELSEWHERE or not book["steps"].get(step):
        return False
    if words.get("items"):
        return bool(subject["items"])
    if step == "notify":
        return True
    if step == "table":
        return bool(subject["scanned"] == "table")
    return bool(subject["scanned"] != "item")


def _drafts(
    book: Json, facts: Any, step: str, subject: Json, by: list[str], now: int
) -> list[Json]:
    """One draft for each destination type, purpose or moment that the rulebook tells apart."""
    words = book["words"]["steps"][step]
    draft: Json = {"step": step, "by": by, "present": by, "at": now, "to": None, "where": None}
    named = words.get("items") or words.get("reaches")
    draft["items"] = subject["items"] if named else []
    places = _places(book, facts, step, "where", subject)
    draft["where"] = places[0] if places else None
    drafts = []
    for fields in _choices(book, facts, step, subject):
        for kind in _types(book, step, "to") if "to" in words.get("requires", []) else [None]:
            targets = (
                [place for place in facts.places(kind) if place != subject["place"]] if kind else []
            )
            if kind is None or targets:
                made = dict(draft, to=targets[0] if targets else None)
                made["with"] = fields
                drafts.append({"draft": made, "to": targets, "where": places})
    return drafts


def _places(book: Json, facts: Any, step: str, role: str, subject: Json) -> list[str]:
    """Where a step can be done: here if here is such a place, else the places of the type it
    needs.
    """
    words = book["words"]["steps"][step]
    if role not in words.get("requires", []) and not words.get("elsewhere"):
        return []
    kinds = _types(book, step, role)
    if not kinds:
        return [subject["place"]] if subject["place"] else []
    if subject["type"] in kinds:
        return [subject["place"]]
    return [place for kind in kinds for place in facts.places(kind)]


def _types(book: Json, step: str, role: str) -> list[Any]:
    """The types of place that entries of a step name for a role, sorted."""
    kinds: Json = {}
    for entry in book["steps"][step]:
        if not any(need["is"] == "never" for need in entry["needs"]):
            for trait, wanted in entry["tests"]:
                if trait == role:
                    kinds.update(wanted)
        for need in entry["needs"]:
            if need["is"] == role:
                kinds.update(dict.fromkeys(need.get("types", []), True))
    return sorted(kinds)


def _choices(book: Json, facts: Any, step: str, subject: Json) -> list[Json]:
    """The fields by which entries of a step differ, as drafts of `with`: `{"when":
    "end_of_day"}`.
    """
    if step == "resolve":
        kinds = [entry for code in subject["items"] for entry in facts.open(code)]
        return [{"exception": key} for key, _, _ in kinds]
    for field, trait in traits.CHOICES:
        told = forms.choices(book, step, field, trait)
        if told:
            return [{field: word} for word in told]
    return [{}]


def _option(book: Json, facts: Any, made: Json) -> Any:
    draft = made["draft"]
    far = _elsewhere(book, facts, draft)
    reasons = [far] if far else judge.judge(book, facts, draft)["reasons"]
    if any(reason["code"] == "not-foreseen" for reason in reasons):
        return None
    signing = [r for r in reasons if r["code"][:6] == "signer"]
    hard = [r for r in reasons if r["code"] not in _OPEN and r["code"][:6] != "signer"]
    return {
        "step": draft["step"],
        "verdict": "refused" if hard else "ok",
        "near": not far,
        "reasons": hard,
        "needs": signing,
        "draft": draft,
        "to": made["to"],
        "where": made["where"],
    }


def _elsewhere(book: Json, facts: Any, draft: Json) -> Any:
    """The one reason that an item in the wrong state needs, found without judging the rest."""
    found = context.of(book, facts, draft)
    for group in found["groups"]:
        entry = select(book, draft["step"], group["traits"], found["day"])
        for need in entry["needs"] if entry else []:
            if need["is"] == "state" and holds(need["tests"], group["traits"]):
                values = conditions.CHECKS["state"](found, group, need)
                if values is not None:
                    code = conditions.CODES["state"]
                    items = [item for item, _, _ in group["items"]]
                    clause = need.get("clause")
                    return {
                        "code": code,
                        "clause": clause,
                        "values": values,
                        "who": [],
                        "items": items,
                    }
    return None


def _sorted(found: list[Json]) -> list[Json]:
    """What is allowed first, then what is refused here, then one draft of each step that is for
    another state.
    """
    allowed = [option for option in found if option["verdict"] == "ok"]
    near = [option for option in found if option["verdict"] != "ok" and option["near"]]
    known = [option["step"] for option in allowed + near]
    ordered = [option for option in allowed if option["step"] not in _RECORD]
    ordered += [option for option in allowed if option["step"] in _RECORD] + near
    for option in found:
        if not option["near"] and option["step"] not in known:
            known.append(option["step"])
            ordered.append(option)
    return ordered
