"""Containers of preshuffled batches: what left one for the table goes back into the same one."""

from . import failing
from .shapes import Any, Json


def original_container(found: Json, group: Json, need: Json) -> Any:
    """What came to the table in a container goes back into that one."""
    into = found["draft"].get("into")

    def other(value: Json) -> bool:
        return home(value) not in (None, into)

    wrong = [[code, value] for code, value, _ in group["items"] if other(value)]
    if not wrong:
        return None
    return {"items": [code for code, _ in wrong], "into": into, "must": home(wrong[0][1])}


def home(value: Json) -> Any:
    """The container of a preshuffled deck that was opened at a table, None for another deck."""
    packed = value.get("packed") or {}
    opened = (value.get("preshuffled") or {}).get("unsealed")
    return packed.get("into") if opened and packed.get("purpose") == "preshuffled" else None


def card_count(found: Json, group: Json, need: Json) -> Any:
    """A single deck has `cards` cards, and in a game that is played with jokers (`jokers`, and
    those that the control of that name adds) up to `most` of them more, at least one.
    """
    least = most = need["cards"]
    games = need["jokers"] + (found["book"]["controls"].get("jokers") or [])
    if any(game in games for game in group["traits"]["game"]):
        least, most = least + 1, least + need["most"]

    def wrong(value: Json) -> bool:
        cards = value["attributes"].get("cards", least)
        return value["form"] == "deck" and not least <= cards <= most

    failed = failing.codes(group, wrong)
    return {"items": failed, "least": least, "most": most} if failed else None


CHECKS: Json = {"original_container": original_container, "card_count": card_count}

CODES = {"original_container": "other-container", "card_count": "cards-miscounted"}
