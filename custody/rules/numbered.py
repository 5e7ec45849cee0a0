"""What is numbered beforehand, seals and forms: used in the order of the numbers, every one
accounted for.

A number is of its lot, `SL-RED/000123`, since lots repeat numbers. What is handed out together and
lies below the number that is used next was *passed over*: it says so (`missed`) until it is used,
voided or handed back (MD-02.16-R.9-R.10).
"""

from . import codes_errors, lots, serials
from .exception_kinds import GAP
from .shapes import Any, Json

UNUSED = ("received", "stored", "returned", "issued", "reserve")
IN_HAND = ("issued", "reserve")
NEAR = 40


def numbers(facts: Any, text: Any, kind: str) -> list[Json]:
    """Return the serial, as a run in its lot, of each seal or form that a number may be:
    `SL-RED/000123` is one, `000123` is one of every lot of the kind that has it.
    """
    try:
        run = serials.read(text)
    except codes_errors.CodeRangeError:
        return []
    if run["first"] != run["last"]:
        return []
    if lots.holders(facts, run):
        value = lots.value_of(facts, serials.name(run, run["first"]))
        return [run] if value is not None and value["kind"] == kind else []
    return _within(facts, run, kind)


def told(facts: Any, text: str) -> list[Json]:
    """Return what numbers alone may mean that a step names as its items, `000123` or
    `000123..000140`: a run of them in each lot that has some; [] where they are codes of their own.
    """
    try:
        run = serials.read(text)
    except codes_errors.CodeRangeError:
        return []
    first = serials.name(run, run["first"])
    if facts.get("item", first) is not None or lots.holders(facts, run):
        return []
    return [one for kind in sorted(lots.BY_NUMBER) for one in _within(facts, run, kind)]


def _within(facts: Any, run: Json, kind: str) -> list[Json]:
    """The same numbers in each lot of the kind that has some of them."""
    known = (facts.get("task", lots.BY_NUMBER[kind] + serials.key(run)) or {}).get("lots", [])
    return [
        dict(run, stem=lot + serials.INSIDE + run["stem"])
        for first, last, lot in known
        if first <= run["last"] and last >= run["first"]
    ]


def meant(facts: Any, text: Any, kind: str) -> Any:
    """Return the run of the one that is meant: of several lots with its number the one that is in
    hand; None where there is none, or still several.
    """
    found = numbers(facts, text, kind)
    if len(found) > 1:
        ready = [run for run in found if in_hand(_value(facts, run))]
        found = ready or [run for run in found if _value(facts, run)["state"] in UNUSED]
    return found[0] if len(found) == 1 else None


def bare(facts: Any, text: str) -> Any:
    """Return the value of the one seal or form that a number alone means; None for none."""
    for kind in sorted(lots.BY_NUMBER):
        value = one(facts, text, kind)
        if value is not None:
            return value
    return None


def one(facts: Any, text: Any, kind: str) -> Any:
    """Return the value of the seal or form that a number means, None where it means none."""
    run = meant(facts, text, kind)
    return None if run is None else lots.value_of(facts, serials.name(run, run["first"]))


def unused(facts: Any, text: Any, kind: str) -> Any:
    """Return the run of the one that is meant and applied to nothing yet, else None."""
    run = meant(facts, text, kind) if text else None
    return None if run is None or _value(facts, run).get("on") else run


def usable(facts: Any, text: Any, kind: str) -> Any:
    """Return None for a number of no lot, or one that was handed out and not used; else
    `["unclear", names]` of several that it may be, `["spent", state]`, or `["state", state]`.
    """
    known = numbers(facts, text, kind)
    if not known:
        return None
    run = meant(facts, text, kind)
    if run is None:
        return ["unclear", [serials.name(one, one["first"]) for one in known]]
    value = _value(facts, run)
    if value.get("on"):
        return ["spent", value["state"]]
    return None if value["state"] in IN_HAND else ["state", value["state"]]


def not_yours(found: Json, text: Any, kind: str) -> list[str]:
    """Return the person to whom a number was handed by name, where they are not among who signs."""
    keeper = (one(found["facts"], text, kind) or {}).get("keeper")
    return [] if keeper is None or keeper in found["ids"] else [keeper]


