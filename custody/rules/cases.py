"""Cases: stock without a label on each piece, of which a step names a number (`CASE-0007*12`).

A case is a lot (`lots`) whose serials are the codes reserved for its pieces: what is received as
`CASE-0007*144` are `CASE-0007/001` to `CASE-0007/144`, one record for each part that has one and
the same history. A piece that needs an identity of its own gets its reserved code on a label, and
is named by it from then on.
"""

from . import codes_errors, codes_range, serials
from .shapes import Any, Json

KINDS = ("dice", "cards", "tiles")
STAR = "*"
DIGITS = 3  # of the pieces' numbers, or more where there are more pieces
# Steps that change one piece and not another: a card out of this deck, a tile out of that set.
SINGLE = ("swap", "split", "rebuild")


def is_count(facts: Any, text: str) -> bool:
    """Whether a text names a number of a case's pieces, and no item whose code has a star."""
    return STAR in text and facts.get("item", text) is None


def read(text: str) -> list[list[Any]]:
    """Return `[case, number]` of what a text names: `CASE-01..CASE-03*144` are three cases.

    Raises codes_errors.CodeRangeError where the number is none from 1 to 100,000.
    """
    head, _, count = text.rpartition(STAR)
    cases = codes_range.expand(head) if head else [head]
    return [list(codes_range.expand_case(case + STAR + count)) for case in cases]


def made(event: Json) -> Json:
    """Return the cases that come into being with an event: case to number of pieces."""
    found: Json = {}
    if event["step"] == "receive" and event.get("kind") in KINDS:
        for text in event.get("items") or []:
            if STAR in text:
                found.update(dict(_known(text)))
    return found


def is_piece(value: Json) -> bool:
    """Whether an item is a piece, or a range of pieces, of a case."""
    return "lot" in value and value["kind"] in KINDS


def counted(event: Json) -> Json:
    """Return the cases of which an event names a number: case to that number."""
    found: Json = {}
    for text in event.get("items") or []:
        for case, count in _known(text) if STAR in text else []:
            found[case] = found.get(case, 0) + count
    return found


def _known(text: str) -> list[list[Any]]:
    try:
        return read(text)
    except codes_errors.CodeRangeError:
        return []


def named(event: Json) -> Json:
    """Return what may be the cases of which an event names pieces, whatever the way."""
    found = dict(counted(event))
    for text in event.get("items") or []:
        if STAR not in text:
            stem, inside, _ = text.partition("..")[0].rpartition(serials.INSIDE)
            found[stem if inside else text] = 1
    return found


def names(event: Json, code: str, value: Any) -> bool:
    """Whether an event names these pieces, and not only what they lie in."""
    case = (value or {}).get("lot") or home(made(event), code)
    if case is None or (value and value["in"] is not None):
        return False
    texts = event.get("items") or []
    return any(text == case or home({case: 1}, text) or _of(case, text) for text in texts)


def _of(case: str, text: str) -> bool:
    return STAR in text and case in counted({"items": [text]})


def numbering(case: str, count: int) -> Json:
    """Return the run of the codes that are reserved for a case's pieces."""
    width = max(DIGITS, len(str(count)))
    return {"stem": case + serials.INSIDE, "width": width, "first": 1, "last": count}


def home(cases: Json, code: str) -> Any:
    """Return which of these cases a code is a piece, or a run of pieces, of; None for none."""
    stem, inside, _ = code.partition("..")[0].rpartition(serials.INSIDE)
    return stem if inside and stem in cases else None


def begin(value: Json, cases: Json, code: str) -> None:
    """Make a new item's value that of a case, or of its pieces."""
    if code in cases:
        run = numbering(code, cases[code])
        value["serials"] = [serials.name(run, 1), serials.name(run, cases[code])]
        value["pieces"] = value["pieces"] * cases[code]
        return
    run = serials.read(code)
    value["lot"] = home(cases, code)
    value["span"] = [run["first"], run["last"]]
    value["pieces"] = value["pieces"] * serials.size(run)
    value["own"] = None
    value["trail"] = []


def touched(value: Json, event: Json) -> None:
    """Note which event named pieces last, and that one which is named alone has its label."""
    if value["lot"] in event["whole"]:
        return
    value["own"] = event["id"]
    if value["lot"] not in event["counted"] and value["span"][0] == value["span"][1]:
        value["labelled"] = True


def apart(event: Json) -> bool:
    """Whether an event is about each piece by itself."""
    return event["step"] in SINGLE or bool((event.get("with") or {}).get("pieces"))
