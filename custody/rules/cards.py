"""Decks of cards: what makes one fit for a table, and the swap of a damaged card."""

from . import days, failing, lots, stock, with_fields
from .shapes import Any, Json


def batch_described(found: Json, group: Json, need: Json) -> Any:
    """What arrives as a sealed batch says how many decks it holds: attributes `fields`."""
    attributes = found["draft"].get("attributes") or {}
    wrong = [n for n in need["fields"] if not _stated(attributes.get(n))]
    return {"field": wrong} if wrong else None


def _stated(value: Any) -> bool:
    return value > 0 if isinstance(value, int) else isinstance(value, list) and len(value) > 0


def decks(values: list[Json]) -> int:
    """Return how many decks these items are."""
    return sum([stock.units(value).get("decks", 0) for value in values])


def whole_batch(found: Json, group: Json, need: Json) -> Any:
    """A sealed batch goes as a whole: `with.decks`, where given, is all of it."""
    named = found["with"].get("decks")

    def split(value: Json) -> bool:
        whole = value["form"] == "batch" and stock.units(value)["decks"]
        return bool(whole) and (with_fields.part(found["with"]) or named not in (None, whole))

    alone = len(found["items"]) == 1
    return failing.of(group, split) if alone else None


def decks_named(found: Json, group: Json, need: Json) -> Any:
    """The number of decks on the label is the number that goes in."""
    named = found["with"].get("decks")
    values = [value for _, value, _ in found["items"]]
    real = decks(values)
    batch = any(value["form"] == "batch" for value in values)
    sets = sum([lots.size(value) for value in values]) if batch else real
    return None if named in (None, real, sets) else {"found": named, "count": real}


def young(found: Json, group: Json, need: Json) -> Any:
    """It came into play for the first time less than `months` calendar months ago."""

    def old(value: Json) -> bool:
        first = value["times"].get("first_play")
        return first is not None and found["at"] > days.after_months(
            found["book"], first, need["months"]
        )

    failed = failing.codes(group, old)
    return {"items": failed, "months": need["months"]} if failed else None


def plastic(found: Json, group: Json, need: Json) -> Any:
    """It is of plastic, so far as its record says."""
    return failing.of(group, lambda v: v["attributes"].get("plastic") is False)


def whole_deck(found: Json, group: Json, need: Json) -> Any:
    """It is a full deck: no card went out of it, and it is no replacement deck."""
    return failing.of(group, lambda v: v.get("replacement") or v.get("short"))


def replacement(found: Json, group: Json, need: Json) -> Any:
    """Cards were taken out of it to replace damaged ones."""
    return failing.of(group, lambda v: not v.get("replacement"))


def wrapped(found: Json, group: Json, need: Json) -> Any:
    """Its own seal is whole: nobody inspected, opened or used it."""
    return failing.of(group, lambda v: not v.get("wrapped"))


def fit(found: Json, group: Json, need: Json) -> Any:
    """It did not fail its inspection before play, or the card that was wrong was replaced."""
    return failing.of(group, lambda v: v.get("unfit"))


def checks(found: Json, group: Json, need: Json) -> Any:
    """The inspection covered `all` of these, and one of `some` (or used `or`, a field)."""
    if not found["with"].get("checks") and not found["with"].get(need.get("or")):
        return {"code": "field-missing", "field": "checks"}
    done = with_fields.words(found["with"].get("checks") or [])
    lacking = [word for word in need.get("all", []) if word not in done]
    some = need.get("some", [])
    if some and not any(word in done for word in some) and not found["with"].get(need.get("or")):
        lacking = lacking + some[:1]
    return {"field": "checks", "lacking": lacking} if lacking else None


def checked_or_shuffled(found: Json, group: Json, need: Json) -> Any:
    """It passed the dealer's inspection at the table, or was shuffled before and came sealed."""
    makers = found["book"]["controls"].get("preshuffled_makers") == "approved"

    def unseen(value: Json) -> bool:
        done = value.get("inspection")
        if done is not None and done["result"] == "pass" and done["type"] == "table":
            return False
        own = value.get("preshuffled") or {}
        maker = value["attributes"].get("preshuffled") and value.get("wrapped") and makers
        return not (own.get("unsealed") or maker)

    return failing.of(group, unseen)


def told(found: Json, group: Json, need: Json) -> Any:
    """Somebody was told: yes, or when and whom, not later than the step."""
    value = found["with"].get(need["field"])
    late = (
        isinstance(value, dict) and isinstance(value.get("at"), int) and value["at"] > found["at"]
    )
    return {"field": need["field"]} if value is False or late else None


def spare_deck(found: Json, group: Json, need: Json) -> Any:
    """The deck that gives the card lies in the pit's reserve, has the card, and the same back."""
    code = found["with"].get("from")
    if not code:
        return None
    spare = found["facts"].get("item", code)
    if spare is None or code in found["codes"]:
        return {"from": code}
    place = found["facts"].get("place", spare["place"] or "")
    ready = spare["kind"] == "cards" and spare["state"] == "reserve" and spare["in"] is None
    gone = found["with"].get("card") in (spare.get("replacement") or {}).get("missing", [])
    if not ready or place is None or place["type"] != "pit_stand" or gone or spare.get("suspect"):
        return {"from": code}
    back = spare["attributes"].get("back")
    backs = [v["attributes"].get("back") for _, v, _ in group["items"]]
    return {"from": code} if any(b not in (None, back) for b in backs) and back else None


CHECKS: Json = {
    "batch_described": batch_described,
    "whole_batch": whole_batch,
    "decks_named": decks_named,
    "young": young,
    "plastic": plastic,
    "whole_deck": whole_deck,
    "replacement": replacement,
    "wrapped": wrapped,
    "fit": fit,
    "checks": checks,
    "checked_or_shuffled": checked_or_shuffled,
    "told": told,
    "spare_deck": spare_deck,
}

CODES = {
    "batch_described": "attribute-missing",
    "whole_batch": "batch-split",
    "decks_named": "decks-differ",
    "young": "deck-too-old",
    "plastic": "not-plastic",
    "whole_deck": "deck-not-whole",
    "replacement": "no-replacement-deck",
    "wrapped": "seal-broken-before",
    "fit": "found-unsuitable",
    "checks": "checks-lacking",
    "checked_or_shuffled": "not-inspected",
    "told": "not-told",
    "spare_deck": "spare-unfit",
}


def swapped(value: Json, event: Json, role: str) -> None:
    """A card goes from a replacement deck into a deck; in play, the damaged one goes back."""
    card = event["with"].get("card")
    if role == "item":
        value["swaps"] = with_fields.added(
            value.get("swaps"), {"card": card, "at": event["at"], "by": event["by"]}
        )
        value["unfit"] = False
        _complete(value, card)
        return
    old = value.get("replacement") or {"missing": [], "damaged": []}
    torn = [card] if event["swap_in_play"] else []
    value["replacement"] = {
        "missing": with_fields.added(old["missing"], card),
        "damaged": old["damaged"] + torn,
    }
    value["wrapped"] = False
    value["inspection"] = None
    value["times"].setdefault("replacement", event["at"])


def _complete(value: Json, card: Any) -> None:
    """The new card fills the place of one that went out, or waits for it to go."""
    if card in value.get("short", []):
        value["short"] = [name for name in value["short"] if name != card]
    else:
        value["extra"] = with_fields.added(value.get("extra"), card)
