"""What a step names: codes as they stand, lots as a whole, serials as ranges cut to fit.

`read` answers the codes that an event is about and a store in which every range is cut as the event
needs it. Serials that are named are claimed, not their lot; a lot that is named without serials
stands for itself and the ranges that lie where it lies.
"""

from . import codes_errors, codes_range, lots, seals, serials
from .shapes import Any, Json


def read(facts: Any, event: Json) -> Json:
    """Return `codes`, `soft` (what it changes and does not claim), `facts` with the cuts made, `cuts` [[range, [code, ...]], ...], `fresh` (lot to
    starts), `saw` (of ranges), `whole` (range to lot) and `problems` [[code, values], ...].

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
    sources: Json = {}
    for run in _disjoint(wanted):
        _hold(facts, event, run, sources, named)
    for origin in sorted(sources):
        _cut(origin, sources[origin], named, named["codes"])
    if seal is not None:
        sources = {}
        _hold(facts, event, seal, sources, named)
        for origin in sources:
            _cut(origin, sources[origin], named, named["soft"])
    named["facts"] = Cut(facts, named["spans"])
    return named


def _seal(facts: Any, event: Json) -> Any:
    """The seal out of a lot that a step applies. It is used, not claimed: the step is about the items."""
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
        named["problems"].append(["serials-taken", _numbers(run, first, last, {"lot": other})])
    for first, last in serials.without(
        [run["first"], run["last"]], [[a, b] for a, b, other in taken if other != lot]
    ):
        code = serials.code(run, first, last)
        named["codes"].append(code)
        named["spans"][code] = [None, first, last]


def _numbers(run: Json, first: int, last: int, more: Json) -> Json:
    values: Json = {"first": serials.name(run, first), "last": serials.name(run, last)}
    values.update(more)
    return values


def _items(facts: Any, event: Json, named: Json, wanted: list[Json], found_lots: list[str]) -> None:
    for text in event.get("items") or []:
        first = text.partition("..")[0]
        value = facts.get("item", first)
        if lots.is_lot(value) and first == text:
            found_lots.append(text)
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
    """The runs of `with.serials`, and of `with.first` to `with.last`, in the lots that are named."""
    fields = event.get("with") or {}
    texts = fields.get("serials")
    texts = [text for text in texts] if isinstance(texts, list) else []
    if "first" in fields or "last" in fields:
        first = str(fields.get("first") or fields.get("last"))
        texts.append(first + ".." + str(fields.get("last") or first))
    if not found_lots:
        lying = [code for code in event.get("items") or []]
        found_lots_of = _lots_of(facts, lying)
    else:
        found_lots_of = found_lots
    found = []
    for text in texts if found_lots_of else []:
        try:
            found.append(_inside(facts, serials.read(text), found_lots_of, named))
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
    """A run in one of the lots: by its own stem, or by the number alone where lots repeat numbers."""
    for lot in found_lots:
        root = lots.index(facts, lot)
        if root is None or root["width"] != run["width"]:
            continue
        if root["stem"] in (run["stem"], lot + serials.INSIDE + run["stem"]):
            run = dict(run, stem=root["stem"])
            reach = [[first, last] for first, last in root["parts"]]
            _beyond(run, lot, root, reach, found_lots, named)
            return run
    values = _numbers(run, run["first"], run["last"], {"lot": ", ".join(found_lots)})
    named["problems"].append(["serials-outside", values])
    return None


def _beyond(
    run: Json, lot: str, root: Json, reach: list[list[int]], found_lots: list[str], named: Json
) -> None:
    """Note the serials of a run that lie beyond the lot, where no other lot is named."""
    if len(found_lots) > 1:
        return
    for first, last in serials.without([run["first"], run["last"]], reach):
        values = _numbers(run, first, last, {"lot": lot})
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


def _disjoint(wanted: list[Json]) -> list[Json]:
    """The same serials with no number twice, one run for each stretch."""
    by_key: Json = {}
    for run in wanted:
        entry = by_key.setdefault(serials.key(run), {"run": run, "spans": []})
        entry["spans"].append([run["first"], run["last"]])
    found = []
    for key in sorted(by_key):
        run = by_key[key]["run"]
        for first, last in serials.joined(by_key[key]["spans"]):
            found.append(dict(run, first=first, last=last))
    return found


def _hold(facts: Any, event: Json, run: Json, sources: Json, named: Json) -> None:
    """Note in `sources` which ranges hold a run, and which parts of each it names."""
    seen = _seen(event, run)
    covered = []
    for first, last, lot in lots.holders(facts, run):
        if run.get("lot") not in (None, lot):
            continue
        covered.append([first, last])
        for low, high in lots.ranges(facts, lot, first, last):
            code = serials.code(run, low, high)
            if facts.get("item", code) is None:
                values = _numbers(run, max(low, first), min(high, last), {"lot": lot})
                named["problems"].append(["serials-closed", values])
                continue
            entry = {"run": run, "span": [low, high], "lot": lot, "parts": []}
            parts = sources.setdefault(code, entry)["parts"]
            parts.extend(_by_seen([max(low, first), min(high, last)], seen))
    for first, last in serials.without([run["first"], run["last"]], covered):
        if "lot" not in run:
            named["problems"].append(["serials-outside", _numbers(run, first, last, {"lot": "-"})])


def _seen(event: Json, run: Json) -> list[list[Any]]:
    """`[first, last, event id]` of what `saw` says of serials of a run."""
    found = []
    saw = event.get("saw") or {}
    for text in saw:
        try:
            other = serials.read(text)
        except codes_errors.CodeRangeError:
            continue
        same = serials.key(other) == serials.key(run)
        if same and other["first"] <= run["last"] and other["last"] >= run["first"]:
            found.append([other["first"], other["last"], saw[text]])
    return sorted(found)


def _cut(origin: str, source: Json, named: Json, codes: list[str]) -> None:
    """Cut one range: into what is named, once for each thing that was seen of it, and the rest."""
    run, low, high = source["run"], source["span"][0], source["span"][1]
    spans = [[first, last] for first, last, _ in source["parts"]]
    for first, last, known in source["parts"]:
        code = serials.code(run, first, last)
        codes.append(code)
        named["spans"][code] = [origin, first, last]
        named["saw"][code] = known
    pieces = sorted(spans + serials.without([low, high], spans))
    if len(pieces) > 1:
        named["cuts"].append([origin, [[serials.code(run, a, b), a, b] for a, b in pieces]])
        fresh = named["fresh"].setdefault(source["lot"], [])
        fresh.extend([first for first, _ in pieces[1:]])


def _by_seen(span: list[int], seen: list[list[Any]]) -> list[list[Any]]:
    found: list[list[Any]] = []
    known = [
        [max(a, span[0]), min(b, span[1]), e] for a, b, e in seen if a <= span[1] and b >= span[0]
    ]
    for first, last in serials.without(span, [[a, b] for a, b, _ in known]):
        found.append([first, last, None])
    start = span[0]
    for first, last, event_id in known:
        if last >= max(first, start):
            found.append([max(first, start), last, event_id])
            start = last + 1
    return sorted(found, key=_first)


def _first(part: list[Any]) -> int:
    return int(part[0])


class Cut:
    """A store in which ranges are cut: `spans` is code to `[the range it is cut from, first, last]`."""

    def __init__(self, store: Any, spans: Json) -> None:
        self.store = store
        self.spans = spans

    def get(self, of: str, key: str) -> Any:
        if of != "item" or key not in self.spans:
            return self.store.get(of, key)
        origin, first, last = self.spans[key]
        return lots.sliced(self.store.get(of, origin), key, first, last) if origin else None

    def tips(self, code: str) -> list[list[Any]]:
        if code not in self.spans:
            return list(self.store.tips(code))
        origin, first, last = self.spans[code]
        tips = self.store.tips(origin) if origin else self.store.tips(code)
        return [[event_id, lots.sliced(value, code, first, last)] for event_id, value in tips]

    def names(self, code: str) -> list[str]:
        """The codes under which events were noted for these serials, before they were cut out."""
        found = [code]
        for _, value in self.tips(code) if code in self.spans else []:
            found.extend([name for name in (value or {}).get("trail", []) if name not in found])
        return found

    def parent(self, code: str, event_id: str) -> Any:
        for name in self.names(code):
            known = self.store.parent(name, event_id)
            if known is not None:
                return known
        return None

    def open(self, code: str) -> list[list[str]]:
        found: list[list[str]] = []
        for name in self.names(code):
            found.extend([entry for entry in self.store.open(name) if entry not in found])
        return found

    def claims(self, event_id: str) -> list[str]:
        return list(self.store.claims(event_id))

    def at(self, place: str) -> list[str]:
        return list(self.store.at(place))

    def sealed(self, seal: str) -> list[str]:
        return list(self.store.sealed(seal))

    def places(self, kind: str) -> list[str]:
        return list(self.store.places(kind))


def wholes(event: Json) -> Json:
    """The codes that an event names as a whole; none where it names serials of them."""
    fields = event.get("with") or {}
    if fields.get("serials") or fields.get("first") or fields.get("last"):
        return {}
    return dict.fromkeys(event.get("items") or [], True)


def reached(store: Any, event_id: Any) -> list[str]:
    """Return the codes that an event of the log has claimed, as they are named now."""
    if not event_id:
        return []
    found: list[str] = []
    for code in store.claims(event_id):
        if store.get("item", code) is None and not store.tips(code):
            found.extend(lots.find(store, code) or [code])
        else:
            found.append(code)
    return found


def corrected(store: Any, event: Json) -> Json:
    """Return what `read` does of a correction, with every range cut that the corrected event had."""
    named = codes_of(store, event)
    parts = {origin: pieces for origin, pieces in named["cuts"]}
    for code in reached(store, (event.get("with") or {}).get("event")):
        value = store.get("item", code)
        if lots.is_range(value) and code not in named["spans"]:
            pieces = parts.get(code) or [[code, value["span"][0], value["span"][1]]]
            for name, first, last in pieces:
                named["spans"].setdefault(name, [code, first, last])
    named["facts"] = Cut(store, named["spans"]) if named["spans"] else store
    return named


def last_seen(store: Any, event: Json) -> Json:
    """Return `saw` for an event written here and now: the first tip of every code that it claims."""
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


def cut_records(facts: Any, named: Json) -> list[list[Any]]:
    """Return `["item", code, value]` of the ranges that are cut, and of what is left of them."""
    records: list[list[Any]] = []
    for origin, pieces in named["cuts"]:
        value = facts.get("item", origin)
        records.append(["item", origin, None])
        for code, first, last in pieces:
            if code not in named["spans"]:
                records.append(["item", code, lots.sliced(value, code, first, last)])
    return records


def seen_of(named: Json) -> Json:
    """Return the last event of each range that is claimed, as its record has it."""
    found: Json = {}
    for code in named["spans"]:
        last = (named["facts"].get("item", code) or {}).get("last")
        if last:
            found[code] = last[0]
    return found
