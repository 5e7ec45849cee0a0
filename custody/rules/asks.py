"""The questions of a scenario, answered from the server's ledger and compared."""

from . import clock_text, clocks, codes_errors, codes_range, counts, script
from .shapes import Any, Json


def check(stage: Json, number: int, line: Json) -> Json:
    """Return the verdict on one question. Raises script.ScriptError for one that nobody can
    answer.
    """
    answer = ANSWERS.get(line["ask"])
    if answer is None:
        known = ", ".join(sorted(ANSWERS))
        raise script.ScriptError(
            number, "'" + str(line["ask"]) + "' is no question; ask " + known + "."
        )
    clock_text.parse(stage["book"], str(line.get("at")))
    _needs(number, line)
    try:
        got = answer(stage, number, line)
    except codes_errors.CodeRangeError as error:
        raise script.ScriptError(number, str(error)) from error
    expected = line.get("expect")
    fits = COMPARISONS[line["ask"]](stage, line, expected, got)
    text = (
        line["ask"]
        + ": expected "
        + script.shown(expected)
        + ", got "
        + script.shown(_asked(expected, got))
    )
    return {"line": number, "ok": fits, "text": text}


_NEEDS: Json = {
    "where": ("item",),
    "on_hand": ("kind",),
    "reconcile": ("kind", "day"),
    "due": (),
    "exceptions": (),
}
_EXPECTED: Json = {"where": dict, "reconcile": dict, "due": list, "exceptions": list}


def _needs(number: int, line: Json) -> None:
    """Raise ScriptError for a question that lacks what it is about, or expects what it cannot
    be.
    """
    for key in _NEEDS[line["ask"]]:
        if not isinstance(line.get(key), str):
            raise script.ScriptError(number, "This question needs '" + key + "'.")
    script.shape(number, line, "items", list)
    expected = line.get("expect")
    fits = isinstance(expected, _EXPECTED.get(line["ask"], (int, dict)))
    if not fits:
        raise script.ScriptError(
            number, "This question cannot expect " + script.shown(expected) + "."
        )


def _asked(expected: Any, got: Any) -> Any:
    """Of an answer with many parts, those that were expected."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return {key: got.get(key) for key in expected}
    return got


def _codes(line: Json) -> list[str]:
    return codes_range.expand_all(line.get("items") or [])


def _where(stage: Json, number: int, line: Json) -> Json:
    value = stage["server"].get("item", line.get("item"))
    if value is None:
        return {"place": None, "state": None}
    return {"place": value["place"], "state": value["state"], "disputed": value["disputed"]}


def _kind(stage: Json, number: int, line: Json) -> str:
    kind = line.get("kind")
    if kind not in stage["book"]["words"]["kinds"]:
        raise script.ScriptError(number, "There is no kind '" + str(kind) + "'.")
    return str(kind)


def _place(stage: Json, number: int, line: Json) -> Any:
    place = line.get("place")
    if place is not None and stage["server"].get("place", place) is None:
        raise script.ScriptError(number, "The setting has no place '" + str(place) + "'.")
    return place


def _on_hand(stage: Json, number: int, line: Json) -> Json:
    kind, place = _kind(stage, number, line), _place(stage, number, line)
    lines = stage["server"].postings
    return counts.on_hand(stage["book"], lines, kind, place, line.get("design"))


def _reconcile(stage: Json, number: int, line: Json) -> Json:
    kind, place = _kind(stage, number, line), _place(stage, number, line)
    return counts.reconcile(stage["book"], stage["server"].postings, kind, line["day"], place)


def _due(stage: Json, number: int, line: Json) -> list[str]:
    book, store = stage["book"], stage["server"]
    now = clock_text.parse(book, line["at"])
    if "items" in line:
        found = clocks.due(book, store, _codes(line), now)
    else:
        kind, place = _kind(stage, number, line), _place(stage, number, line)
        found = clocks.due_counts(book, store, kind, place, now)
    return sorted({entry["clause"] for entry in found if entry["status"] == "due"})


def _exceptions(stage: Json, number: int, line: Json) -> list[str]:
    codes = _codes(line)
    return sorted(
        [
            entry["kind"]
            for entry in stage["server"].exceptions
            if not entry["closed"]
            and ("items" not in line or any(code in codes for code in entry["items"]))
        ]
    )


def _some(stage: Json, line: Json, expected: Json, got: Json) -> bool:
    """Whether every answer that was expected is given; others are not asked."""
    return all(got.get(key, False) == expected[key] for key in expected)


def _amounts(stage: Json, line: Json, expected: Any, got: Json) -> bool:
    """A plain number is in the kind's first unit; an object names units."""
    units = counts.kind_units(stage["book"], line["kind"])
    if not isinstance(expected, dict):
        return bool(got.get(units[0]) == expected)
    return all(got.get(unit) == expected[unit] for unit in expected)


def _terms(stage: Json, line: Json, expected: Json, got: Json) -> bool:
    return all(_amounts(stage, line, expected[term], got.get(term, {})) for term in expected)


def _list(stage: Json, line: Json, expected: list[str], got: list[str]) -> bool:
    return sorted(set(expected)) == sorted(set(got))


ANSWERS: Json = {
    "where": _where,
    "on_hand": _on_hand,
    "reconcile": _reconcile,
    "due": _due,
    "exceptions": _exceptions,
}

COMPARISONS: Json = {
    "where": _some,
    "on_hand": _amounts,
    "reconcile": _terms,
    "due": _list,
    "exceptions": _list,
}
