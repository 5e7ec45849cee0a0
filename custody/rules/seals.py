"""Numbered seals: a seal is lot and number, since colours repeat numbers (MD-02.16-R.9-R.10)."""

from . import codes_errors, failing, lots, serials
from .shapes import Any, Json

STEPS = ("pack", "repack")
UNUSED = ("received", "stored", "returned", "issued", "reserve")
IN_HAND = ("issued", "reserve")


def numbers(facts: Any, seal: Any) -> list[Json]:
    """Return the serial, as a run in its lot, of each seal that a number may be: `SL-RED/000123` is
    one, `000123` is one of every lot that has it.
    """
    try:
        run = serials.read(seal)
    except codes_errors.CodeRangeError:
        return []
    if run["first"] != run["last"]:
        return []
    if lots.holders(facts, run):
        value = lots.value_of(facts, serials.name(run, run["first"]))
        return [run] if value is not None and value["kind"] == "seals" else []
    known = (facts.get("task", "seals:" + serials.key(run)) or {}).get("lots", [])
    return [
        dict(run, stem=lot + serials.INSIDE + run["stem"])
        for first, last, lot in known
        if first <= run["first"] <= last
    ]


def meant(facts: Any, seal: Any) -> Any:
    """Return the run of the one seal that is meant: of several lots with its number the one whose
    seal is in hand; None where there is none, or still several.
    """
    found = numbers(facts, seal)
    if len(found) > 1:
        ready = [run for run in found if _value(facts, run)["state"] in IN_HAND]
        found = ready or [run for run in found if _value(facts, run)["state"] in UNUSED]
    return found[0] if len(found) == 1 else None


def _value(facts: Any, run: Json) -> Any:
    return lots.value_of(facts, serials.name(run, run["first"])) or {"state": None}


def usable(found: Json, group: Json, need: Json) -> Any:
    """A seal out of a lot was issued, and neither used nor voided; which lot's it is, is clear."""
    seal = found["with"].get("seal")
    known = numbers(found["facts"], seal) if seal else []
    if not known or found["facts"].sealed(seal):
        return None
    run = meant(found["facts"], seal)
    if run is None:
        names = [serials.name(one, one["first"]) for one in known]
        return {"code": "seal-unclear", "seal": seal, "seals": names}
    state = _value(found["facts"], run)["state"]
    return None if state in IN_HAND else {"seal": seal, "state": state}


def unused(found: Json, group: Json, need: Json) -> Any:
    """It closes nothing and never did."""
    return failing.items(failing.codes(group, lambda v: v.get("on")))


CHECKS: Json = {"seal_usable": usable, "seal_unused": unused}

CODES = {"seal_usable": "seal-not-issued", "seal_unused": "seal-spent"}


def gaps(facts: Any, lot: str) -> list[str]:
    """Return the seals of a lot, as runs, that come before a used one and are neither used, voided,
    handed back nor in the store: who has them must say where they are.
    """
    values = [facts.get("item", code) for code in lots.every(facts, lot)]
    used = [value["span"][1] for value in values if value and value.get("on")]
    last = max(used) if used else 0
    return [
        value["code"]
        for value in values
        if value and value["state"] in IN_HAND and value["span"][1] < last
    ]
