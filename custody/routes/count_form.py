"""Read the form of a count: codes as they were scanned, and what is counted in cases and loose."""

from typing import Any, NamedTuple

from flask import request

from custody.documents import scans
from custody.routes import step_fields
from custody.routes.step_fields import FieldError
from custody.routes.words import words
from custody.rules import lots

Value = dict[str, Any]
NUMBERS = ("cases", "size", "loose")


class Counted(NamedTuple):
    """What was entered: the fields of the event, what is wrong by field, codes entered twice."""

    fields: Value
    wrong: dict[str, str]
    twice: list[str]


def read() -> Counted:
    """Return what the form says was found. An empty place is found empty only if that is ticked."""
    wrong: dict[str, str] = {}
    codes, amounts, twice = _typed(wrong)
    by_case = _cases(wrong)
    fields = {**by_case.pop("fields", {}), "blind": True}
    amounts |= by_case
    if not wrong and not codes and not amounts and request.form.get("nothing") != "yes":
        wrong["found"] = words("counts.nothing_entered")
    found: Any = codes
    if amounts or not codes:
        found = {**dict.fromkeys(codes, 1), **amounts}
    return Counted({"found": found, **fields, **_opened()}, wrong, twice)


def _opened() -> Value:
    at = request.form.get("opened", "")
    return {"opened": int(at)} if at.isascii() and at.isdigit() and len(at) < 15 else {}


def _typed(wrong: dict[str, str]) -> tuple[list[str], dict[str, int], list[str]]:
    """Return the codes of single pieces, what has a number, and the codes that came again."""
    codes: dict[str, int] = {}
    amounts: dict[str, int] = {}
    try:
        for line in request.form.get("found", "").splitlines():
            parts = line.split()
            if len(parts) == 2 and parts[1].isascii() and parts[1].isdigit():
                amounts[_clean(parts[0])] = int(parts[1])
                continue
            for code in _pieces(line):
                codes[code] = codes.get(code, 0) + 1
    except FieldError as error:
        wrong["found"] = str(error)
    return list(codes), amounts, [code for code, times in codes.items() if times > 1]


def _pieces(line: str) -> list[str]:
    """Runs of serials stay runs: they may be of a million."""
    of_lots = request.form.get("kind") in lots.KINDS
    return step_fields.cleaned(line) if of_lots else step_fields.expanded(line)


def _clean(text: str) -> str:
    scanned = scans.read(text, {"typed": True})
    return str(scanned["code"] or scanned["gtin"] or scanned["text"])


def _cases(wrong: dict[str, str]) -> Value:
    """Return the number of a design or lot that is counted in sealed cases and loose pieces."""
    design = _clean(request.form.get("design", "").strip())
    typed = {name: request.form.get(name, "").strip() for name in NUMBERS}
    if not design:
        if any(typed.values()):
            wrong["design"] = words("counts.design_missing")
        return {}
    numbers: dict[str, int] = {}
    for name, text in typed.items():
        if text and not (text.isascii() and text.isdigit() and len(text) < 8):
            wrong[name] = words("steps.whole", typed=text)
            continue
        numbers[name] = int(text or "0")
    if "cases" in numbers and numbers["cases"] and not numbers.get("size"):
        wrong.setdefault("size", words("counts.size_missing"))
    if wrong:
        return {}
    total = numbers["cases"] * numbers["size"] + numbers["loose"]
    return {design: total, "fields": {"cases": numbers["cases"], "loose": numbers["loose"]}}
