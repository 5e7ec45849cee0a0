"""Visually distinguishable backings of the decks of a game: how many are in circulation on a gaming
day, asked once a day, as its first table opens.
"""

from . import after_play, days, tables
from .shapes import Any, Json

OUT = ("issued", "reserve", "in_play")
# Taken out of use, and not collected yet: used on that day.
USED = ("removed", "sealed")


def backings(found: Json, group: Json, need: Json) -> Any:
    """As the first table of `game` opens on a gaming day, decks with `least` different backings lie
    in the pits and at the tables of the game. A deck of which no backing is known has none.
    """
    table = found["where"]
    if table is None or found["with"].get("state") == "closed" or table["type"] != "table":
        return None
    game = found["with"].get("game") or tables.game_of(table)
    if game != need["game"] or _opened_before(found, game):
        return None
    backs = in_circulation(found["facts"], game, found["day"], found["where_id"])
    if len(backs) >= need["least"]:
        return None
    return {"found": len(backs), "count": need["least"], "game": game, "backs": backs}


def in_circulation(facts: Any, game: str, day: str, table: Any) -> list[str]:
    """Return the backings of the decks of a game that were brought out of the store for a gaming
    day, sorted; `table` is one that is about to have the game.
    """
    places = facts.places("pit_stand") + [code for code, _ in _tables(facts, game)]
    places.append(table)
    backs: Json = {}
    for place in sorted(dict.fromkeys(places)):
        for code in facts.at(place):
            back = _back(facts.get("item", code), game, day)
            if back:
                backs[back] = True
    return sorted(backs)


def _back(value: Any, game: str, day: str) -> Any:
    if value is None or value["kind"] != "cards" or not _is_out(value, day):
        return None
    return value["attributes"].get("back") if game in value["attributes"].get("games", []) else None


def _is_out(value: Json, day: str) -> bool:
    return value["state"] in OUT or (value["state"] in USED and after_play.used_on(value) == day)


def _tables(facts: Any, game: str) -> list[list[Any]]:
    known = [[code, facts.get("place", code)] for code in facts.places("table")]
    return [[code, one] for code, one in known if one is not None and tables.game_of(one) == game]


def _opened_before(found: Json, game: str) -> bool:
    """Whether another table of the game was opened on this gaming day and is open."""
    for code, one in _tables(found["facts"], game):
        part = one.get("table")
        if code == found["where_id"] or not part or part["state"] != "open":
            continue
        if days.gaming_day(found["book"], part["at"]) == found["day"]:
            return True
    return False


CHECKS: Json = {"backings": backings}

CODES = {"backings": "backings-few"}
