"""What is numbered beforehand, seals and forms: used in the order of the numbers, every one accounted
for.

A number is of its lot, `SL-RED/000123`, since lots repeat numbers. What is handed out together and
lies below the number that is used next was *passed over*: it says so (`missed`) until it is used,
voided or handed back (MD-02.16-R.9-R.10).
"""

from . import codes_errors, lots, serials
from .shapes import Any, Json

UNUSED = ("received", "stored", "returned", "issued", "reserve")
IN_HAND = ("issued", "reserve")
GAP = "form-gap"


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
    known = (facts.get("task", lots.BY_NUMBER[kind] + serials.key(run)) or {}).get("lots", [])
    return [
        dict(run, stem=lot + serials.INSIDE + run["stem"])
        for first, last, lot in known
        if first <= run["first"] <= last
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
    """Return None for a number of no lot, or one that was handed out and not used; else `["unclear",
    names]` of several that it may be, `["spent", state]`, or `["state", state]`.
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


def _value(facts: Any, run: Json) -> Any:
    return lots.value_of(facts, serials.name(run, run["first"])) or {"state": None}


def in_hand(value: Any) -> bool:
    """Whether numbers were handed out and applied to nothing yet."""
    return value is not None and value["state"] in IN_HAND and not value.get("on")


def applied(value: Json, text: Any) -> bool:
    """Whether a range is the one number that a step applies, by its full name or without its lot."""
    code = value["code"]
    return bool(text) and (code == text or code[-len(text) - 1 :] == serials.INSIDE + text)


def passed_over(facts: Any, run: Json) -> list[Json]:
    """Return the runs below a number that is used now, handed out with it and in hand; [] where a
    higher one was used before, which passed them over.
    """
    value = _value(facts, run)
    root = lots.index(facts, value.get("lot", ""))
    if root is None or _used_above(facts, value, root, run["first"]):
        return []
    found: list[Json] = []
    number = run["first"] - 1
    while True:
        below = _at(facts, value, root, number)
        if below is None or below.get("on"):
            return found
        first = below["span"][0]
        if in_hand(below) and not below.get("missed"):
            found.append(dict(run, first=first, last=number, passed=True))
        number = first - 1


def _used_above(facts: Any, value: Json, root: Json, number: int) -> bool:
    above: Any = value
    while above is not None and not above.get("on"):
        above = _at(facts, value, root, max(number, above["span"][1]) + 1)
    return above is not None


def _at(facts: Any, value: Json, root: Json, number: int) -> Any:
    """The range of the same issue in which a number of the lot lies."""
    for first, last in lots.ranges(facts, value["lot"], number, number):
        found = facts.get("item", serials.code(root, first, last))
        if found is not None and found.get("issue") == value.get("issue"):
            return found
    return None


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
