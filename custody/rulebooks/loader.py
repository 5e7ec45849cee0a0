"""Read rulebooks: TOML to the JSON that the rules core loads, checked word for word."""

from __future__ import annotations

import datetime
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from custody.rulebooks.lines import Lines
from custody.rulebooks.schema import RulebookError, check
from custody.rulebooks.zones import zone_table

REGIMES = {"MD": "md", "NY": "ny", "US542": "us542", "US543": "us543"}
LISTS = ("step", "rule", "clock", "count", "family", "approval", "record", "paper")
TABLES = ("control", "limits", "fact")


@cache
def rulebook(regime: str) -> dict[str, Any]:
    """Return the rulebook of a regime (`MD`, `NY`, `US542`, `US543`) as JSON values.

    Callers share the value and do not change it. Raises RulebookError for a regime that has none,
    or for a mistake in it, with file, line and the words that are allowed.
    """
    if regime not in REGIMES:
        raise RulebookError(
            "", 0, f"There is no regime '{regime}'; there are {', '.join(REGIMES)}."
        )
    return read(f"{REGIMES[regime]}.toml")


def read(name: str, folder: Any = None) -> dict[str, Any]:
    """Return a rulebook read from a file beside this one (or in `folder`) and from its parts
    (`md.toml`, then `md_*.toml`), with what all rulebooks share.
    """
    here = files("custody.rulebooks")
    vocabulary = words()
    book = _checked(name, (folder or here).joinpath(name).read_text("utf-8"), vocabulary)
    for part in _parts(name, folder or here):
        _add(book, _checked(part.name, part.read_text("utf-8"), vocabulary))
    common = here.joinpath("common.toml").read_text("utf-8")
    _add(book, _checked("common.toml", common, vocabulary))
    book["vocabulary"] = _ordered(vocabulary)
    book["id"] = f"{book['id']}@{book['version']}"
    return book


@cache
def words() -> dict[str, Any]:
    """Return what all rulebooks share (vocabulary.toml); callers share the value, too."""
    name = "vocabulary.toml"
    return parse(name, files("custody.rulebooks").joinpath(name).read_text("utf-8"))


def parts(regime: str) -> list[str]:
    """Return the names of the files of a regime's rulebook, the first one first."""
    name = f"{REGIMES[regime]}.toml"
    return [name, *(path.name for path in _parts(name, files("custody.rulebooks")))]


def _parts(name: str, folder: Any) -> list[Any]:
    start = name.removesuffix(".toml") + "_"
    found = [
        path for path in folder.iterdir() if path.name.startswith(start) and path.suffix == ".toml"
    ]
    return sorted(found, key=lambda path: path.name)


def _add(book: dict[str, Any], part: dict[str, Any]) -> None:
    """Add the entries of another file: lists grow, tables of controls and limits are joined."""
    for name in LISTS:
        book[name] = [*book.get(name, []), *part.get(name, [])]
    for name in TABLES:
        book[name] = {**book.get(name, {}), **part.get(name, {})}


def _ordered(vocabulary: dict[str, Any]) -> dict[str, Any]:
    """Return the vocabulary with the order of steps and fields as lists: the handheld's
    interpreter keeps no order.
    """
    steps = {
        name: {**step, "order": list(step["fields"])} for name, step in vocabulary["steps"].items()
    }
    return {**vocabulary, "steps": steps, "step_order": list(steps)}


def _checked(name: str, text: str, vocabulary: dict[str, Any]) -> dict[str, Any]:
    book = parse(name, text)
    check(name, text, book, vocabulary)
    return book


def parse(name: str, text: str) -> dict[str, Any]:
    """Return TOML as JSON values. Raises RulebookError where it is none."""
    try:
        parsed: dict[str, Any] = _plain(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"\(at line ([0-9]+), column [0-9]+\)", str(error))
        at = int(line.group(1)) if line else 0
        raise RulebookError(name, at, f"It is not TOML: {error}.") from error
    return parsed


def _plain(value: Any) -> Any:
    """Return a TOML value as JSON: dates become `YYYY-MM-DD`."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every sentence and word: `{"wrong-state": {"en", "es"}, "step.issue": {...},
    "fix.wrong-state": {...}}`.

    Raises RulebookError for a code that stands in two of the files.
    """
    paths = [
        path
        for path in sorted(files("custody.rulebooks").iterdir(), key=lambda path: path.name)
        if path.name.startswith("sentences") and path.name.endswith(".toml")
    ]
    return catalogue_of([(path.name, path.read_text("utf-8")) for path in paths])


def catalogue_of(texts: list[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Return the catalogue of files, `(name, text)`. Errors are those of `catalogue`."""
    found: dict[str, dict[str, str]] = {}
    for name, text in texts:
        for code, said in _flat(parse(name, text), "").items():
            if code in found:
                raise Lines(name, text).error(None, f"'{code}' stands in another file too", code)
            found[code] = said
    return found


def _flat(table: dict[str, Any], prefix: str) -> dict[str, dict[str, str]]:
    """Join the tables of a catalogue by dots; a table of texts, one a language, is a leaf."""
    if prefix and all(isinstance(value, str) for value in table.values()):
        return {prefix: table}
    found: dict[str, dict[str, str]] = {}
    for key, value in table.items():
        found.update(_flat(value, f"{prefix}.{key}" if prefix else key))
    return found


def site(setting: dict[str, Any]) -> dict[str, Any]:
    """Return what `core.load` takes as `site`, from a setting with `zone`, `day_starts` and
    `controls`.

    Raises custody.rulebooks.zones.UnknownZoneError.
    """
    return {
        "regime": setting["regime"],
        "zone": [list(entry) for entry in zone_table(setting["zone"])],
        "day_starts": setting["day_starts"],
        "controls": setting.get("controls", {}),
    }
