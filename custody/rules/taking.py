"""Which pieces of a case a number of them means: `CASE-0007*12` is the next twelve of it.

Pieces without a label are alike, so those are meant with which the step can be done: lying loose
at one place, in a state that the step starts from. What the event's author saw comes first, so that
who took twelve goes on with the same twelve, whatever others have taken meanwhile.
"""

from . import cases, codes_errors, days, ends, lots, serials, traits
from .book import holds, on, select
from .shapes import Any, Json


def pick(book: Json, facts: Any, event: Json, case: str, count: int) -> Json:
    """Return `{"runs": [run, ...], "there", "place"}`: the pieces that are meant, in one place.

    `runs` are of fewer than `count` pieces where not so many are there; what the event saw of the
    case, and what went elsewhere since, is then among them: `there` is what is left without it.
    """
    root = lots.index(facts, case)
    pool = _pool(book, facts, event, case)
    runs: list[Json] = []
    left = count
    for value in pool:
        if left:
            first = value["span"][0]
            last = min(value["span"][1], first + left - 1)
            runs.append(_run(root, case, first, last, True))
            left -= last - first + 1
    place = pool[0]["place"] if pool else event.get("from") or facts.get("item", case)["place"]
    found = {"runs": runs, "there": count - left, "place": place}
    if left:
        runs.extend(_elsewhere(event, root, case, runs, left))
    return found


def inside(book: Json, facts: Any, case: str) -> list[Json]:
    """Return the runs of the pieces that lie in a case, or loose beside it at its place."""
    root, place = lots.index(facts, case), facts.get("item", case)["place"]
    loose = _loose(book, facts, {}, case)
    spans = [value["span"] for value in loose if value["place"] == place]
    return [dict(_run(root, case, first, last, False), whole=True) for first, last in spans]


def asked(book: Json, facts: Any, draft: Json) -> list[Json]:
    """Return of which cases a form asks how many pieces: `[{"case", "there", "count"}, ...]`.

    `there` is how many lie in the case, `count` how many are named so far (None: all of it). Where
    cases come into being there is one line without a case: how many pieces each of them has.
    """
    if draft["step"] == "receive":
        return (
            [{"case": "", "there": None, "count": None}] if draft.get("kind") in cases.KINDS else []
        )
    found = []
    counted = cases.counted(draft)
    for text in draft.get("items") or []:
        case = text.rpartition(cases.STAR)[0] if cases.is_count(facts, text) else text
        value = facts.get("item", case)
        if lots.is_lot(value) and value["kind"] in cases.KINDS:
            there = sum([serials.size(run) for run in inside(book, facts, case)])
            found.append({"case": case, "there": there, "count": counted.get(case)})
    return found


def _run(root: Json, case: str, first: int, last: int, any_of: bool) -> Json:
    run = {"stem": root["stem"], "width": root["width"], "first": first, "last": last}
    return dict(run, lot=case, alike=any_of)


def _pool(book: Json, facts: Any, event: Json, case: str) -> list[Json]:
    """The loose pieces that the step can be about, all at one place, in the order of taking."""
    view = _view(book, facts, event)
    ranked: list[Any] = []
    for value in _loose(book, facts, event, case):
        seen = 0 if any(key in view["saw"] for key in value.get("last", [])) else 1
        fit = 0 if _fits(view, value) else 1
        spot = str(value["place"]) + " " + str(value["holder"])
        ranked.append([[fit, seen, _distance(facts, event, case, value), spot], value])
    best = min([rank for rank, _ in ranked]) if ranked else []
    pool = [one for one in ranked if one[0][0] == best[0] and one[0][3] == best[3]]
    keys = sorted(
        [
            (rank[1], bool(value.get("labelled")), value["span"][0], n)
            for n, (rank, value) in enumerate(pool)
        ]
    )
    return [pool[key[3]][1] for key in keys]


def _loose(book: Json, facts: Any, event: Json, case: str) -> list[Json]:
    """The pieces that are in custody and in no envelope, at `from` where a step says that."""
    values = [facts.get("item", code) for code in lots.every(facts, case)]
    return [
        value
        for value in values
        if value is not None
        and value["state"] not in book["gone"]
        and value["in"] is None
        and event.get("from") in (None, value["place"])
    ]


def _distance(facts: Any, event: Json, case: str, value: Json) -> int:
    """How far from what the step asks for pieces lie: 0 where it is done, 1 in its table's pit, 2
    where the case is, 3 elsewhere, 4 where they are to go.
    """
    place = value["place"]
    if place is not None and place == event.get("to"):
        return 4
    if place is not None and place == event.get("where"):
        return 0
    for role in ("to", "where"):
        table = facts.get("place", event[role]) if event.get(role) else None
        if place is not None and place == (table or {}).get("pit"):
            return 1
    return 2 if place == facts.get("item", case)["place"] else 3


def _view(book: Json, facts: Any, event: Json) -> Json:
    """What the choice of a rulebook's entry asks of a step: a context without items."""
    day = days.gaming_day(book, event["at"])
    saw = event.get("saw") or {}
    view: Json = {"book": on(book, day), "facts": facts, "draft": event, "day": day}
    view.update({"step": event["step"], "with": event.get("with") or {}, "codes": []})
    view["saw"] = {saw[key]: True for key in saw if saw[key]}
    for role in ("to", "where", "from"):
        view[role + "_id"] = event.get(role)
        view[role] = ends.place(facts, event[role]) if event.get(role) else None
    return view


def _fits(view: Json, value: Json) -> bool:
    """Whether the rulebook foresees the step for a piece in its present state."""
    words = traits.of(view, value, None)
    entry = select(view["book"], view["step"], words, view["day"])
    if entry is None:
        return False
    return all(
        words["state"] in need["any"]
        for need in entry["needs"]
        if need["is"] == "state" and holds(need["tests"], words)
    )


def _elsewhere(event: Json, root: Json, case: str, runs: list[Json], left: int) -> list[Json]:
    """Pieces that the author saw and that are not there any more: someone else has them now."""
    found: list[Json] = []
    here = [[run["first"], run["last"]] for run in runs]
    for text in sorted(event.get("saw") or {}):
        try:
            run = serials.read(text)
        except codes_errors.CodeRangeError:
            continue
        if serials.key(run) != serials.key(root):
            continue
        for first, last in serials.without([run["first"], run["last"]], serials.joined(here)):
            last = min(last, first + left - 1)
            if last >= first:
                found.append(_run(root, case, first, last, False))
                left -= last - first + 1
    return found
