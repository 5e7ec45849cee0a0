"""Between what people choose before there is a draft: kinds, their forms and games, sets for a
table.
"""

from . import days, tables
from .book import in_force, on
from .shapes import Any, Json

_FIRST = "dice"  # what most houses handle most often


def kinds(book: Json, step: str, now: int) -> list[Json]:
    """Return the kinds for which the rulebook has an entry of a step on the gaming day of an
    instant (UTC ms): `[{"kind", "forms": [...], "games": [...]}, ...]`, dice first.

    [] for a step that it asks for whatever the kind, and for one that it does not know. `games` are
    those that the kind serves.
    """
    day = days.gaming_day(book, now)
    book = on(book, day)
    entries = [one for one in book["steps"].get(step, []) if in_force(one, day)]
    tests = [test for entry in entries for test in entry["tests"] if test[0] == "kind"]
    named = sorted(dict.fromkeys([word for _, words in tests for word in words]))
    ordered = [kind for kind in named if kind == _FIRST] + [k for k in named if k != _FIRST]
    known = book["words"]["kinds"]
    return [
        {"kind": kind, "forms": known[kind]["forms"], "games": games(book, kind)}
        for kind in ordered
    ]


def games(book: Json, kind: str) -> list[str]:
    """Return the games that a kind serves: those for which the rulebook has limits, else all."""
    limits = book["limits"].get(kind, [])
    named = [game for limit in limits for game in limit["games"]]
    return [game for game in book["words"]["games"]["words"] if not named or game in named]


def made_for(value: Json, played: list[str]) -> bool:
    """Say whether an item was made for one of some games, or for no game in particular."""
    named = value["attributes"].get("games", [])
    return not named or any(game in named for game in played)


def fitting(facts: Any, codes: list[str], table: str) -> list[str]:
    """Return those of some items that were made for the game of a table as it is now, in order."""
    place = facts.get("place", table)
    if place is None:
        return []
    values = [(code, facts.get("item", code)) for code in codes]
    played = [tables.game_of(place)]
    return [code for code, value in values if value is not None and made_for(value, played)]
