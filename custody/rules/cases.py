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
    """Whether a text names a number of a case's pieces, and no item whose code has a star. What
    begins with one is a code: readers of Code 39 send its stars with it.
    """
    return text.find(STAR) > 0 and facts.get("item", text) is None


def made(event: Json) -> Json:
    """Return the cases that come into being with an event: case to number of pieces."""
    found: Json = {}
    if event["step"] == "receive" and event.get("kind") in KINDS:
        for text in event.get("items") or []:
            found.update(dict(_known(text)))
    return found


def is_piece(value: Json) -> bool:
    """Whether an item is a piece, or a range of pieces, of a case."""
    return "lot" in value and value["kind"] in KINDS


def counted(event: Json) -> Json:
    """Return the cases of which an event names a number: case to that number."""
    found: Json = {}
    for text in event.get("items") or []:
        for case, count in _known(text):
            found[case] = found.get(case, 0) + count
    return found


def _known(text: str) -> list[Any]:
    """`[[case, number]]` of a number of pieces that can be read, else []."""
    try:
        return [codes_range.expand_case(text)] if STAR in text else []
    except codes_errors.CodeRangeError:
        return []


def told(event: Json, code: str) -> bool:
    """Whether an event names a piece, or a range of pieces: by its code, its case or a number."""
    case, inside, _ = code.partition("..")[0].rpartition(serials.INSIDE)
    texts = event.get("items") or []
    return inside != "" and any(
        codes_range.covers(text, case) or home({case: 1}, text) or case in dict(_known(text))
        for text in texts
    )


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
    if value["code"] in event["whole"] + event["soft"] and value["span"][0] == value["span"][1]:
        value["labelled"] = True
    if not codes_range.covered(event["whole"], value["lot"]):
        value["own"] = event["id"]


def apart(event: Json) -> bool:
    """Whether an event is about each piece by itself."""
    return event["step"] in SINGLE or bool((event.get("with") or {}).get("pieces"))