def _value(facts: Any, run: Json) -> Any:
    return lots.value_of(facts, serials.name(run, run["first"])) or {"state": None}


def in_hand(value: Any) -> bool:
    """Whether numbers were handed out and applied to nothing yet."""
    return value is not None and value["state"] in IN_HAND and not value.get("on")


def applied(value: Json, text: Any) -> bool:
    """Whether a range is the number that a step applies, by its full name or without its lot."""
    code = value["code"]
    return bool(text) and (code == text or code[-len(text) - 1 :] == serials.INSIDE + text)


def passed_over(facts: Any, run: Json) -> list[Json]:
    """Return the runs below a number that is used now, handed out with it and in hand; [] where a
    higher one was used before, which passed them over. Looks at the `NEAR` ranges on either side.
    """
    lot = (_value(facts, run) or {}).get("lot", "")
    near = [
        facts.get("item", serials.code(run, first, last))
        for first, last in lots.around(facts, lot, run["first"], NEAR)
    ]
    known = [value for value in near if value is not None]
    mine = [value for value in known if value["span"][0] <= run["first"] <= value["span"][1]]
    if not mine:
        return []
    here = known.index(mine[0])
    if _used(_issue(known[here + 1 :], mine[0])):
        return []
    found = []
    for value in _unused(_issue(known[: here + 1][::-1], mine[0])):
        first, last = value["span"][0], min(value["span"][1], run["first"] - 1)
        if first <= last and in_hand(value) and not value.get("missed"):
            found.append(dict(run, first=first, last=last, passed=True))
    return found


def _issue(values: list[Json], mine: Json) -> list[Json]:
    """The first of these ranges, as far as they were handed out together."""
    found: list[Json] = []
    for value in values:
        if value.get("issue") != mine.get("issue"):
            break
        found.append(value)
    return found


def _used(values: list[Json]) -> bool:
    return any(value.get("on") for value in values)


def _unused(values: list[Json]) -> list[Json]:
    """These ranges before the first used one."""
    for number, value in enumerate(values):
        if value.get("on"):
            return values[:number]
    return values


def raised(book: Json, event: Json, old: Any, new: Any) -> list[Json]:
    """Return the exception that numbers raise which an event has passed over, under the clause by
    which they are counted.
    """
    if not lots.is_range(new) or new.get("missed") != event["id"] or (old or {}).get("missed"):
        return []
    values = {"lot": new["lot"], "count": lots.size(new), "place": new["place"]}
    clause = [rule.get("variance") for rule in book["counts"] if new["kind"] in rule["kinds"]]
    return [
        {"kind": GAP, "clause": (clause or [None])[0], "items": [new["code"]], "values": values}
    ]


def accounted(store: Any, facts: Any, records: list[list[Any]]) -> list[str]:
    """Return the ids of the exceptions about gaps that end with what an event says of the numbers:
    none of those that they name is missed any more. `facts` are the store's as the event cuts it.
    """
    now = {key: value for of, key, value in records if of == "item" and lots.is_range(value)}
    found: Json = {}
    for key in sorted(now):
        old = facts.get("item", key)
        if not (old or {}).get("missed") or now[key].get("missed"):
            continue
        for name in [key] + now[key]["trail"]:
            for entry in store.open(name):
                if entry[1] == GAP and not _missed(store, now, key, name):
                    found[entry[0]] = True
    return sorted(found)


def _missed(store: Any, now: Json, key: str, name: str) -> bool:
    """Whether some number of the run `name` is still missed."""
    lot, run = now[key]["lot"], serials.read(name)
    root = lots.index(store, lot)
    told = [
        now[one]["span"] for one in now if now[one]["lot"] == lot and not now[one].get("missed")
    ]
    for first, last in lots.ranges(store, lot, run["first"], run["last"]):
        value = store.get("item", serials.code(root, first, last))
        span = [max(first, run["first"]), min(last, run["last"])]
        if value and value.get("missed") and serials.without(span, serials.joined(told)):
            return True
    return False


def gaps(facts: Any, lot: str) -> list[str]:
    """Return the numbers of a lot, as runs, that were passed over and are not accounted for."""
    values = [facts.get("item", code) for code in lots.every(facts, lot)]
    return [value["code"] for value in values if value and value.get("missed")]
