"""Where things may go beside the site's places: the ends of custody, and people who carry them."""

from .shapes import Any, Json

ENDS = ("player", "drop", "destroyed", "lost")
PERSON = "person"


def place(facts: Any, code: str) -> Any:
    """Return a place's value. An end that the site has not described is a place of its own type,
    and a person whom something is issued to is one of type `person`.
    """
    found = facts.get("place", code)
    if found is None and code in ENDS:
        return {"type": code}
    if found is None and facts.get("person", code) is not None:
        return {"type": PERSON}
    return found


def moved(value: Json, event: Json) -> None:
    """Put an item at the place that an event names, or into the hands of whom it names; what goes
    to neither is carried by who performs the step.
    """
    if event["to_type"] == PERSON:
        value["place"], value["holder"] = None, event["to"]
    else:
        value["place"] = event["to"]
        value["holder"] = None if event["to_type"] else event["by"][0]


def in_hands(value: Any) -> bool:
    """Say whether an item was issued to a person, who has it wherever they are."""
    if value is None or value["place"] is not None:
        return False
    return value["state"] == "issued" and bool(value["holder"])
