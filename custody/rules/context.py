"""A draft seen with what is known: its codes, places and people, and its items in groups alike.

A *group* is items that the rulebook cannot tell apart: same kind, state, place, envelope and use.
Its *traits* are the words that `when` in a rulebook selects by.
"""

from . import coupons, days, ends, lots, marks, naming, people, preshuffle
from .book import on
from .shapes import Any, Json
from .tables import game_of


def of(book: Json, facts: Any, draft: Json, named: Any = None) -> Json:
    """Return the context of a draft; `named` is what `naming.read` says of it, where it was asked.

    Raises codes_errors.CodeRangeError for a run that is none.
    """
    fields = draft.get("with") or {}
    at = effective(draft)
    signers = people.ids(draft)
    if named is None:
        named = naming.read(facts, draft)
        facts = named["facts"]
    day = days.gaming_day(book, at)
    book = on(book, day)
    context: Json = {
        "book": book,
        "facts": facts,
        "draft": draft,
        "step": draft["step"],
        "with": fields,
        "at": at,
        "day": day,
        "codes": named["codes"],
        "named": named,
        "ids": signers,
        "people": people.known(facts, signers),
        "present": people.known(facts, draft.get("present") or []),
        "unknown": [],
        "items": [],
    }
    for role in ("to", "from", "where"):
        context[role + "_id"] = draft.get(role)
        context[role] = ends.place(facts, draft[role]) if draft.get(role) else None
    context["into"] = facts.get("item", draft["into"]) if draft.get("into") else None
    if draft["step"] in book["free"]:
        for person in context["people"] + context["present"]:
            person["busy"] = preshuffle.busy(facts, person)
    _items(context)
    context["groups"] = _groups(context)
    return context


def effective(draft: Json) -> int:
    """Return when it happened: a fact's own time, else the time of the record."""
    fact = (draft.get("with") or {}).get("fact")
    if isinstance(fact, dict) and isinstance(fact.get("at"), int):
        return int(fact["at"])
    return int(draft["at"])


def _items(context: Json) -> None:
    """Fill `items` with `[code, value, envelope]`: what is named, and what is inside of what is
    named.
    """
    seen: Json = {}
    for code in context["codes"]:
        if code in seen:
            continue
        seen[code] = True
        value = context["facts"].get("item", code)
        if value is None:
            context["unknown"].append(code)
        else:
            whole = value if value.get("parts") and value.get("sealed") else None
            context["items"].append([code, value, whole])
            _contents(context, value, seen)


def _contents(context: Json, envelope: Json, seen: Json) -> None:
    for code in envelope.get("contents", []):
        value = context["facts"].get("item", code)
        if value is not None and code not in seen:
            seen[code] = True
            context["items"].append([code, value, envelope])
            _contents(context, value, seen)


def _groups(context: Json) -> list[Json]:
    words = context["book"]["words"]["steps"].get(context["step"], {})
    if words.get("creates"):
        return [{"items": [], "traits": traits(context, None, None)}]
    groups: Json = {}
    ordered: list[Json] = []
    full = [code for code, value, _ in context["items"] if value.get("contents")]
    for code, value, envelope in context["items"]:
        if code in full:
            continue
        key = _alike(value, envelope)
        group = groups.get(key)
        if group is None:
            group = {"items": [], "traits": traits(context, value, envelope)}
            groups[key] = group
            ordered.append(group)
        group["items"].append([code, value, envelope])
    if not ordered and not context["unknown"] and not context["named"]["problems"]:
        ordered.append({"items": [], "traits": traits(context, None, None)})
    return ordered


def _alike(value: Json, envelope: Any) -> Any:
    attributes = value["attributes"]
    return (
        value["kind"],
        value["form"],
        value["state"],
        value["place"],
        value["in"],
        envelope["code"] if envelope else None,
        (value.get("removal") or {}).get("reason"),
        attributes.get("size"),
        "/".join(attributes.get("games", [])),
        marks.key(value),
        lots.key(value),
    )


def lot_of(context: Json) -> Any:
    """Return the value of the lot, or the range, that a draft names first; None for none."""
    for text in context["draft"].get("items") or []:
        value = lots.value_of(context["facts"], text.partition("..")[0])
        if value is not None:
            return value
    return None


def traits(context: Json, value: Any, envelope: Any) -> Json:
    """Return the words by which a rulebook's `when` selects. A trait that does not apply is absent
    or None.
    """
    fields, draft = context["with"], context["draft"]
    place = _place(context, value["place"] if value else None)
    found: Json = {
        "kind": value["kind"] if value else draft.get("kind"),
        "form": value["form"] if value else draft.get("form"),
        "state": value["state"] if value else None,
        "from": _word(place, "type"),
        "from_use": _word(place, "use"),
        "to": _word(context["to"], "type"),
        "to_use": _word(context["to"], "use"),
        "where": _word(context["where"] or place, "type"),
        "game": games(context, value, place),
        "inside": inside(value, envelope),
        "ready": ready(value),
        "removed_for": ((value or {}).get("removal") or {}).get("reason"),
        "purpose": fields.get("purpose") or purpose(value, envelope),
        "hold": ((value or {}).get("hold") or {}).get("by"),
    }
    if value and value.get("parts") and not value.get("contents"):
        found["kind"] = value["kinds"][0]
    found.update(marks.of_item(value))
    found.update(coupons.marks(context, value))
    found.update(marks.of_step(context, value, place, found["game"]))
    for trait, field in _FIELDS:
        found[trait] = fields.get(field)
    return found


# The fields of `with` by which entries of a step differ most, and their traits.
CHOICES = (("when", "look"), ("purpose", "purpose"), ("state", "opens"))

# Trait and the field of `with` that it is read from.
_FIELDS = (
    ("reason", "reason"),
    ("vessel", "vessel"),
    ("look", "when"),
    ("result", "result"),
    ("method", "method"),
    ("seals", "seals"),
    ("report", "form"),
    ("opens", "state"),
)


def inside(value: Any, envelope: Any) -> str:
    """`carried` in an envelope that is named, `hidden` in one that is not, `loose` in none."""
    if envelope is not None:
        return "carried"
    return "hidden" if value and value["in"] else "loose"


def ready(value: Any) -> str:
    """`preinspected` while it stayed sealed since, `inspected`, or `no`."""
    if value is None or not value.get("inspection"):
        return "no"
    return "preinspected" if value.get("preinspected") else "inspected"


def purpose(value: Any, envelope: Any) -> Any:
    """What the envelope of an item is for: of the one it is in, or the last that it was in."""
    if envelope is not None:
        return envelope.get("purpose")
    if value is None:
        return None
    return value.get("purpose") or (value.get("packed") or {}).get("purpose")


def games(context: Json, value: Any, place: Any) -> list[str]:
    """The game of the table where it happens; away from tables, the games that the item may
    serve.
    """
    for table in (context["where"], context["to"], place):
        if table is not None and table["type"] == "table":
            return [game_of(table)]
    named = context["with"].get("table") or (value or {}).get("table")
    table = context["facts"].get("place", named) if named else None
    if table is not None and table["type"] == "table":
        return [game_of(table)]
    if value and value.get("game"):
        return [value["game"]]
    source = value["attributes"] if value else (context["draft"].get("attributes") or {})
    return list(source.get("games", []))


def _place(context: Json, place: Any) -> Any:
    return ends.place(context["facts"], place) if place else None


def _word(place: Any, key: str) -> Any:
    return place.get(key) if place else None
