"""What a step names: codes as they stand, lots as a whole, serials as ranges cut to fit.

`read` answers the codes that an event is about and a store in which every range is cut as the event
needs it. Serials that are named are claimed, not their lot; a lot that is named without serials
stands for itself and the ranges that lie where it lies; a number of a case's pieces for those that
`taking` picks.
"""

from . import (
    cases,
    codes_errors,
    codes_range,
    cuts,
    lots,
    numbered,
    papers,
    seals,
    serials,
    slicing,
    soft_codes,
    taking,
    within,
)
from .shapes import Any, Json


def read(book: Json, facts: Any, event: Json) -> Json:
    """Return what a draft names, as a dict: `codes`; `soft`, what it changes and does not claim;
    `facts` with the cuts made; `cuts` [[range, [[code, first, last], ...]], ...]; `fresh`, the new
    starts by lot; `spans`, of each range that is named, `[the range it is cut from, first, last]`;
    `saw` of ranges; `whole`, range to lot; `alike`, the ranges that a number of pieces picked;
    `opened` [[lot, run], ...], lots that come into being; `problems` [[code, values], ...].

    Raises codes_errors.CodeRangeError for a run in `items` that is none.
    """
    named = _nothing(facts)
    if event["step"] == "receive" and lots.comes(event):
        _received(facts, event, named)
        return named
    wanted: list[Json] = []
    found_lots: list[str] = []
    outer: list[str] = []
    counted = _items(book, facts, event, named, wanted, found_lots, outer)
    _twice(event, wanted, named)
    if counted:
        _counts(book, facts, event, counted, named, wanted)
    fields = event.get("with")
    if fields:
        given = within.given(facts, event, found_lots, named)
        _twice(event, given, named)
        wanted.extend(given)
    if found_lots and not wanted and not named["problems"]:
        _whole(facts, found_lots, named)
    if fields:
        wanted.extend(_soft(facts, event))
    if wanted:
        slicing.cut(facts, event, wanted, named)
    if outer:
        slicing.contents(facts, event, outer, named)
    for code in papers.codes(facts, event):
        if code not in named["codes"]:
            named["soft"].append(code)
    if named["spans"]:
        named["facts"] = cuts.Cut(facts, named["spans"])
    return named


def _twice(event: Json, runs: list[Json], named: Json) -> None:
    """Serials that are named twice are a mistake in what was entered; of a coupon that comes back
    twice, the second is a redemption of its own.
    """
    if len(runs) < 2 or event["step"] == "redeem":
        return
    for run, first, last in serials.twice([one for one in runs if not one.get("whole")]):
        named["problems"].append(["serials-twice", slicing.numbers(run, first, last, {})])


def _nothing(facts: Any) -> Json:
    return {
        "facts": facts,
        "codes": [],
        "soft": [],
        "cuts": [],
        "opened": [],
        "problems": [],
        "spans": {},
        "fresh": {},
        "saw": {},
        "whole": {},
        "alike": {},
    }


def _soft(facts: Any, event: Json) -> list[Json]:
    """The serials that a step changes and does not claim: the seal that it applies and the form
    that it uses up, with the numbers that it passes over, and the pieces of a case that give a card
    or a tile.
    """
    found: list[Json] = []
    for run in (seals.run, papers.run):
        used = run(facts, event)
        if used is not None:
            found.append(used)
            found.extend(numbered.passed_over(facts, used))
    for code in soft_codes.of(event):
        if is_serial(facts, code):
            found.append(dict(serials.read(code), each=True))
    return [dict(run, soft=True) for run in found]


def codes_of(book: Json, facts: Any, event: Json) -> Json:
    """Return what `read` does; a run that is none names nothing."""
    try:
        return read(book, facts, event)
    except codes_errors.CodeRangeError:
        return read(book, facts, dict(event, items=[]))


def _received(facts: Any, event: Json, named: Json) -> None:
    """A lot of coupons or seals comes into being."""
    texts = event.get("items") or []
    if any(cases.is_count(facts, text) for text in texts):
        named["problems"].append(["case-kind", {"kind": event["kind"]}])
        return
    codes = codes_range.expand_all(texts)
    if len(codes) != 1:
        named["codes"] = codes
        named["problems"].append(["lot-one", {"count": len(codes)}])
        return
    try:
        run = lots.numbering(event["kind"], codes[0], event.get("attributes") or {})
    except codes_errors.CodeRangeError as error:
        named["codes"] = codes
        named["problems"].append([error.code, error.values])
        return
    _opened(facts, codes[0], run, named)


def _opened(facts: Any, lot: str, run: Json, named: Json) -> None:
    """A lot comes into being with one range for each part of its run that no other lot has."""
    named["codes"].append(lot)
    if (lots.index(facts, lot) or {"parts": []})["parts"]:
        return  # it came before: what is told of it twice does not make it twice
    named["opened"].append([lot, run])
    taken = lots.holders(facts, run)
    for first, last, other in taken:
        if other != lot:
            values = slicing.numbers(run, first, last, {"lot": other})
            named["problems"].append(["serials-taken", values])
    for first, last in serials.without([run["first"], run["last"]], [[a, b] for a, b, _ in taken]):
        code = serials.code(run, first, last)
        named["codes"].append(code)
        named["spans"][code] = [None, first, last]


