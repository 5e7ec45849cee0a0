"""What changes in the tasks of lots (`lots`) as they come, are cut, or were never received."""

from . import cases, lots, serials
from .shapes import Any, Json, Table


def records(facts: Any, event: Json, named: Json) -> list[list[Any]]:
    """Return `[of, id, value]` of the tasks of lots that come into being or are cut."""
    found = []
    for lot in sorted(named["fresh"]):
        found.extend(_cut(facts, lot, named["fresh"][lot]))
    for lot, run in named["opened"]:
        made = _opened(facts, lot, run, event["kind"])
        found.extend(made)
        if event["kind"] in lots.BY_NUMBER:
            prefix = lots.BY_NUMBER[event["kind"]]
            found.extend(_by_number(facts, prefix, lot, run, made[1][2]["parts"]))
    return found


def _by_number(
    facts: Any, prefix: str, lot: str, run: Json, parts: list[list[int]]
) -> list[list[Any]]:
    """The task by which a bare number finds the lots that have it."""
    bare = dict(run, stem=run["stem"][len(lot + serials.INSIDE) :])
    key = prefix + serials.key(bare)
    known = (facts.get("task", key) or {}).get("lots", [])
    return [["task", key, {"lots": sorted(known + [[a, b, lot] for a, b in parts])}]]


def undone(facts: Any, wrong: Any) -> list[list[Any]]:
    """Return the tasks as they are without the lots whose receipt was entered wrongly: their
    serials are free again.
    """
    event = facts.get("event", wrong) if wrong else None
    if event is None or event["step"] != "receive":
        return []
    received = (event.get("items") or [""])[:1] if lots.comes(event) else sorted(cases.made(event))
    return [record for lot in received for record in _undone(facts, lot)]


def _undone(facts: Any, lot: str) -> list[list[Any]]:
    root = lots.index(facts, lot)
    if root is None:
        return []
    key = "serials:" + serials.key(root)
    kept = [part for part in facts.get("task", key)["lots"] if part[2] != lot]
    return [["task", key, {"lots": kept}], ["task", "lot:" + lot, dict(root, parts=[], pages=[])]]


def _opened(facts: Any, lot: str, run: Json, kind: str) -> list[list[Any]]:
    """The tasks of a new lot with those serials of a run that no lot has yet."""
    taken = [[first, last] for first, last, _ in lots.holders(facts, run)]
    parts = serials.without([run["first"], run["last"]], taken)
    known = (facts.get("task", "serials:" + serials.key(run)) or {}).get("lots", [])
    listed = sorted(known + [[first, last, lot] for first, last in parts])
    root = {"stem": run["stem"], "width": run["width"], "kind": kind, "parts": parts}
    starts = [first for first, _ in parts]
    root["pages"] = starts[:1]
    tasks: list[list[Any]] = [["task", "serials:" + serials.key(run), {"lots": listed}]]
    tasks.append(["task", "lot:" + lot, root])
    if starts:
        tasks.append(["task", "lot:" + lot + ":" + str(starts[0]), {"starts": starts}])
    return tasks


def _cut(facts: Any, lot: str, fresh: list[int]) -> list[list[Any]]:
    """The tasks that change when ranges of a lot are cut so that some start there."""
    root = lots.index(facts, lot)
    pages = list(root["pages"])
    changed: Table = {}
    for start in fresh:
        first = pages[lots.place(pages, start)]
        starts = list(changed.get(first) or lots.page(facts, lot, first))
        starts.append(start)
        starts.sort()
        if len(starts) > lots.PAGE:
            half = len(starts) // 2
            changed[starts[half]] = starts[half:]
            pages.append(starts[half])
            pages.sort()
            starts = starts[:half]
        changed[first] = starts
    tasks = [
        ["task", "lot:" + lot + ":" + str(first), {"starts": changed[first]}]
        for first in sorted(changed)
    ]
    if pages != root["pages"]:
        tasks.append(["task", "lot:" + lot, dict(root, pages=pages)])
    return tasks
