"""The value of an item that comes into being with an event, or of an envelope."""

from . import cases, lots, serial_effects, tiles
from .shapes import Any, Json


def created(event: Json, code: str) -> Json:
    """Return the value of an item that comes into being with an event."""
    if lots.comes(event) and code != event["lot"]:
        return serial_effects.created(event, code)
    attributes = event["attributes"]
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


def _pieces(kind: Any, attributes: Json) -> int:
    """Dice of a stick, cards of a deck or batch, tiles of a set."""
    if kind == "cards":
        return int(attributes.get("decks", 1)) * int(attributes.get("cards", 52))
    if kind == "tiles":
        return int(attributes.get("tiles", tiles.WHOLE))
    for name in ("dice_left", "size"):
        if name in attributes:
            return int(attributes[name])
    return 1


def envelope(event: Json, code: str) -> Json:
    """Return the value of an envelope that nothing was packed into yet."""
    value = created(dict(event, kind="envelope", form="envelope", attributes={}), code)
    value.update({"contents": [], "kinds": [], "seals": [], "purpose": None, "seal": None})
    value.update({"label": False, "sealed": False})
    value["pieces"] = 0
    return value
