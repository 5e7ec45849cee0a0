"""The words by which a rulebook's `when` selects: what an item is, where it is, where it goes."""

from . import coupons, ends, marks
from .shapes import Any, Json
from .tables import game_of


def of(context: Json, value: Any, envelope: Any) -> Json:
    """Return the words by which a rulebook's `when` selects. A trait that does not apply is absent
    or None.
    """
    fields, draft = context["with"], context["draft"]
    place = _place(context, value["place"] if value else None)
    found: Json = {
        "kind": marks.kind(value) if value else draft.get("kind"),
        "form": value["form"] if value else draft.get("form"),
        "state": marks.standing(value) if value else None,
        "from": _word(place, "type") or (ends.PERSON if ends.in_hands(value) else None),
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
