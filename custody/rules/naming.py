"""What a step names: codes as they stand, lots as a whole, serials as ranges cut to fit.

`read` answers the codes that an event is about and a store in which every range is cut as the event
needs it. Serials that are named are claimed, not their lot; a lot that is named without serials
stands for itself and the ranges that lie where it lies.
"""

from . import codes_errors, codes_range, cuts, lots, seals, serials, slicing
from .shapes import Any, Json


def read(facts: Any, event: Json) -> Json:
    """Return what a draft names, as a dict: `codes`; `soft`, what it changes and does not claim;
    `facts` with the cuts made; `cuts` [[range, [[code, first, last], ...]], ...]; `fresh`, the new
    starts by lot; `spans`, of each range that is named, `[the range it is cut from, first, last]`;
    `saw` of ranges; `whole`, range to lot; `problems` [[code, values], ...].

    Raises codes_errors.CodeRangeError for a run in `items` that is none.
    """
    named: Json = {"codes": [], "spans": {}, "cuts": [], "fresh": {}, "saw": {}, "whole": {}}
    named["problems"] = []
    named["soft"] = []
    named["facts"] = facts
    if event["step"] == "receive" and event.get("kind") in lots.KINDS:
        _received(facts, event, named)
        return named
    wanted: list[Json] = []
    found_lots: list[str] = []
    _items(facts, event, named, wanted, found_lots)
    given = _given(facts, event, found_lots, named)
    wanted.extend(given)
    seal = _seal(facts, event)
    if not wanted and not found_lots and seal is None:
        return named
    if found_lots and not wanted and not named["problems"]:
        _whole(facts, found_lots, named)
    slicing.cut(facts, event, wanted, named, named["codes"])
    if seal is not None:
        slicing.cut(facts, event, [seal], named, named["soft"])
    named["facts"] = cuts.Cut(facts, named["spans"])
    return named


def _seal(facts: Any, event: Json) -> Any:
    """The seal out of a lot that a step applies. It is used, not claimed: the step is about the
    items.
    """
    seal = (event.get("with") or {}).get("seal") if event["step"] in seals.STEPS else None
    run = seals.meant(facts, seal) if seal else None
    used = run is None or lots.value_of(facts, serials.name(run, run["first"])).get("on")
    return None if used else run


def codes_of(facts: Any, event: Json) -> Json:
    """Return what `read` does; a run that is none names nothing."""
    try:
        return read(facts, event)
    except codes_errors.CodeRangeError:
        return read(facts, dict(event, items=[]))


def _received(facts: Any, event: Json, named: Json) -> None:
    """A lot comes into being with one range for each part of its run that no other lot has."""
    named["codes"] = codes_range.expand_all(event.get("items") or [])
    if len(named["codes"]) != 1:
        named["problems"].append(["lot-one", {"count": len(named["codes"])}])
        return
    lot = named["codes"][0]
    try:
        run = lots.numbering(event["kind"], lot, event.get("attributes") or {})
    except codes_errors.CodeRangeError as error:
        named["problems"].append([error.code, error.values])
        return
    taken = lots.holders(facts, run)
    for first, last, other in taken:
        if other == lot:
            continue
        named["problems"].append(
            ["serials-taken", slicing.numbers(run, first, last, {"lot": other})]
        )
    for first, last in serials.without(
        [run["first"], run["last"]], [[a, b] for a, b, other in taken if other != lot]
    ):
        code = serials.code(run, first, last)
        named["codes"].append(code)
        named["spans"][code] = [None, first, last]


def _items(facts: Any, event: Json, named: Json, wanted: list[Json], found_lots: list[str]) -> None:
    for text in event.get("items") or []:
        value = facts.get("item", text)
        if lots.is_lot(value):
            found_lots.append(text)
        elif value is not None and not lots.is_range(value):
            named["codes"].append(text)
        elif is_serial(facts, text):
            try:
                wanted.append(serials.read(text))
            except codes_errors.CodeRangeError as error:
                named["problems"].append([error.code, error.values])
        else:
            named["codes"].extend(codes_range.expand(text))
    if len(named["codes"]) > codes_range.LIMIT:
        codes_range.expand_all(event["items"])


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


