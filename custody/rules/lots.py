"""Lots of serials and the ranges into which they are cut.

A lot is an item of its own (its code, its attributes). Its serials are further items, one for each
*range* whose serials have one and the same history: `MP-000001..MP-000500` after the receipt,
`MP-000007` once this one was redeemed. A range is cut where an event names a part of it, so an
event costs what it names, not what the lot holds. Which ranges a lot has stands in tasks:

    serials:<stem>:<width>   {"lots": [[first, last, lot], ...]}, sorted, disjoint
    lot:<code>               {"stem", "width", "kind", "parts": [[first, last], ...],
                              "pages": [start, ...]}
    lot:<code>:<start>       {"starts": [first of each range, ...]}: a page, at most PAGE of them
"""

from . import cases, serials
from .shapes import Any, Json

KINDS = ("coupons", "seals", "form")
# Where a number alone finds the lots of its kind: colours of seals, and forms of several documents,
# have the same numbers.
BY_NUMBER = {"seals": "seals:", "form": "forms:"}
PAGE = 128


def comes(event: Json) -> bool:
    """Whether a receipt is of a lot of serials; a single part of a form is none."""
    kind = event.get("kind")
    return kind in KINDS and (kind != "form" or event.get("form") == "lot")


def is_lot(value: Any) -> bool:
    """Whether an item is a lot, whose serials are items of their own."""
    return value is not None and "serials" in value


def is_range(value: Any) -> bool:
    """Whether an item is a range of a lot's serials."""
    return value is not None and "lot" in value


def is_plain(value: Any) -> bool:
    """Whether an item is known, and neither a lot nor a range."""
    return value is not None and "lot" not in value and "serials" not in value


def is_serial(value: Any) -> bool:
    """Whether an item is a range of coupons, seals or forms, whose life is that of serials."""
    return value is not None and "lot" in value and value["kind"] in KINDS


def size(value: Json) -> int:
    """Return how many things an item is: of a range its serials or pieces, else one."""
    return int(value["span"][1]) - int(value["span"][0]) + 1 if "lot" in value else 1


def each(value: Json) -> int:
    """Return the dice, cards or tiles of one piece: of an item, or of each of a range of pieces."""
    return int(value["pieces"]) // size(value)


def inside(facts: Any, value: Any) -> list[str]:
    """Return the codes of what lies in an envelope, ranges as they are cut by now."""
    found: list[str] = []
    for code in (value or {}).get("contents", []):
        found.extend([code] if facts.get("item", code) is not None else find(facts, code) or [code])
    return found


def numbering(kind: str, lot: str, attributes: Json) -> Json:
    """Return the run of a lot's serials. Seals of several colours repeat numbers, as forms do:
    theirs are named `LOT/NUMBER`. Raises CodeRangeError.
    """
    run = serials.between(str(attributes.get("first")), str(attributes.get("last")))
    if kind in BY_NUMBER:
        run["stem"] = lot + serials.INSIDE + run["stem"]
    return run


def sliced(value: Any, code: str, first: int, last: int) -> Any:
    """Return the value of a part of a range."""
    if value is None:
        return None
    pieces = each(value) * (last - first + 1)
    return dict(value, code=code, span=[first, last], pieces=pieces)


def index(facts: Any, lot: str) -> Any:
    """Return what is known of a lot's ranges, None for a code that is no lot."""
    return facts.get("task", "lot:" + lot)


def holders(facts: Any, run: Json) -> list[list[Any]]:
    """Return `[first, last, lot]` of the lots that hold serials of a run, clipped to it."""
    known = (facts.get("task", "serials:" + serials.key(run)) or {}).get("lots", [])
    return [
        [max(first, run["first"]), min(last, run["last"]), lot]
        for first, last, lot in known
        if first <= run["last"] and last >= run["first"]
    ]


def ranges(facts: Any, lot: str, first: int, last: int) -> list[list[int]]:
    """Return `[first, last]` of each range of a lot that has serials from one number to another."""
    found = []
    root = index(facts, lot)
    for low, high in root["parts"] if root else []:
        if low <= last and high >= first:
            starts = _starts(facts, lot, root, max(low, first), min(high, last))
            ends = [start - 1 for start in starts[1:]] + [_end(facts, lot, root, starts[-1], high)]
            found.extend([[start, ends[n]] for n, start in enumerate(starts)])
    return found


def _starts(facts: Any, lot: str, root: Json, first: int, last: int) -> list[int]:
    """The starts of the ranges that reach into first..last, the one that holds `first` included."""
    pages = root["pages"]
    found: list[int] = []
    for number in range(place(pages, first), place(pages, last) + 1):
        found.extend(page(facts, lot, pages[number]))
    return found[place(found, first) : place(found, last) + 1]


