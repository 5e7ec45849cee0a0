"""Words by which a rulebook tells decks and sets apart: what they are and what happened to them."""

from . import tables, with_fields
from .shapes import Any, Json

# Removed for one of these, a deck or set is always inspected, whatever the sampling plan.
FORCED = ("tampering", "defect", "commission_request", "wrong_count", "lost_piece")
KINDS = ("cards", "tiles")
_BLANK: Json = {}


def of_item(value: Any) -> Json:
    """Return the marks of a deck or set: `plastic`, `rfid`, `shuffled`, `replacement`, `forced`,
    `wrapped`, `sent`.
    """
    if value is None:
        return _BLANK
    return {
        "plastic": _yes(value["attributes"].get("plastic")),
        "rfid": _yes(value["attributes"].get("rfid")),
        "shuffled": shuffled(value),
        "replacement": _yes(value.get("replacement")),
        "forced": _yes(forced(value)),
        "wrapped": _yes(value.get("wrapped")),
        "sent": _yes(value.get("vendor")),
        "handled": _yes(value.get("handled")),
    }


def key(value: Any) -> Any:
    """What tells decks and sets apart besides state and place: every word that `when` reads."""
    if value["kind"] not in KINDS:
        return None
    attributes, packed, hold = value["attributes"], value.get("packed"), value.get("hold")
    return (
        bool(attributes.get("plastic")),
        bool(attributes.get("rfid")),
        bool(value.get("handled")),
        bool(attributes.get("preshuffled")),
        bool(value.get("preshuffled")),
        bool(value.get("replacement")),
        bool(value.get("suspect")),
        bool(value.get("wrapped")),
        bool(value.get("vendor")),
        packed["purpose"] if packed else None,
        hold["by"] if hold else None,
        value.get("game"),
        value.get("released_by"),
    )


def standing(value: Json) -> Any:
    """Return the state by which the rulebook knows an item: what was found fit for nothing but its
    destruction lies at security still.
    """
    return "at_security" if value["state"] == "to_destroy" else value["state"]


def kind(value: Json) -> Any:
    """Return the kind by whose rules an item goes: that of the cards or tiles in an envelope."""
    only_parts = value.get("parts") and not value.get("contents")
    return value["kinds"][0] if only_parts else value["kind"]


def _yes(condition: Any) -> str:
    return "yes" if condition else "no"


def shuffled(value: Json) -> str:
    """`own` after the house inspected and shuffled it in a batch, `maker`, or `no`."""
    if value.get("preshuffled"):
        return "own"
    return "maker" if value["attributes"].get("preshuffled") else "no"


def forced(value: Json) -> bool:
    """Whether it must be inspected after play: suspect, or removed for what asks for a look."""
    reason = (value.get("removal") or {}).get("reason")
    return bool(value.get("suspect")) or reason in FORCED


def table(context: Json, value: Any, place: Any) -> Any:
    """`open` or `closed`, of the table that a step concerns; None where it concerns none."""
    found = next_table(context, place)
    return None if found is None else "open" if tables.is_open(found) else "closed"


def where_use(context: Json, value: Any, place: Any) -> Any:
    """What the store is for where it happens."""
    return (context["where"] or place or _BLANK).get("use")


def part(context: Json, value: Any, place: Any) -> str:
    """Whether only parts of what is named are meant."""
    return _yes(with_fields.part(context["with"]))


def site(context: Json, value: Any, place: Any) -> str:
    """`off` where it is done by a vendor, or away from the facility, else `on`."""
    where = context["where"] or place or _BLANK
    away = context["with"].get("vendor") or where.get("off_site") or where.get("type") == "vendor"
    return "off" if away else "on"


def next_table(context: Json, place: Any) -> Any:
    """The table that a step concerns: where it goes, where it happens, or where the items lie."""
    for candidate in (context["to"], context["where"], place):
        if candidate is not None and candidate["type"] == "table":
            return candidate
    return None


def room(games: list[str], context: Json, place: Any) -> str:
    """`poker` or `pit`: by the game, or by the store that is used."""
    if games:
        return "poker" if "poker" in games else "pit"
    stores = (context["to"], context["where"], place)
    used = any(store is not None and store.get("use") == "poker" for store in stores)
    return "poker" if used else "pit"


def instead(context: Json, value: Any, place: Any) -> Any:
    """Why a deck or set is brought to a table: the last one there was `unsuitable` or `damaged`."""
    to = context["to"]
    if context["step"] != "issue" or value is None or value["kind"] not in KINDS:
        return None
    if to is None or to["type"] != "table" or place is None or place["type"] != "pit_stand":
        return None
    here = context["facts"].at(context["to_id"]) + context["facts"].at(value["place"])
    others = [context["facts"].get("item", code) for code in here]
    others = [other for other in others if other is not None and other["kind"] == value["kind"]]
    if any(o["state"] == "in_play" and o["place"] == context["to_id"] for o in others):
        return None
    causes = [_cause(other, context["to_id"], context["day"]) for other in others]
    return max(causes)[2] if causes else None


def _cause(other: Json, table: str, day: str) -> Any:
    """Whether it lies there still, else when it was put aside (ms), and why: `None` last of all."""
    packed, removal = other.get("packed") or {}, other.get("removal") or {}
    if other.get("unfit") and other["state"] == "issued" and other["place"] == table:
        return (1, 0, "unsuitable")
    if packed.get("purpose") == "unsuitable" and packed["table"] == table and packed["day"] == day:
        return (0, packed["at"], "unsuitable")
    if removal.get("reason") == "damaged" and removal["place"] == table and removal["day"] == day:
        return (0, removal["at"], "damaged")
    return (-1, 0, None)


# The marks of a step, each of what is done, the item's value and its place.
OF_STEP: Json = {
    "table": table,
    "where_use": where_use,
    "part": part,
    "site": site,
    "instead": instead,
}
