"""Sentences about rules: why a step is refused, what an exception means, who can make it right.

They come from the rules' catalogue, the very one that the handheld shows.
"""

import logging
from typing import Any

from flask import url_for

from custody.documents.errors import DocumentError
from custody.routes import context, times, vocabulary, words
from custody.rulebooks import loader
from custody.rules.exception_kinds import CLOCK, VARIANCE

log = logging.getLogger(__name__)
Value = dict[str, Any]
MINUTE = 60_000
PEOPLE = frozenset({"person", "barred"})
GROUPS = {"need": "job", "job": "job", "field": "field", "step": "step", "state": "state"}


def sentence(code: str, values: Value) -> str:
    """Write the sentence of a code with its values.

    A code that the catalogue lacks is named plainly.
    """
    texts = loader.catalogue().get(code)
    if texts is None:
        log.warning("the catalogue of sentences has no %s", code)
        return vocabulary.plain(code)
    shown = {name: _shown(name, value) for name, value in values.items()}
    return str(texts.get(words.language(), texts["en"])).format_map(_Blank(shown))


class _Blank(dict[str, str]):
    """Values of a sentence; one that did not come leaves a gap, since the sentence matters more."""

    def __missing__(self, name: str) -> str:
        return "…"


def _shown(name: str, value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(name, one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(_shown(name, one) for one in value)
    if name in PEOPLE and isinstance(value, str):
        return context.names().person(value)
    if isinstance(value, str) and value in context.names().places:
        return context.names().place(value)
    return _word(name, value) or str(value)


def _word(name: str, value: Any) -> str:
    """Return the word of a value by the group that its name stands for; "" for what is no word."""
    known = loader.catalogue()
    groups = [GROUPS[name]] if name in GROUPS else ["word", "state", "place", "step"]
    groups = ["wants", *groups] if name == "type" else groups
    texts = next((known[key] for g in groups if (key := f"{g}.{value}") in known), None)
    return texts.get(words.language(), texts["en"]) if texts else ""


def document(error: DocumentError) -> str:
    """Write what is wrong with a label or a photo, and what would be right."""
    return sentence(error.code, error.values)


def warning(one: Value) -> str:
    """Write what was odd about a code that was read."""
    return sentence(one["code"], one["values"])


def reason(one: Value) -> Value:
    """Make a reason of the rules as `shared/_reason.html` shows it.

    With the names of who may sign.
    """
    names, clause = context.names(), one.get("clause")
    return {
        "text": sentence(one["code"], one["values"]),
        "fix": _fix(one["code"], one),
        "clause": clause,
        "href": url_for("clauses.show", id=clause) if clause else "",
        "who": [names.person(id_) for id_ in one.get("who") or []],
        "who_label": words.words("steps.who"),
    }


def _fix(code: str, one: Value) -> str:
    known = f"fix.{code}" in loader.catalogue()
    return sentence(f"fix.{code}", one["values"]) if known else ""


def exception(one: Value) -> str:
    """Write what is wrong, in a sentence: the reason that was overridden, or what happened."""
    reason_ = one["values"].get("reason")
    if isinstance(reason_, str) and reason_ in loader.catalogue():
        return sentence(reason_, one["values"])
    return words.words(f"raised.{_manner(one)}", **_told(one))


def _manner(one: Value) -> str:
    """The key of an exception's sentence: a wrong clock was ahead or behind, a count found many, or
    one piece more or less.
    """
    kind, values = str(one["kind"]), one["values"]
    if kind == CLOCK and _off(values):
        return f"{CLOCK}-{'ahead' if _off(values) > 0 else 'behind'}"
    if kind == VARIANCE and "expected" in values:
        return f"{VARIANCE}-many"
    if kind == VARIANCE and values.get("difference"):
        return f"{VARIANCE}-{'more' if values['difference'] > 0 else 'less'}"
    return kind


def _off(values: Value) -> int:
    """By how much a clock was ahead of the server's (ms); negative for behind it or its own."""
    if "server" in values:
        return int(values["at"]) - int(values["server"])
    return -int(values.get("behind") or 0)


def _told(one: Value) -> dict[str, str]:
    names = ("device", "run", "seq", "hours", "expected", "found", "seal", "why", "place", "day")
    shown = {name: _shown(name, value) for name, value in one["values"].items()}
    device = context.names().device(str(one["values"].get("device") or one["device"]))
    person = context.names().person(str(one["values"].get("person", "")))
    off = abs(_off(one["values"])) if one["kind"] == CLOCK else 0
    span = times.span(off) if off >= MINUTE else f"{off // 1000} s"
    told = {"device": device, "person": person, "span": span}
    return {**dict.fromkeys(names, "…"), **shown, **told}


def fix(one: Value) -> str:
    """Write what would have been right; "" where nothing in the rules says so."""
    return _fix(str(one["values"].get("reason", "")), one)


def clause_name(id_: str) -> str:
    """Return a clause's id as it stands in sentences."""
    return f"{words.words('words.clause')} {id_}"
