"""What can be done now with an item, an envelope or at a table: each step with its verdict and a
draft.
"""

from . import judge
from .shapes import Any, Json

# Reasons that filling in the form, or one more signature, takes away: they do not make a step
# refused.
_OPEN = ("field-missing", "nobody-signs", "items-missing")


def steps(book: Json, facts: Any, code_or_place: str, by: list[str], now: int) -> list[Json]:
    """Return `{"step", "verdict", "reasons", "needs", "draft", "to"}` for each step that exists
    here.

    `verdict` is `ok` or `refused`; `reasons` are those that no further entry or signature takes
    away;
    `needs` the signatures still missing, with `who` of those in `by` could give them; `draft` is
    ready
    for `form`; `to` lists where it could go, [] where the step moves nothing. A table stands for
    the
    set in play there, else for what lies there. Steps that the rulebook does not foresee here are
    left out.
    """
    subject = _subject(facts, code_or_place)
    found = []
    for step in book["words"]["step_order"]:
        words = book["words"]["steps"][step]
        if words.get("creates") or step == "administer" or not book["steps"].get(step):
            continue
        for draft in _drafts(book, facts, step, words, subject, by, now):
            option = _option(book, facts, draft)
            if option is not None:
                found.append(option)
    return _best(found)


def _subject(facts: Any, code_or_place: str) -> Json:
    """The items that a scan stands for, and the place where they are."""
    place = facts.get("place", code_or_place)
    if place is None:
        value = facts.get("item", code_or_place)
        here = value["place"] if value else None
        return {"items": [code_or_place], "place": here, "scanned": "item"}
    items = []
    if place["type"] == "table":
        values = [facts.get("item", code) for code in facts.at(code_or_place)]
        playing = [v["code"] for v in values if v["state"] == "in_play"]
        items = playing or [v["code"] for v in values if v["in"] is None]
    return {"items": items, "place": code_or_place, "scanned": place["type"]}


def _drafts(
    book: Json, facts: Any, step: str, words: Json, subject: Json, by: list[str], now: int
) -> list[Json]:
    """One draft for each destination type, purpose or moment that the rulebook tells apart."""
    draft: Json = {
        "step": step,
        "items": subject["items"] if words.get("items") or words.get("reaches") else [],
        "by": by,
        "present": by,
        "at": now,
        "with": {},
        "where": subject["place"] if "where" in words.get("requires", []) else None,
    }
    if words.get("items") and not draft["items"]:
        return []
    drafts = []
    for fields in _choices(book, step):
        for kind in _targets(book, step, words):
            places = facts.places(kind) if kind else []
            if kind is None or places:
                choice = dict(draft, to=places[0] if kind else None, options=places)
                choice["with"] = fields
                drafts.append(choice)
    return drafts


def _targets(book: Json, step: str, words: Json) -> list[Any]:
    if "to" not in words.get("requires", []):
        return [None]
    kinds: Json = {}
    for entry in book["steps"][step]:
        for trait, wanted in entry["tests"]:
            if trait == "to":
                kinds.update(wanted)
        for need in entry["needs"]:
            if need["is"] == "to":
                kinds.update(dict.fromkeys(need.get("types", []), True))
    return sorted(kinds)


def _choices(book: Json, step: str) -> list[Json]:
    """The fields by which entries of a step differ, as drafts of `with`: `{"when":
    "end_of_day"}`.
    """
    found: list[Json] = []
    for trait, field in (("look", "when"), ("purpose", "purpose"), ("opens", "state")):
        if field in book["words"]["steps"][step]["fields"]:
            words = book["words"]["steps"][step]["fields"][field].get("words", [])
            told = [
                w for w in words if any(_tells(entry, trait, w) for entry in book["steps"][step])
            ]
            found.extend([{field: word} for word in told])
    return found or [{}]


def _tells(entry: Json, trait: str, word: str) -> bool:
    return any(name == trait and word in wanted for name, wanted in entry["tests"])


def _option(book: Json, facts: Any, draft: Json) -> Any:
    options = draft.pop("options")
    reasons = judge.judge(book, facts, draft)["reasons"]
    if any(reason["code"] == "not-foreseen" for reason in reasons):
        return None
    needs = [r for r in reasons if r["code"][:6] == "signer" and r["code"] != "signer-barred"]
    barred = [r for r in reasons if r["code"] == "signer-barred"]
    hard = [r for r in reasons if r["code"] not in _OPEN and r["code"][:6] != "signer"]
    return {
        "step": draft["step"],
        "verdict": "refused" if hard else "ok",
        "reasons": hard + barred,
        "needs": needs + barred,
        "draft": draft,
        "to": options,
    }


def _best(found: list[Json]) -> list[Json]:
    """Steps that are allowed first; of a refused step only the draft with the fewest reasons."""
    allowed = [option for option in found if option["verdict"] == "ok"]
    steps_allowed = [option["step"] for option in allowed]
    refused: Json = {}
    for option in found:
        if option["verdict"] == "ok" or option["step"] in steps_allowed:
            continue
        best = refused.get(option["step"])
        if best is None or len(option["reasons"]) < len(best["reasons"]):
            refused[option["step"]] = option
    return allowed + [refused[step] for step in sorted(refused)]
