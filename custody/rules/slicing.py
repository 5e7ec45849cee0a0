"""Which ranges hold the serials that an event names, and how it cuts them."""

from . import codes_errors, lots, serials
from .shapes import Any, Json


def cut(facts: Any, event: Json, wanted: list[Json], named: Json, codes: list[str]) -> None:
    """Cut the ranges that hold these runs, at their ends and where what `saw` says of them changes.

    The parts that are named are added to `codes`; what no lot has to `named["problems"]`.
    """
    sources: Json = {}
    for run in _disjoint(wanted):
        _hold(facts, event, run, sources, named)
    for origin in sorted(sources):
        _cut(origin, sources[origin], named, codes)


def numbers(run: Json, first: int, last: int, more: Json) -> Json:
    """Return what a sentence says of serials: the first, the last, and more."""
    values: Json = {"first": serials.name(run, first), "last": serials.name(run, last)}
    values.update(more)
    return values


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
                values = numbers(run, max(low, first), min(high, last), {"lot": lot})
                named["problems"].append(["serials-closed", values])
                continue
            entry = {"run": run, "span": [low, high], "lot": lot, "parts": []}
            parts = sources.setdefault(code, entry)["parts"]
            parts.extend(_by_seen([max(low, first), min(high, last)], seen))
    for first, last in serials.without([run["first"], run["last"]], covered):
        if "lot" not in run:
            named["problems"].append(["serials-outside", numbers(run, first, last, {"lot": "-"})])


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
