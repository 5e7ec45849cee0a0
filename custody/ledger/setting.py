"""Read a setting, from which `custody init` makes a ledger (vocabulary.md, "Scenarios")."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from typing import Any, NamedTuple
from zoneinfo import available_timezones

from custody.ledger.cache import Value
from custody.ledger.errors import SettingError
from custody.ledger.people import person_value
from custody.ledger.places import known_words, place_value
from custody.ledger.strict import Unreadable, loads
from custody.rulebooks import loader
from custody.rules import book

FIELDS = (
    "scenario",
    "site",
    "name",
    "regime",
    "zone",
    "day_starts",
    "people",
    "places",
    "controls",
)
NEEDED = ("site", "regime", "zone", "day_starts", "people", "places")
SITE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
RIGHT = 'write {"site":"...","regime":"MD",...}, the first line of a scenario with "site"'
NAME = re.compile(r"[^\x00-\x1f]{1,200}")
CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
LEDGER_CONTROLS = {"device_approval": ("automatic", "administrator")}


class Setting(NamedTuple):
    """A checked setting, as the values of the records that it becomes."""

    site: Value
    controls: Value
    rulebook: Value
    people: dict[str, Value]
    places: dict[str, Value]


def read_setting(raw: bytes) -> Setting:
    """Return the setting in a file's bytes: JSON, or the first line of a scenario, with "site".

    Raises SettingError that says what was wrong and what would be right.
    """
    text = _text_of(raw.removeprefix(BOM_UTF8))
    try:
        given = loads(_told(text).encode())
    except Unreadable as error:
        raise SettingError(f"the setting cannot be read: {error}; {RIGHT}") from error
    if not isinstance(given, dict):
        raise SettingError(f"the setting is no JSON object; {RIGHT}")
    return check_setting(given)


def _text_of(raw: bytes) -> str:
    """Return a file's text, its comment lines empty so that lines keep their numbers."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        wrong = f"line {line} holds bytes that are no UTF-8"
        raise SettingError(f"{wrong}; a setting is JSON in a text file: {RIGHT}") from error
    lines = ["" if line.lstrip().startswith("#") else line for line in text.split("\n")]
    return "\n".join(lines)


def _told(text: str) -> str:
    """Return the JSON of a setting: the whole text, or its first value where more follow, as in a
    scenario. Raises SettingError with the line and column at which it is none.
    """
    start = len(text) - len(text.lstrip())
    try:
        end = json.JSONDecoder().raw_decode(text, start)[1]
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SettingError(f"{where} is no JSON ({error.msg}); {RIGHT}") from error
    except RecursionError as error:
        raise SettingError(f"the setting is nested too deep; {RIGHT}") from error
    return text[start:end]


def check_setting(given: dict[str, Any]) -> Setting:
    """Return a setting checked word by word. Raises SettingError."""
    known_words("the setting", given, FIELDS)
    missing = [field for field in NEEDED if field not in given]
    if missing:
        raise SettingError(f"the setting lacks {', '.join(missing)}")
    _text(given, "site", SITE, "letters, digits, dots, dashes: 1 to 64 of them")
    _text(given, "day_starts", CLOCK, "a time such as 06:00")
    _text({"name": "-", **given}, "name", NAME, "how people call the site, in 1 to 200 characters")
    if not isinstance(given["zone"], str) or given["zone"] not in available_timezones():
        raise SettingError(
            f"zone {given['zone']!r} is not known; write one such as America/New_York"
        )
    for field in ("people", "places", "controls"):
        if not isinstance(given.get(field, {}), dict):
            raise SettingError(f"{field} must be an object")
    rulebook = _rulebook(given["regime"])
    controls = given.get("controls", {})
    _controls(controls, rulebook)
    site = {**loader.site({**given, "controls": controls}), "id": given["site"]}
    site.pop("controls", None)
    site |= {"name": given.get("name", given["site"]), "zone_name": given["zone"]}
    site["rulebook"] = rulebook["id"]
    jobs = book.load(rulebook, {**site, "controls": controls})["departments"]
    people = {id_: person_value(id_, one, jobs) for id_, one in given["people"].items()}
    places = {id_: place_value(id_, one) for id_, one in given["places"].items()}
    _check_pits(places)
    return Setting(site, controls, rulebook, people, places)


def _text(given: dict[str, Any], field: str, shape: re.Pattern[str], right: str) -> None:
    value = given[field]
    if not isinstance(value, str) or not shape.fullmatch(value):
        raise SettingError(f"{field} is {value!r}; write {right}")


def _rulebook(regime: Any) -> Value:
    known_words("regime", [regime], loader.REGIMES)
    try:
        return loader.rulebook(str(regime))
    except FileNotFoundError as error:
        raise SettingError(f"regime {regime!r} has no rulebook in this version yet") from error


def _controls(given: Value, rulebook: Value) -> None:
    known_words("controls", given, [*rulebook.get("control", {}), *LEDGER_CONTROLS])
    for name, choices in LEDGER_CONTROLS.items():
        if name in given:
            known_words(f"controls, {name}", [given[name]], choices)
    for name, value in given.items():
        words = rulebook.get("control", {}).get(name, {}).get("words")
        if words:
            known_words(f"controls, {name}", [str(value)], words)


def _check_pits(places: dict[str, Value]) -> None:
    for id_, place in places.items():
        pit = place.get("pit")
        if pit is not None and places.get(pit, {}).get("type") != "pit_stand":
            raise SettingError(f"place {id_!r}: its pit {pit!r} is no pit stand of this setting")
