"""The lines of a scenario: read, checked against the setting, made into events."""

import json

from . import (
    births,
    clock_text,
    codes_errors,
    codes_range,
    ends,
    field_types,
    instants,
    lots,
    people,
)
from .shapes import Any, Json

SETTING = ("scenario", "regime", "zone", "day_starts", "people", "places")
PLACES = ("to", "from", "where")
ROLES = ("to", "from", "into", "where")
EVENT = ("step", "items", "at", "by", "with", "note", "kind", "form", "attributes")
PLAY = ("expect", "clause", "device", "offline", "as")
PERSON = ("job", "license", "supervises", "incompatible", "name")
PLACE = (
    "type",
    "name",
    "use",
    "game",
    "pit",
    "decks",
    "approved",
    "open",
    "handled",
    "locks",
    "surveilled",
    "off_site",
    "holds",
    "agents",
)


class ScriptError(ValueError):
    """A scenario has a mistake. Attributes: `line`, counted from 1, and `problem`."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line
        self.problem = problem


def lines(text: str) -> list[list[Any]]:
    """Return `[line number, object]` for each line that is no comment and not empty. Raises
    ScriptError.
    """
    found = []
    for index, line in enumerate(text.split("\n")):
        line = line.strip()
        if line and line[0] != "#":
            found.append([index + 1, _parse(index + 1, line)])
    if not found:
        raise ScriptError(1, "The file is empty; its first line is the setting.")
    return found


def _parse(number: int, line: str) -> Json:
    try:
        value = json.loads(line)
    except (ValueError, RuntimeError) as error:
        raise ScriptError(number, "This is not JSON: " + str(error)) from error
    if not isinstance(value, dict):
        raise ScriptError(number, "A line is a JSON object.")
    return value


def setting(found: list[list[Any]]) -> Json:
    """Return the setting, with `controls` in any case. Raises ScriptError where a key is missing
    or is not what it should be.
    """
    number, scene = found[0]
    for key in SETTING:
        if key not in scene:
            raise ScriptError(number, "The setting lacks '" + key + "'.")
    scene = dict(scene, controls=scene.get("controls", {}))
    for key in ("people", "places", "controls"):
        shape(number, scene, key, dict)
    clock = scene["day_starts"]
    if not isinstance(clock, str) or not clock_text.is_clock(clock):
        raise ScriptError(number, "'day_starts' is a time like 06:00.")
    return scene


_SHAPES = {list: "a list", dict: "an object", str: "a text"}


def shape(number: int, line: Json, key: str, kind: Any) -> None:
    """Raise ScriptError where a key is there and is not of its kind."""
    value = line.get(key)
    if (key in SETTING or value is not None) and not isinstance(value, kind):
        raise ScriptError(number, "'" + key + "' is " + _SHAPES[kind] + ".")


# How a setting says of any control that nothing is approved.
UNAPPROVED = ["none", "pending"]


def choices(chosen: Json, known: list[str], controls: Json) -> None:
    """Raise ScriptError for a choice that is none of the `known`, or has not a word of its own."""
    for name in sorted(chosen):
        if name not in known:
            there = ", ".join(sorted(set(known)))
            raise ScriptError(1, "There is no control '" + name + "'; there are " + there + ".")
        control, value = controls.get(name, {}), chosen[name]
        words = control.get("words")
        told = " or ".join(words) if words else ""
        if control.get("type") == "int" and not isinstance(value, int):
            told = "a whole number"
        elif not words or value in words + UNAPPROVED:
            continue
        raise ScriptError(1, "'" + name + "' is " + told + ", not " + shown(value) + ".")


def cast(book: Json, scene: Json) -> list[list[Any]]:
    """Return `[of, id, value]` of the people and places of a setting, checked word by word."""
    found: list[list[Any]] = []
    for person in scene["people"]:
        value = scene["people"][person]
        value = {"job": value} if isinstance(value, str) else value
        job = value.get("job") if isinstance(value, dict) else None
        if job not in book["departments"]:
            raise ScriptError(1, person + " has an unknown job: " + str(job) + ".")
        _keys(person, value, PERSON)
        found.append(["person", person, dict(value)])
    for place in scene["places"]:
        value = scene["places"][place]
        kind = value.get("type") if isinstance(value, dict) else None
        if kind not in book["words"]["places"]["types"]:
            raise ScriptError(1, place + " is a place of an unknown type: " + str(kind) + ".")
        _keys(place, value, PLACE)
        found.append(["place", place, value])
    return found


def _keys(name: str, value: Json, known: Any) -> None:
    """A word that is misspelt would be left out of account without a sound."""
    for key in sorted(value):
        if key not in known:
            told = name + " has an unknown '" + key + "'; there are " + ", ".join(known) + "."
            raise ScriptError(1, told)


def event(stage: Json, store: Any, number: int, line: Json) -> Json:
    """Return a step's line as an event without its chain fields. Raises ScriptError for an unknown
    word.
    """
    book = stage["book"]
    for key in sorted(line):
        if key not in EVENT and key not in ROLES and key not in PLAY:
            raise ScriptError(number, "A step has no '" + key + "'.")
    for key, kind in (("items", list), ("by", list), ("with", dict), ("attributes", dict)):
        shape(number, line, key, kind)
    _counted(number, line.get("attributes") or {})
    words = book["words"]["steps"].get(line["step"])
    if words is None:
        raise ScriptError(number, "There is no step '" + str(line["step"]) + "'.")
    _signers(store, number, line.get("by") or [])
    _known(store, number, "place", [line[role] for role in PLACES if line.get(role)])
    made: Json = {
        key: line.get(key) for key in ("step", "kind", "form", "attributes", "into", "note")
    }
    made["kind"] = made["kind"] or words.get("kind")
    made.update({role: line.get(role) for role in PLACES})
    made["items"] = sets(store, line.get("items") or [])
    if line.get("expect") != "refused":
        _runs(store, number, made["items"])
    made["by"] = line.get("by") or []
    made["at"] = clock_text.parse(book, str(line.get("at")))
    made["with"] = _fields(stage, store, number, words["fields"], line.get("with") or {})
    return made


def _counted(number: int, attributes: Json) -> None:
    for name in births.COUNTED:
        if name in attributes and not births.counts(attributes[name]):
            raise ScriptError(number, "'" + name + "' is a whole number, 1 or more.")
    wrong = births.misshapen(attributes)
    if wrong is not None:
        form = "a list of names" if wrong in births.LISTED else "a single value"
        raise ScriptError(number, "'" + wrong + "' is " + form + ".")


OUTSIDER = ("name", "agency", "number", "job", "how", "signature")


def _signers(store: Any, number: int, by: list[Any]) -> None:
    """People of the setting, or outside signers with all that they say of themselves."""
    _known(store, number, "person", [one for one in by if not isinstance(one, dict)])
    for one in by:
        if isinstance(one, dict) and (people.outsider(one) is None or set(one) - set(OUTSIDER)):
            raise ScriptError(number, "An outside signer has " + ", ".join(OUTSIDER) + ".")


def sets(store: Any, items: list[Any]) -> list[Any]:
    """The items as they are named, and for a table the set in play there, or else what is out of
    play and not yet packed.
    """
    named: list[Any] = []
    for text in items:
        value = store.get("place", text)
        table = value is not None and value["type"] == "table"
        there = [code for code in store.at(text) if _in_use(store, code)] if table else []
        playing = [code for code in there if store.get("item", code)["state"] == "in_play"]
        named.extend(playing or there or [text])
    return named


def _in_use(store: Any, code: str) -> bool:
    value = store.get("item", code)
    return value["in"] is None and "play" in value["times"]


def _runs(store: Any, number: int, items: list[Any]) -> None:
    """A run that is none is a mistake in the file, unless it is there to be refused; what is wrong
    with a lot's serials the judge says.
    """
    texts = [str(item) for item in items]
    plain = [t for t in texts if not lots.is_range(lots.value_of(store, t.partition("..")[0]))]
    try:
        codes_range.expand_all(plain)
    except codes_errors.CodeRangeError as error:
        raise ScriptError(number, str(error)) from error


def _known(store: Any, number: int, of: str, names: list[str]) -> None:
    for name in names:
        known = ends.place(store, name) if of == "place" else store.get(of, name)
        if known is None:
            raise ScriptError(number, "The setting has no " + of + " '" + str(name) + "'.")


def _fields(stage: Json, store: Any, number: int, specs: Json, fields: Json) -> Json:
    everywhere = stage["book"]["words"]["everywhere"]
    wrong = field_types.illegible(specs, fields)
    if wrong:
        told = "'" + wrong[0] + "' is not of its field's type: " + wrong[1] + "."
        raise ScriptError(number, told)
    made = {}
    for name in fields:
        if name not in specs and name not in everywhere:
            known = ", ".join(sorted(specs)) or "none"
            raise ScriptError(
                number, "This step has no field '" + name + "'; it has " + known + "."
            )
        kind = (specs.get(name) or everywhere.get(name))["type"]
        made[name] = _value(stage, store, number, kind, fields[name])
    return made


def _value(stage: Json, store: Any, number: int, kind: str, value: Any) -> Any:
    if kind == instants.TIME and isinstance(value, str):
        return clock_text.parse(stage["book"], value)
    part = instants.WITHIN.get(kind)
    if part and isinstance(value, dict) and isinstance(value.get(part), str):
        made = dict(value)
        made[part] = clock_text.parse(stage["book"], value[part])
        return made
    if kind == "event" or (kind == "text" and isinstance(value, str)):
        return stage["names"].get(value, value)
    if kind in ("person", "place"):
        _known(store, number, kind, [value])
    return value


def shown(value: Any) -> str:
    """Return a value as JSON with its keys sorted, the same under both interpreters."""
    if isinstance(value, dict):
        parts = [json.dumps(key) + ": " + shown(value[key]) for key in sorted(value)]
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([shown(part) for part in value]) + "]"
    return json.dumps(value)