def _items(
    book: Json,
    facts: Any,
    event: Json,
    named: Json,
    wanted: list[Json],
    found_lots: list[str],
    outer: list[str],
) -> list[str]:
    """Note what is named, and in `outer` what may hold more; returns the numbers of pieces out of
    cases, which `_counts` picks.
    """
    received = event["step"] == "receive"
    counted = []
    for text in event.get("items") or []:
        value = facts.get("item", text)
        runs = [] if received or value is not None else numbered.told(facts, text)
        if runs:
            _numbers(text, runs, event, named, wanted)
        elif lots.is_plain(value) or (received and lots.is_lot(value)):
            named["codes"].append(text)
            if value.get("contents"):
                outer.append(text)
        elif lots.is_lot(value):
            _lot(book, facts, text, named, wanted, found_lots)
        elif cases.is_count(facts, text):
            if received:
                _new_case(facts, event, text, named)
            else:
                counted.append(text)
        elif is_serial(facts, text):
            try:
                wanted.append(dict(serials.read(text), each=cases.apart(event)))
            except codes_errors.CodeRangeError as error:
                named["problems"].append([error.code, error.values])
        else:
            for code in codes_range.expand(text):
                if not received and lots.is_lot(facts.get("item", code)):
                    _lot(book, facts, code, named, wanted, found_lots)
                else:
                    named["codes"].append(code)
                    outer.append(code)
    if len(named["codes"]) > codes_range.LIMIT:
        codes_range.expand_all(event["items"])
    return counted


def _numbers(text: str, runs: list[Json], event: Json, named: Json, wanted: list[Json]) -> None:
    """Seals or forms named by their numbers alone, which lots may share."""
    if len(runs) == 1:
        wanted.append(dict(runs[0], each=cases.apart(event)))
        return
    codes = [serials.code(run, run["first"], run["last"]) for run in runs]
    named["problems"].append(["seal-unclear", {"seal": text, "seals": codes}])


def _lot(
    book: Json, facts: Any, lot: str, named: Json, wanted: list[Json], found_lots: list[str]
) -> None:
    """A case stands for itself and what lies in it; of other lots serials may be named."""
    if facts.get("item", lot)["kind"] not in cases.KINDS:
        found_lots.append(lot)
        return
    named["codes"].append(lot)
    inside = taking.inside(book, facts, lot)
    wanted.extend(inside)
    if not inside:
        named["problems"].append(["case-empty", {"case": lot}])


def _new_case(facts: Any, event: Json, text: str, named: Json) -> None:
    """A case comes into being, with codes reserved for its pieces."""
    if event.get("kind") not in cases.KINDS:
        named["problems"].append(["case-kind", {"kind": event.get("kind")}])
        return
    case, count = codes_range.expand_case(text)
    _opened(facts, case, cases.numbering(case, count), named)


def _counts(
    book: Json, facts: Any, event: Json, texts: list[str], named: Json, wanted: list[Json]
) -> None:
    """Numbers of pieces (`CASE-0007*12`): those that are meant, and what is lacking."""
    counted: Json = {}
    for text in texts:
        case, count = codes_range.expand_case(text)
        counted[case] = counted.get(case, 0) + count
    for case in sorted(counted):
        value = facts.get("item", case)
        if value is None:
            named["codes"].append(case)
        elif not lots.is_lot(value) or value["kind"] not in cases.KINDS:
            named["problems"].append(["case-none", {"case": case}])
        else:
            _taken(book, facts, event, case, counted[case], named, wanted)


def _taken(
    book: Json, facts: Any, event: Json, case: str, count: int, named: Json, wanted: list[Json]
) -> None:
    picked = taking.pick(book, facts, event, case, count)
    wanted.extend([dict(run, each=cases.apart(event)) for run in picked["runs"]])
    if sum([serials.size(run) for run in picked["runs"]]) < count:
        values = {"case": case, "count": count, "there": picked["there"], "place": picked["place"]}
        named["problems"].append(["case-short", values])


def is_serial(facts: Any, text: str) -> bool:
    """Whether a code or a run names serials of a lot, and no item of its own."""
    value = facts.get("item", text.partition("..")[0])
    return lots.is_range(value) or (value is None and _covered(facts, text))


def _covered(facts: Any, text: str) -> bool:
    """Whether an end of a run, or some serial between them, lies in a lot."""
    first, dots, last = text.partition("..")
    if any(lots.value_of(facts, end) is not None for end in (first, last if dots else first)):
        return True
    try:
        return bool(lots.holders(facts, serials.read(text)))
    except codes_errors.CodeRangeError:
        return False


def _whole(facts: Any, found_lots: list[str], named: Json) -> None:
    """A lot that is named moves with the ranges of it that lie where it lies."""
    for lot in found_lots:
        value = facts.get("item", lot)
        named["codes"].append(lot)
        for code in lots.every(facts, lot):
            part = facts.get("item", code)
            if part is not None and part["place"] == value["place"]:
                named["codes"].append(code)
                named["spans"][code] = [code, part["span"][0], part["span"][1]]
                named["whole"][code] = lot


def wholes(event: Json) -> list[str]:
    """The codes and runs that an event names as a whole; none where it names serials of them."""
    fields = event.get("with")
    if fields and (fields.get("serials") or fields.get("first") or fields.get("last")):
        return []
    return list(event.get("items") or [])


def last_seen(book: Json, store: Any, event: Json) -> Json:
    """Return `saw` for an event written here and now: the first tip of every code it claims."""
    seen: Json = {}
    named = codes_of(book, store, event)
    known, codes = named["facts"], named["codes"]
    waiting = codes + ([event["into"]] if event.get("into") else [])
    while waiting:
        code = waiting.pop(0)
        tips = known.tips(code)
        if code in seen or not tips:
            continue
        seen[code] = tips[0][0]
        if code != event.get("into") or code in codes:
            waiting.extend(lots.inside(known, tips[0][1]))
    return seen
