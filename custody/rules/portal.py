"""The one door from JavaScript: a name and JSON in, JSON out (docs/architecture.md)."""

import json

from . import (
    clocks,
    codes_errors,
    codes_range,
    core,
    cuts,
    facts,
    fold,
    naming,
    rehearsal,
    script,
    sentences,
)
from .shapes import Any, Json

_LOADED: Json = {}


def call(name: str, text: str) -> str:
    """Call a function of the core by name. Answers `{"result", "missing"}` or `{"error": {"type",
    "message"}}`.
    """
    asked = None
    try:
        given = json.loads(text)
        asked = known(given.get("facts"))
        result = FUNCTIONS[name](asked, given)
        return json.dumps({"result": result, "missing": asked.missing})
    except Exception as error:  # noqa: BLE001  the page has no other way to hear of a mistake
        if asked is not None and asked.missing:  # it may only have stumbled over what it lacks
            return json.dumps({"result": None, "missing": asked.missing})
        return json.dumps({"error": {"type": type(error).__name__, "message": str(error)}})


def known(given: Any) -> facts.Book:
    """Return the facts that the page sent along; what is asked for beyond them is noted."""
    book = facts.Book(_LOADED["book"]["gone"] if "book" in _LOADED else [], True)
    for of, key, value in (given or {}).get("records", []):
        book.records[(of, key)] = value
    for name, table in (("at", book.here), ("sealed", book.seals), ("places", book.types)):
        for key, members in (given or {}).get(name, []):
            table[key] = dict.fromkeys(members, True)
    for key, entries in (given or {}).get("open", []):
        book.opened[key] = entries
    return book


def _load(known: facts.Book, given: Json) -> Json:
    _LOADED["book"] = core.load(given["rulebook"], given["site"])
    return {"rulebook": _LOADED["book"]["id"], "version": _LOADED["book"]["version"]}


def _judge(known: facts.Book, given: Json) -> Json:
    return core.judge(_LOADED["book"], known, given["draft"])


def _fold(known: facts.Book, given: Json) -> Json:
    """`records` has the ranges that were cut as well, `saw` what to say of those claimed."""
    event = given["event"]
    named = naming.codes_of(_LOADED["book"], known, event)
    made = fold.fold(_LOADED["book"], named["facts"], event, given["event_id"], named)
    made["records"] = cuts.records(known, named) + made["records"]
    made["saw"] = cuts.seen(named)
    return made


def _form(known: facts.Book, given: Json) -> Json:
    return core.form(_LOADED["book"], known, given["draft"])


def _steps(known: facts.Book, given: Json) -> list[Json]:
    return core.steps(_LOADED["book"], known, given["code_or_place"], given["by"], given["now"])


def _due(known: facts.Book, given: Json) -> list[Json]:
    return clocks.due(_LOADED["book"], known, given["codes"], given["now"])


def _due_counts(known: facts.Book, given: Json) -> list[Json]:
    book, place = _LOADED["book"], given.get("place")
    return clocks.due_counts(book, known, given["kind"], place, given["now"])


def _gaming_day(known: facts.Book, given: Json) -> str:
    return clocks.gaming_day(_LOADED["book"], given["at"])


def _parse(known: facts.Book, given: Json) -> Any:
    from . import codes

    return codes.parse(given["raw"], given["layout"])


def _runs(known: facts.Book, given: Json) -> Json:
    """A list of codes as a screen shows it: `{"runs": [...], "count": n}`."""
    single = [code for code in given["codes"] if ".." not in code]
    written = [code for code in given["codes"] if ".." in code]
    count = len(single) + sum([_many(text) for text in written])
    return {"runs": written + codes_range.compress(sorted(single)), "count": count}


def _many(text: str) -> int:
    try:
        return len(codes_range.expand(text))
    except codes_errors.CodeRangeError:  # what is misread is shown as it stands; `judge` says why
        return 1


def _words(known: facts.Book, given: Json) -> bool:
    _LOADED["catalogue"] = given["catalogue"]
    return True


def _render(known: facts.Book, given: Json) -> str:
    return sentences.render(_LOADED["catalogue"], given["lang"], given["reason"])


def _setting(known: facts.Book, given: Json) -> Json:
    return _told(rehearsal.setting, given["text"])


def _rehearse(known: facts.Book, given: Json) -> Json:
    return _told(rehearsal.play, given["text"], given["rulebook"], given["site"])


def _told(play: Any, *arguments: Any) -> Json:
    try:
        return {"played": play(*arguments)}
    except script.ScriptError as error:
        return {"mistake": {"line": error.line, "problem": error.problem}}


FUNCTIONS: Json = {
    "load": _load,
    "judge": _judge,
    "fold": _fold,
    "form": _form,
    "steps": _steps,
    "due": _due,
    "due_counts": _due_counts,
    "gaming_day": _gaming_day,
    "parse": _parse,
    "runs": _runs,
    "catalogue": _words,
    "render": _render,
    "setting": _setting,
    "rehearse": _rehearse,
}