def _end(facts: Any, lot: str, root: Json, start: int, high: int) -> int:
    """The last serial of the range that starts there: the one before the next start of its part."""
    pages = root["pages"]
    number = place(pages, start)
    starts = page(facts, lot, pages[number])
    after = place(starts, start) + 1
    if after < len(starts):
        return min(high, starts[after] - 1)
    return min(high, pages[number + 1] - 1) if number + 1 < len(pages) else high


def around(facts: Any, lot: str, number: int, most: int) -> list[list[int]]:
    """Return `[first, last]` of the range in which a number lies, and of at most so many on either
    side of it in its run; [] for a number that the lot has not.
    """
    root = index(facts, lot)
    for low, high in root["parts"] if root else []:
        if low <= number <= high:
            starts = _near(facts, lot, root["pages"], number)
            starts = [start for start in starts if low <= start <= high]
            here = place(starts, number)
            kept = starts[max(0, here - most) : here + most + 1]
            ends = [start - 1 for start in kept[1:]] + [_end(facts, lot, root, kept[-1], high)]
            return [[start, ends[n]] for n, start in enumerate(kept)]
    return []


def _near(facts: Any, lot: str, pages: list[int], number: int) -> list[int]:
    """The starts on the page of a number and on those beside it."""
    at = place(pages, number)
    found: list[int] = []
    for one in pages[max(0, at - 1) : at + 2]:
        found.extend(page(facts, lot, one))
    return found


def page(facts: Any, lot: str, start: int) -> list[int]:
    return list(
        (facts.get("task", "lot:" + lot + ":" + str(start)) or {"starts": [start]})["starts"]
    )


def place(numbers: list[int], wanted: int) -> int:
    """Return the index of the last of these sorted numbers not above `wanted`; 0 if all are."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] <= wanted:
            low = middle + 1
        else:
            high = middle
    return max(0, low - 1)


def every(facts: Any, lot: str) -> list[str]:
    """Return the codes of all ranges of a lot, in order."""
    root = index(facts, lot)
    if root is None:
        return []
    found = []
    for first, last in root["parts"]:
        found.extend([serials.code(root, a, b) for a, b in ranges(facts, lot, first, last)])
    return found


def find(facts: Any, code: str) -> list[str]:
    """Return the codes of the ranges that a code stands for: a serial, a run of them, a lot.

    A code that is an item and no lot is itself; [] for one that is nothing known.
    """
    value = facts.get("item", code)
    if value is None and cases.STAR in code:
        code = code.rpartition(cases.STAR)[0]
        value = facts.get("item", code)
    if is_lot(value):
        return every(facts, code)
    if value is not None:
        return [code]
    if serials.split(code.partition("..")[0])[1] == 0:
        return []
    run = serials.read(code)
    found = []
    for first, last, lot in holders(facts, run):
        found.extend([serials.code(run, a, b) for a, b in ranges(facts, lot, first, last)])
    return found


def asked(facts: Any, code: str) -> list[str]:
    """Return the ranges of a lot that is asked about; anything else is asked about itself."""
    return every(facts, code) if is_lot(facts.get("item", code)) else [code]


def value_of(facts: Any, code: str) -> Any:
    """Return the value of an item, or of the range in which a serial lies; None for neither."""
    value = facts.get("item", code)
    if value is None and ".." not in code:
        holding = find(facts, code)
        value = facts.get("item", holding[0]) if holding else None
    return value


def key(value: Any) -> Any:
    """What tells ranges apart by more than state and place: lot, and whether it was redeemed."""
    return (value.get("lot"), bool(value.get("redeemed")))


def design(value: Json) -> Any:
    """Return what a coupon is counted under: type and denomination, `match_play:1000`."""
    if value["kind"] != "coupons":
        return None
    attributes = value["attributes"]
    return str(attributes.get("type")) + ":" + str(attributes.get("denomination"))


def same(value: Any, seen: Any) -> bool:
    """Whether an event that saw this of a range saw what it is: the last event that named its
    serials, none where only the lot was named so far.
    """
    return is_range(value) and value["own"] == seen


def followed(new: Any, old: Any) -> Any:
    """Return a range's value with the codes under which its events are noted."""
    if not is_range(new):
        return new
    trail = list((old or {}).get("trail", []))
    if new["code"] not in trail:
        trail.append(new["code"])
    return dict(new, trail=trail)
