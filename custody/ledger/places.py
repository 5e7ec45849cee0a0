"""Places: what a setting or the desk says of one, checked (vocabulary.md, "Places")."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import SettingError
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.work import Entry, Work
from custody.rulebooks import loader
from custody.rules.codes import valid
from custody.rules.ends import PERSON

FIELDS = {
    "type": str,
    "name": str,
    "use": str,
    "locks": list,
    "game": str,
    "pit": str,
    "decks": int,
    "handled": bool,
    "approved": bool,
    "open": bool,
    "agents": list,
    "holds": list,
    "off_site": bool,
    "surveilled": bool,
}


def types() -> list[str]:
    """Return the types that a place may have: all of the vocabulary but a person's hands."""
    return [one for one in loader.words()["places"]["types"] if one != PERSON]


def uses() -> list[str]:
    """Return what a storage may be used for, as the vocabulary names it."""
    return list(loader.words()["places"]["uses"])


def place_value(id_: str, given: object) -> Value:
    """Return the value of a place. Raises SettingError naming the word that is wrong."""
    where = f"place {id_!r}"
    if not valid(id_):
        raise SettingError(f"{where}: an id has 1 to 64 printable characters without blanks")
    if not isinstance(given, dict):
        raise SettingError(f'{where}: write an object such as {{"type":"dock"}}')
    known_words(where, given, FIELDS)
    for field, value in given.items():
        if type(value) is not FIELDS[field]:
            raise SettingError(f"{where}: {field} must be {FIELDS[field].__name__}, not {value!r}")
    known_words(f"{where}, type", [given.get("type", "")], types())
    known_words(f"{where}, use", [given["use"]] if "use" in given else [], uses())
    return {"name": id_, **given}


def known_words(where: str, given: Iterable[str], allowed: Iterable[str]) -> None:
    """Raise SettingError at the first word that is not allowed, with the likeliest right one."""
    choices = sorted(allowed)
    for word in given:
        if word not in choices:
            near = difflib.get_close_matches(word, choices, 1) if isinstance(word, str) else []
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(choices)}"
            raise SettingError(f"{where}: {word!r} is not known; {hint}")


def save_place(ledger: Ledger, id_: str, given: Value, by: By) -> Entry:
    """Add a place or change what is said of it. Raises SettingError."""
    value = place_value(id_, given)

    def make(work: Work) -> list[Change]:
        pit = value.get("pit")
        if pit is not None and (work.get("place", pit) or {}).get("type") != "pit_stand":
            raise SettingError(f"place {id_!r}: its pit {pit!r} is no pit stand")
        register = (work.get("place", id_) or {}).get("register")
        kept = {} if register is None else {"register": register}
        return [Change("place", id_, {**value, **kept})]

    return administer(ledger, "place", id_, by, make)
