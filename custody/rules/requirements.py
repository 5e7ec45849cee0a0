"""What a rulebook asks of a step on things with certain words: found once, then looked up.

A shift is thousands of events alike: the same step on the same kind, state and place. So each book
keeps, by step, what it answered for the words that its entries, rules, needs and slots select by;
with another book, or with the approvals of another day, nothing is shared.
"""

from . import conditions, people
from .book import holds, in_force, select
from .shapes import Any, Json

MOST = 300  # answers kept for a step; then its table begins anew
_UNKNOWN: Json = {}


def of(book: Json, step: str, traits: Json, day: str) -> Any:
    """Return what is asked, the entry first and then each rule beside it: `{"entry", "needs":
    [[check, need], ...], "slots", "signed"}`. None where the rulebook foresees nothing.
    """
    table = book["required"].get(step)
    if table is None:
        words = sorted([word for word in book["selects"].get(step, {}) if word != "game"])
        table = book["required"][step] = {"words": words, "known": {}}
    key = _key(table, traits, day)
    known = table["known"]
    try:
        kept = known.get(key, _UNKNOWN)
    except TypeError:  # a field that holds what is no word: asked of as it stands
        return _foreseen(book, step, traits, day)
    if kept is _UNKNOWN:
        parts = _foreseen(book, step, traits, day)
        kept = None if parts is None else [_kept(part) for part in parts]
        _keep(known, key, kept)
    return kept


def _keep(known: Any, key: Any, value: Any) -> None:
    """Threads share a book: another may empty the table between any two lines that look at it."""
    if len(known) >= MOST:
        known.clear()
    known[key] = value


def _key(table: Json, traits: Json, day: str) -> Any:
    """What decides the answer. Of the words only the games are a list."""
    return (day, tuple(traits["game"]), tuple(map(traits.get, table["words"])))


def _foreseen(book: Json, step: str, traits: Json, day: str) -> Any:
    entry = select(book, step, traits, day)
    return None if entry is None else _parts(book, entry, step, traits, day)


def _parts(book: Json, entry: Json, step: str, traits: Json, day: str) -> Any:
    yield _part(entry, traits)
    for rule in book["rules"].get(step, []):
        if holds(rule["tests"], traits) and in_force(rule, day):
            yield _part(rule, traits)


def _part(entry: Json, traits: Json) -> Json:
    """What an entry asks, found as it is asked for: what a step lacks may come before a word that
    is none.
    """
    needs = ([conditions.CHECKS[n["is"]], n] for n in entry["needs"] if holds(n["tests"], traits))
    slots = (slot for slot in entry["signers"] if holds(slot["tests"], traits))
    return {"entry": entry, "needs": needs, "slots": slots, "signed": None}


def _kept(part: Json) -> Json:
    """`signed` is None where a slot asks how its signer stands to the items or the table."""
    slots = list(part["slots"])
    signed: Any = None if any(slot["relates"] for slot in slots) else {}
    return {"entry": part["entry"], "needs": list(part["needs"]), "slots": slots, "signed": signed}


def signed(part: Json, people_: list[Json]) -> bool:
    """Whether these people fill every slot as they mostly sign, by their jobs and order alone."""
    known = part["signed"]
    if known is None:
        return False
    jobs = tuple([(person["job"], person.get("outside")) for person in people_])
    filled = known.get(jobs)
    if filled is None:
        filled = people.filled(part["slots"], people_)
        _keep(known, jobs, filled)
    return bool(filled)
