"""The one door from JavaScript: a name and JSON in, JSON out (docs/architecture.md)."""

import json

from . import (
    cases,
    choosing,
    clocks,
    codes_errors,
    codes_range,
    collecting,
    core,
    cuts,
    days,
    facts,
    fold,
    instants,
    jobs,
    lots,
    naming,
    rehearsal,
    script,
    sentences,
    serials,
)
from .shapes import Any, Json, Table

_LOADED: Json = {}


def call(name: str, text: str) -> str:
    """Call a function of the core by name. Answers `{"result", "missing"}` or `{"error": {"type",
    "message"}}`.
    """
    asked = None
    try:
        given = json.loads(text)
        asked = known(given.get("facts"))
        over = (given.get("facts") or {}).get("over")
        result = FUNCTIONS[name](Upon(asked, over) if over else asked, given)
        return json.dumps({"result": result, "missing": asked.missing})
    except Exception as error:  # noqa: BLE001  the page has no other way to hear of a mistake
        if asked is not None and asked.missing:  # it may only have stumbled over what it lacks
            return json.dumps({"result": None, "missing": asked.missing})
        return json.dumps({"error": {"type": type(error).__name__, "message": str(error)}})


def known(given: Any) -> facts.Book:
    """Return the facts that the page has told so far; what is asked for beyond them is noted.

    They stay from call to call that brings facts. The page tells what is new, says in `forget` what
    may be another by now; all else is forgotten unless it says `"anew": false`.
    """
    told = given or {}
    gone = _LOADED["book"]["gone"] if "book" in _LOADED else []
    if not told:
        return facts.Book(gone, True)
    if "kept" not in _LOADED or told.get("anew", True):
        _LOADED["kept"] = facts.Book(gone, True)
    book: facts.Book = _LOADED["kept"]
    book.missing = []
    tables = (("at", book.here), ("sealed", book.seals), ("places", book.types))
    for question in told.get("forget", []):
        _forget(book, dict(tables), question)
    for of, key, value in told.get("records", []):
        book.records[(of, key)] = value
    for name, table in tables:
        for key, members in told.get(name, []):
            table[key] = dict.fromkeys(members, True)
    for key, entries in told.get("open", []):
        book.opened[key] = entries
    return book


def _forget(book: facts.Book, tables: Json, question: list[str]) -> None:
    if question[0] == "get":
        book.records.pop((question[1], question[2]), None)
    else:
        tables.get(question[0], book.opened).pop(question[1], None)


class Upon:
    """Facts with records over them: what steps that are not recorded yet would leave."""

    def __init__(self, book: facts.Book, over: list[list[Any]]) -> None:
        self.book = book
        self.over: Table = {}
        for of, key, value in over:
            self.over[(of, key)] = value
        self.at = book.at
        self.sealed = book.sealed
        self.places = book.places
        self.open = book.open

    def get(self, of: str, key: str) -> Any:
        """Return the record as it would be, None where there is none."""
        if (of, key) in self.over:
            return self.over[(of, key)]
        return self.book.get(of, key)


def _load(known: Any, given: Json) -> Json:
    _LOADED["book"] = core.load(given["rulebook"], given["site"])
    return {"rulebook": _LOADED["book"]["id"], "version": _LOADED["book"]["version"]}


def _judge(known: Any, given: Json) -> Json:
    return core.judge(_LOADED["book"], known, given["draft"])


def _fold(known: Any, given: Json) -> Json:
    """`records` has the ranges that were cut as well, `saw` what to say of those claimed."""
    event = given["event"]
    named = naming.codes_of(_LOADED["book"], known, event)
    made = fold.fold(_LOADED["book"], named["facts"], event, given["event_id"], named)
    made["records"] = cuts.records(known, named) + made["records"]
    made["saw"] = cuts.seen(named)
    return made


def _form(known: Any, given: Json) -> Json:
    return core.form(_LOADED["book"], known, given["draft"])


def _steps(known: Any, given: Json) -> list[Json]:
    return core.steps(_LOADED["book"], known, given["code_or_place"], given["by"], given["now"])


def _kinds(known: Any, given: Json) -> list[Json]:
    return core.kinds(_LOADED["book"], given["step"], given["now"])


def _fitting(known: Any, given: Json) -> list[str]:
    return choosing.fitting(known, given["codes"], given["table"])


def _waiting(known: Any, given: Json) -> list[str]:
    return collecting.waiting(known, given["codes"])


def _outranks(known: Any, given: Json) -> bool:
    return jobs.outranks(_LOADED["book"], given["one"], given["other"])


def _item(known: Any, given: Json) -> Any:
    """An item by its code, also one serial or piece in a range; None where it is not known."""
    code = given["code"]
    value = known.get("item", code)
    found = lots.find(known, code) if value is None else []
    if len(found) != 1 or code in found or cases.STAR in code:
        return value
    number = serials.read(code)
    value = known.get("item", found[0])
    return lots.sliced(value, code, number["first"], number["last"])


def _due(known: Any, given: Json) -> list[Json]:
    return clocks.due(_LOADED["book"], known, given["codes"], given["now"])


def _due_counts(known: Any, given: Json) -> list[Json]:
    book, place = _LOADED["book"], given.get("place")
    return clocks.due_counts(book, known, given["kind"], place, given["now"])


def _gaming_day(known: Any, given: Json) -> str:
    return clocks.gaming_day(_LOADED["book"], given["at"])


def _instant(known: Any, given: Json) -> int:
    """UTC ms of a wall-clock time at the site, itself given as if it were UTC ms."""
    return days.instant(_LOADED["book"], given["clock"])


def _instants(known: Any, given: Json) -> Json:
    return instants.of(_LOADED["book"], given["step"])


def _parse(known: Any, given: Json) -> Any:
    from . import codes

    return codes.parse(given["raw"], given["layout"])


def _runs(known: Any, given: Json) -> Json:
    """A list of codes as a screen shows it: `{"runs": [...], "count": n}`."""
    count = sum([_many(text) if ".." in text else 1 for text in given["codes"]])
    return {"runs": codes_range.runs(given["codes"]), "count": count}


def _told_seen(known: Any, given: Json) -> Json:
    return codes_range.told_seen(given["saw"], given["ranges"])


def _many(text: str) -> int:
    try:
        return codes_range.size(text)
    except codes_errors.CodeRangeError:  # what is misread is shown as it stands; `judge` says why
        return 1


def _words(known: Any, given: Json) -> bool:
    _LOADED["catalogue"] = given["catalogue"]
    return True


def _render(known: Any, given: Json) -> str:
    return sentences.render(_LOADED["catalogue"], given["lang"], given["reason"])


def _setting(known: Any, given: Json) -> Json:
    return _told(rehearsal.setting, given["text"])


def _rehearse(known: Any, given: Json) -> Json:
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
    "kinds": _kinds,
    "fitting": _fitting,
    "waiting": _waiting,
    "outranks": _outranks,
    "item": _item,
    "due": _due,
    "due_counts": _due_counts,
    "gaming_day": _gaming_day,
    "instant": _instant,
    "instants": _instants,
    "parse": _parse,
    "runs": _runs,
    "told_seen": _told_seen,
    "catalogue": _words,
    "render": _render,
    "setting": _setting,
    "rehearse": _rehearse,
}
