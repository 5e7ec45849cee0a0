"""Samples that are drawn apart: decks that players handle, and those of the baccarat games."""

from . import failing
from .shapes import Any, Json

BACCARAT = ("baccarat", "mini_baccarat", "midi_baccarat")


def pool(value: Json) -> str:
    """The pool from which a deck is sampled: by the game that it was used for."""
    games = [value["game"]] if value.get("game") else value["attributes"].get("games", [])
    return "baccarat" if any(game in BACCARAT for game in games) else "handled"


def task_id(sample: Any) -> str:
    return "sample:" + str(sample)


def one_pool(found: Json, group: Json, need: Json) -> Any:
    """A sample has decks of one pool, and goes on with decks of the pool that it began with."""
    sample = found["with"].get("sample")
    if not sample:
        return None
    known = found["facts"].get("task", task_id(sample))
    first = known["pool"] if known else _first(found)
    return failing.of(group, lambda value: pool(value) != first)


def _first(found: Json) -> Any:
    decks = [value for _, value, _ in found["items"] if value["kind"] == "cards"]
    return pool(decks[0]) if decks else None


def record(facts: Any, event: Json) -> list[list[Any]]:
    """The pool of a sample is that of its first deck."""
    sample = event["with"].get("sample")
    decks = [facts.get("item", code) for code in event["codes"]]
    decks = [value for value in decks if value is not None and value["kind"] == "cards"]
    if not sample or not decks or facts.get("task", task_id(sample)) is not None:
        return []
    value = {"sample": sample, "pool": pool(decks[0]), "at": event["at"]}
    return [["task", task_id(sample), value]]


CHECKS: Json = {"one_pool": one_pool}

CODES = {"one_pool": "sample-mixed"}
