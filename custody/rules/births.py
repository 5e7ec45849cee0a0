"""The value of an item that comes into being with an event, or of an envelope."""

from . import cases, lots, serial_effects, tiles
from .shapes import Any, Json


def created(event: Json, code: str) -> Json:
    """Return the value of an item that comes into being with an event. Raises ValueError for an
    attribute that no rule can read.
    """
    if lots.comes(event) and code != event["lot"]:
        return serial_effects.created(event, code)
    attributes = event["attributes"]
    wrong = misshapen(attributes)
    if wrong is not None:
        raise ValueError(wrong)
    value: Json = {
        "code": code,
        "kind": event["kind"],
        "form": event["form"],
        "attributes": attributes,
        "state": None,
        "place": None,
        "in": None,
        "holder": None,
        "pieces": _pieces(event["kind"], attributes),
        "times": {},
    }
    if code in event["cases"] or cases.home(event["cases"], code):
        cases.begin(value, event["cases"], code)
    if lots.comes(event):
        value["serials"] = [attributes.get("first"), attributes.get("last")]
    return value


# Attributes that count pieces.
COUNTED = ("size", "dice_left", "decks", "cards", "tiles")


def counts(value: Any) -> bool:
    """Whether an attribute counts pieces: a whole number, at least 1, or its digits."""
    if isinstance(value, str):
        return 0 < len(value) < 10 and all(c in "0123456789" for c in value) and int(value) > 0
    return isinstance(value, int) and value is not True and value > 0


# Attributes that are lists of names, and those that may be; any other one is a single value.
LISTED = ("games", "missing")
MAY_BE_LISTED = ("games", "missing", "restrictions")


def misshapen(attributes: Json) -> Any:
    """Return the name of the first attribute that no rule can read, None where there is none."""
    for name in attributes:
        value = attributes[name]
        if isinstance(value, list):
            fits = name in MAY_BE_LISTED and all(isinstance(one, str) for one in value)
        else:
            fits = name not in LISTED and not isinstance(value, dict)
        if not fits:
            return name
    return None


def _pieces(kind: Any, attributes: Json) -> int:
    """Dice of a stick, cards of a deck or batch, tiles of a set. Raises ValueError."""
    if kind == "cards":
        return _count(attributes, "decks", 1) * _count(attributes, "cards", 52)
    if kind == "tiles":
        return _count(attributes, "tiles", tiles.WHOLE)
    return _count(attributes, "dice_left", _count(attributes, "size", 1))


def _count(attributes: Json, name: str, default: int) -> int:
    value = attributes.get(name, default)
    if not counts(value):
        raise ValueError(name)
    return int(value)


def envelope(event: Json, code: str) -> Json:
    """Return the value of an envelope that nothing was packed into yet."""
    value = created(dict(event, kind="envelope", form="envelope", attributes={}), code)
    value.update({"contents": [], "kinds": [], "seals": [], "purpose": None, "seal": None})
    value.update({"label": False, "sealed": False})
    value["pieces"] = 0
    return value
