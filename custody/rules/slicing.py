"""Which ranges hold the serials that an event names, and how it cuts them."""

from . import codes_errors, lots, serials
from .shapes import Any, Json


def cut(facts: Any, event: Json, wanted: list[Json], named: Json) -> None:
    """Cut the ranges that hold these runs, at their ends and where what `saw` says of them changes.

    The parts that are named are added to `named["codes"]` (of `soft` runs to `named["soft"]`), what
    no lot has to `named["problems"]`. A run may say `alike`: any pieces would do as well as these;
    and `each`: it is cut into single pieces.
    """
    sources: Json = {}
    for run in _disjoint(wanted):
        _hold(facts, event, run, sources, named)
    for origin in sorted(sources):
        _cut(origin, sources[origin], named)


def contents(facts: Any, event: Json, outer: list[str], named: Json) -> None:
    """Note the ranges that lie in envelopes that are named, with what the event saw of them."""
    waiting = list(outer)
    seen: Json = {}
    while waiting:
        code = waiting.pop()
        if code in seen:
            continue  # an envelope that was said to lie in itself
        seen[code] = True
        value = facts.get("item", code) if code not in named["spans"] else None
        if value is None or not value.get("contents"):
            continue
        for inner in lots.inside(facts, value):
            waiting.append(inner)
            part = facts.get("item", inner)
            if lots.is_range(part) and inner not in named["spans"]:
                first, last = part["span"]
                named["spans"][inner] = [inner, first, last]
                run = serials.read(inner)
                named["saw"][inner] = _by_seen([first, last], _seen(event, run))[0][2]


def numbers(run: Json, first: int, last: int, more: Json) -> Json:
    """Return what a sentence says of serials: the first, the last, and more."""
    values: Json = {"first": serials.name(run, first), "last": serials.name(run, last)}
    values.update(more)
    return values


def _disjoint(wanted: list[Json]) -> list[Json]:
    """The same serials with no number twice, one run for each stretch; what is claimed goes before
    what only changes.
    """
    groups: Json = {}
    for run in wanted:
        flags = [bool(run.get(flag)) for flag in ("soft", "alike", "whole", "passed")]
        group = [flags, serials.key(run)]
        entry = groups.setdefault(str(group), {"order": group, "run": run, "spans": []})
        entry["spans"].append([run["first"], run["last"]])
    taken: Json = {}
    found = []
    for _, name in sorted([(groups[name]["order"], name) for name in groups]):
        run = groups[name]["run"]
        before = taken.setdefault(serials.key(run), [])
        for span in serials.joined(groups[name]["spans"]):
            for first, last in serials.without(span, serials.joined(before)):
                found.append(dict(run, first=first, last=last))
                before.append([first, last])
    return found


def _hold(facts: Any, event: Json, run: Json, sources: Json, named: Json) -> None:
    """Note in `sources` which ranges hold a run, and which parts of each it names."""
    seen = [] if run.get("alike") else _seen(event, run)
    covered = []
    for first, last, lot in lots.holders(facts, run):
        if run.get("lot") not in (None, lot):
            continue
        covered.append([first, last])
        for low, high in lots.ranges(facts, lot, first, last):
            code = serials.code(run, low, high)
            span = [max(low, first), min(high, last)]
            if facts.get("item", code) is None:
                values = numbers(run, span[0], span[1], {"lot": lot})
                named["problems"].append(["serials-closed", values])
                continue
            entry = {"run": run, "span": [low, high], "lot": lot, "parts": []}
            parts = sources.setdefault(code, entry)["parts"]
            parts.extend([[a, b, known, run] for a, b, known in _pieces(run, span, seen)])
    for first, last in serials.without([run["first"], run["last"]], serials.joined(covered)):
        if "lot" not in run:
            named["problems"].append(["serials-outside", numbers(run, first, last, {"lot": "-"})])


def _pieces(run: Json, span: list[int], seen: list[list[Any]]) -> list[list[Any]]:
    parts = _by_seen(span, seen)
    if not run.get("each"):
        return parts
    return [[n, n, known] for first, last, known in parts for n in range(first, last + 1)]


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


def _cut(origin: str, source: Json, named: Json) -> None:
    """Cut one range: into what is named, once for each thing that was seen of it, and the rest."""
    run, low, high = source["run"], source["span"][0], source["span"][1]
    spans = sorted([[first, last] for first, last, _, _ in source["parts"]])
    for first, last, known, wanted in source["parts"]:
        code = serials.code(run, first, last)
        named["soft" if wanted.get("soft") else "codes"].append(code)
        named["spans"][code] = [origin, first, last]
        named["saw"][code] = known
        if wanted.get("alike"):
            named["alike"][code] = True
        if wanted.get("whole"):
            named["whole"][code] = source["lot"]
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
