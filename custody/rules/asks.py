"""The questions of a scenario, answered from the server's ledger and compared."""

from . import (
    clock_text,
    clocks,
    codes_errors,
    codes_range,
    counts,
    coupons,
    days,
    ends,
    lots,
    numbered,
    refold,
    script,
)
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
    if "day" in _NEEDS[line["ask"]] and not days.is_date(line["day"]):
        raise script.ScriptError(number, "'day' is a date like 2026-12-01.")
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


def _codes(store: Any, line: Json) -> list[str]:
    """The codes that are asked about: of a lot or a run of serials its ranges."""
    found: list[str] = []
    for text in script.sets(store, line.get("items") or []):
        found.extend(lots.find(store, text) or codes_range.expand(text))
    return found


def _names(store: Any, line: Json) -> list[str]:
    """Those codes, the lots that were asked for, and what their ranges were cut from."""
    found = list(line.get("items") or [])
    for code in _codes(store, line):
        found.append(code)
        found.extend((store.get("item", code) or {}).get("trail", []))
    return found


def _where(stage: Json, number: int, line: Json) -> Json:
    value = lots.value_of(stage["server"], line["item"])
    value = value or numbered.bare(stage["server"], line["item"])
    if value is None:
        return {"place": None, "state": None}
    state = coupons.shown(value, clocks.gaming_day(stage["book"], _now(stage, line)))
    return {"place": value["place"], "state": state, "disputed": value["disputed"]}


def _now(stage: Json, line: Json) -> int:
    return clock_text.parse(stage["book"], line["at"])


def _kind(stage: Json, number: int, line: Json) -> str:
    kind = line.get("kind")
    if kind not in stage["book"]["words"]["kinds"]:
        raise script.ScriptError(number, "There is no kind '" + str(kind) + "'.")
    return str(kind)


def _place(stage: Json, number: int, line: Json) -> Any:
    place = line.get("place")
    if place is not None and ends.place(stage["server"], place) is None:
        raise script.ScriptError(number, "The setting has no place '" + str(place) + "'.")
    return place


def _on_hand(stage: Json, number: int, line: Json) -> Json:
    kind, place = _kind(stage, number, line), _place(stage, number, line)
    return counts.on_hand(stage["book"], _postings(stage, line), kind, place, line.get("design"))


def _reconcile(stage: Json, number: int, line: Json) -> Json:
    kind, place = _kind(stage, number, line), _place(stage, number, line)
    lines, design = _postings(stage, line), line.get("design")
    return counts.reconcile(stage["book"], lines, kind, line["day"], place, design)


def _postings(stage: Json, line: Json) -> list[Json]:
    """The postings of the items that are asked about; of everything, where none are named."""
    store = stage["server"]
    if "items" not in line:
        return list(store.postings)
    return [
        entry for code in _codes(store, line) for entry in refold.posted(stage["book"], store, code)
    ]


def _due(stage: Json, number: int, line: Json) -> list[str]:
    book, store = stage["book"], stage["server"]
    now = _now(stage, line)
    if "items" in line:
        found = clocks.due(book, store, _with_contents(store, _codes(store, line)), now)
    else:
        kind, place = _kind(stage, number, line), _place(stage, number, line)
        found = clocks.due_counts(book, store, kind, place, now)
    # What is wanted "immediately" has no period: it is on people's lists, and in no answer here.
    return sorted({e["clause"] for e in found if e["status"] == "due" and not e["at_once"]})


def _with_contents(store: Any, codes: list[str]) -> list[str]:
    """These codes and what lies in those that are envelopes: its deadlines are theirs."""
    inside = [(store.get("item", code) or {}).get("contents", []) for code in codes]
    return codes + [code for contents in inside for code in contents if code not in codes]


def _exceptions(stage: Json, number: int, line: Json) -> list[str]:
    codes = _names(stage["server"], line)
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
