"""Read the fields of a step's form: text from the browser to the values that an event carries."""

import datetime
from collections.abc import Callable
from typing import Any

from werkzeug.datastructures import MultiDict

from custody.documents import scans
from custody.routes import context, sentences, vocabulary
from custody.routes.words import language, words
from custody.rules import codes, days

Value = dict[str, Any]
Form = MultiDict[str, str]
LINES = ("found", "codes", "serials", "measures")


class FieldError(ValueError):
    """A field holds what it cannot mean; the text is a sentence for the person who typed it."""


def read(fields: list[Value], form: Form) -> tuple[Value, dict[str, str]]:
    """Return the values of a form's fields, and what is wrong with it, by field."""
    given: Value = {}
    wrong: dict[str, str] = {}
    for field in fields:
        try:
            value = _read(field, form)
        except FieldError as error:
            wrong[field["name"]] = str(error)
            continue
        if value is not None:
            given[field["name"]] = value
    return given, wrong


def _read(field: Value, form: Form) -> Any:
    name = f"with.{field['name']}"
    if field["type"] == "words":
        return form.getlist(name) or None
    typed = form.get(name, "").strip()
    return READERS.get(field["type"], str)(typed) if typed else None


def read_codes(typed: str) -> list[str]:
    """Return the codes of a text, one a line or with blanks; each is cleaned as a scan is.

    Raises FieldError for a code that was misread or a run that is none.
    """
    found = cleaned(typed)
    expanded(typed)
    return found


def expanded(typed: str) -> list[str]:
    """Return the codes of a text with its runs written out. Errors are those of `read_codes`."""
    try:
        return list(codes.expand_all(cleaned(typed)))
    except codes.CodeError as error:
        raise FieldError(sentences.sentence(error.code, error.values)) from error


def cleaned(typed: str) -> list[str]:
    """Return the codes of a text as scans are read, runs as they stand."""
    found = []
    for part in typed.split():
        scanned = {"code": part} if ".." in part else scans.read(part, {"typed": True})
        found.append(str(scanned["code"] or scanned["text"]))
    return found


def _whole(typed: str) -> int:
    if not typed.lstrip("-").isdigit() or not typed.isascii():
        raise FieldError(words("steps.whole", typed=typed))
    return int(typed)


def _flag(typed: str) -> bool:
    return typed == "yes"


def _pieces(typed: str) -> Any:
    return int(typed) if typed.isascii() and typed.isdigit() else typed.split()


def _found(typed: str) -> Any:
    """A count: codes alone, or a code or design and its number on each line."""
    lines = [line.split() for line in typed.splitlines() if line.strip()]
    if all(len(line) == 1 for line in lines):
        return read_codes(typed)
    if any(len(line) != 2 for line in lines):
        raise FieldError(words("steps.found_lines"))
    return {line[0]: _whole(line[1]) for line in lines}


def _measures(typed: str) -> list[list[str]]:
    lines = [line.replace(",", " ").split() for line in typed.splitlines() if line.strip()]
    if any(len(line) != 3 for line in lines):
        raise FieldError(words("steps.measure_lines"))
    return lines


def instant(typed: str) -> int:
    """Return a wall-clock time at the site, as a browser sends it, in UTC ms. Raises FieldError."""
    try:
        moment = datetime.datetime.fromisoformat(typed).replace(tzinfo=datetime.UTC)
    except ValueError as error:
        raise FieldError(words("steps.time", typed=typed)) from error
    return int(days.instant(context.site()["book"], int(moment.timestamp() * 1000)))


READERS: dict[str, Callable[[str], Any]] = {
    "int": _whole,
    "bool": _flag,
    "pieces": _pieces,
    "codes": read_codes,
    "serials": str.split,
    "found": _found,
    "measures": _measures,
    "time": instant,
}


def shown(fields: list[Value], form: Form) -> list[Value]:
    """Make the fields as the page shows them, with what was typed and what may be chosen."""
    return [_shown(field, form) for field in fields if field["type"] != "fact"]


def _shown(field: Value, form: Form) -> Value:
    name = f"with.{field['name']}"
    options = [(one, vocabulary.word("value", one)) for one in field["options"]]
    if field["type"] == "bool":
        options = [("yes", words("words.yes")), ("no", words("words.no"))]
    return {
        **field,
        "label": (field["label"] or {}).get(language()) or vocabulary.word("field", field["name"]),
        "input": _input(field),
        "choices": options,
        "typed": form.get(name, ""),
        "ticked": form.getlist(name),
    }


def _input(field: Value) -> str:
    kind = str(field["type"])
    if kind == "words":
        return "ticks"
    if kind == "bool" or (kind == "word" and field["options"]):
        return "choice"
    if kind in ("place", "person"):
        return kind
    return "area" if kind in LINES else "time" if kind == "time" else "text"