def _given(facts: Any, event: Json, found_lots: list[str], named: Json) -> list[Json]:
    """The runs of `with.serials`, and of `with.first` to `with.last`, in the lots named."""
    fields = event.get("with") or {}
    texts = fields.get("serials")
    texts = list(texts) if isinstance(texts, list) else []
    if "first" in fields or "last" in fields:
        first = str(fields.get("first") or fields.get("last"))
        texts.append(first + ".." + str(fields.get("last") or first))
    reach = found_lots or _lots_of(facts, event.get("items") or [])
    found = []
    for text in texts if reach else []:
        try:
            found.append(_inside(facts, serials.read(text), reach, named))
        except codes_errors.CodeRangeError as error:
            named["problems"].append([error.code, error.values])
    return [run for run in found if run is not None]


def _lots_of(facts: Any, texts: list[str]) -> list[str]:
    """The lots in which the serials that are named lie."""
    found: list[str] = []
    for text in texts:
        value = lots.value_of(facts, text.partition("..")[0])
        if lots.is_range(value) and value["lot"] not in found:
            found.append(value["lot"])
    return found


def _inside(facts: Any, run: Json, found_lots: list[str], named: Json) -> Any:
    """A run in one of the lots: by its own stem, or by its number where lots repeat numbers."""
    for lot in found_lots:
        root = lots.index(facts, lot)
        if root is None or root["width"] != run["width"]:
            continue
        if root["stem"] in (run["stem"], lot + serials.INSIDE + run["stem"]):
            run = dict(run, stem=root["stem"])
            reach = [[first, last] for first, last in root["parts"]]
            _beyond(run, lot, root, reach, found_lots, named)
            return run
    values = slicing.numbers(run, run["first"], run["last"], {"lot": ", ".join(found_lots)})
    named["problems"].append(["serials-outside", values])
    return None


def _beyond(
    run: Json, lot: str, root: Json, reach: list[list[int]], found_lots: list[str], named: Json
) -> None:
    """Note the serials of a run that lie beyond the lot, where no other lot is named."""
    if len(found_lots) > 1:
        return
    for first, last in serials.without([run["first"], run["last"]], reach):
        values = slicing.numbers(run, first, last, {"lot": lot})
        if reach:
            values["lot_first"] = serials.name(root, reach[0][0])
            values["lot_last"] = serials.name(root, reach[-1][1])
        named["problems"].append(["serials-outside", values])
    run["lot"] = lot


def _whole(facts: Any, found_lots: list[str], named: Json) -> None:
    """A lot that is named moves with the ranges of it that lie where it lies."""
    for lot in found_lots:
        value = facts.get("item", lot)
        named["codes"].append(lot)
        for code in lots.every(facts, lot):
            part = facts.get("item", code)
            if part is not None and part["place"] == value["place"] and not part.get("gone"):
                named["codes"].append(code)
                named["spans"][code] = [code, part["span"][0], part["span"][1]]
                named["whole"][code] = lot


def wholes(event: Json) -> Json:
    """The codes that an event names as a whole; none where it names serials of them."""
    fields = event.get("with") or {}
    if fields.get("serials") or fields.get("first") or fields.get("last"):
        return {}
    return dict.fromkeys(event.get("items") or [], True)


def last_seen(store: Any, event: Json) -> Json:
    """Return `saw` for an event written here and now: the first tip of every code it claims."""
    seen: Json = {}
    named = codes_of(store, event)
    known, codes = named["facts"], named["codes"]
    waiting = codes + ([event["into"]] if event.get("into") else [])
    while waiting:
        code = waiting.pop(0)
        tips = known.tips(code)
        if code in seen or not tips:
            continue
        seen[code] = tips[0][0]
        if code != event.get("into") or code in codes:
            waiting.extend((tips[0][1] or {}).get("contents", []))
    return seen
