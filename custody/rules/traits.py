"""The words by which a rulebook's `when` selects: what an item is, where it is, where it goes."""

from . import coupons, ends, lots, marks
from .shapes import Any, Json
from .tables import game_of


def of(context: Json, value: Any, envelope: Any) -> Json:
    """Return the words by which a rulebook's `when` selects. A trait that does not apply is absent
    or None.
    """
    fields, draft = context["with"], context["draft"]
    place = ends.place(context["facts"], value["place"]) if value and value["place"] else None
    to, where = context["to"], context["where"] or place
    found: Json = {
        "kind": marks.kind(value) if value else draft.get("kind"),
        "form": value["form"] if value else draft.get("form"),
        "state": marks.standing(value) if value else None,
        "from": place["type"] if place else ends.PERSON if ends.in_hands(value) else None,
        "from_use": place.get("use") if place else None,
        "to": to["type"] if to else None,
        "to_use": to.get("use") if to else None,
        "where": where["type"] if where else None,
        "game": games(context, value, place),
        "inside": inside(value, envelope),
        "purpose": fields.get("purpose") or purpose(value, envelope),
    }
    _asked(context, value, place, found)
    kind = value["kind"] if value else draft.get("kind")
    if kind in marks.KINDS:
        found.update(marks.of_item(value))
    elif kind in lots.KINDS:
        found.update(coupons.marks(context, value))
    return found


def _asked(context: Json, value: Any, place: Any, found: Json) -> None:
    """Add the words that only some steps are chosen by, where the rulebook does so."""
    book, step, fields = context["book"], context["step"], context["with"]
    asked = book["selects"].get(step, _NONE)
    if "ready" in asked:
        found["ready"] = ready(value)
    if "removed_for" in asked:
        found["removed_for"] = _of(value, "removal", "reason")
    if "hold" in asked:
        found["hold"] = _of(value, "hold", "by")
    for word, field in book["tells"].get(step, ()):
        found[word] = fields.get(field)
    if "room" in asked:
        found["room"] = marks.room(found["game"], context, place)
    for word in book["marked"].get(step, ()):
        found[word] = marks.OF_STEP[word](context, value, place)


_NONE: Json = {}

# The fields of `with` by which entries of a step differ most, and their traits.
CHOICES = (("when", "look"), ("purpose", "purpose"), ("state", "opens"))


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


def _of(value: Any, part: str, key: str) -> Any:
    """A word of a part of an item, None where it has no such part."""
    found = value.get(part) if value else None
    return found.get(key) if found else None
