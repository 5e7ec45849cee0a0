"""What runs against what was approved: every control, place and rule that a regulator approves."""

from __future__ import annotations

from custody.ledger import judging
from custody.ledger.approvals import CONTROL, PLACE, RULE, until
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.rules import approvals, clocks

# On what something that runs rests: an entry in force; the setting with which the ledger was
# founded; the text of the clause, where nothing was ever entered; an entry that has run out.
APPROVED, GIVEN, TEXT, LAPSED = "approved", "given", "text", "lapsed"


def standing(ledger: Ledger) -> Value:
    """Return `{"day", "controls", "places", "rules"}`: rows of `{"subject", "clauses", "runs",
    "basis", "entry", "next"}`.

    `runs` is the value in force today (None for a rule), `basis` on what that rests, `entry` the
    entry of the register in force or the one that ran out last, `next` the one that comes.
    """
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        day = clocks.gaming_day(book, ledger.clock())
        rulebook = facts.get("rulebook", judging.rulebook_id(facts)) or {}
        register = [{"id": id_, **value} for id_, value in facts.all("approval")]
        return {
            "day": day,
            "controls": _controls(facts, rulebook, register, day),
            "places": _places(facts, rulebook, register, day),
            "rules": _rules(rulebook, register, day),
        }


def _controls(facts: Cache, rulebook: Value, register: list[Value], day: str) -> list[Value]:
    site, given = facts.get("setting", "site") or {}, facts.get("setting", "controls") or {}
    running = approvals.controls(rulebook, given, site.get("register", []), day)
    rows = []
    for name, control in rulebook.get("control", {}).items():
        # `lapsed`: what is taken as approved until the register says something of it.
        without = GIVEN if name in given or "lapsed" in control else TEXT
        row = _row(register, CONTROL, name, day, without)
        strictest = approvals.strictest(control)
        rows.append(
            {**row, "clauses": control["clause"], "runs": running[name], "strictest": strictest}
        )
    return rows


def _places(facts: Cache, rulebook: Value, register: list[Value], day: str) -> list[Value]:
    named = {one["name"]: one["clause"] for one in rulebook.get("approval", [])}
    rows = []
    for id_, place in facts.all("place"):
        area = approvals.AREAS.get(place["type"])
        if area is not None:
            row = _row(register, PLACE, id_, day, GIVEN)
            runs = approvals.place(place, day)
            rows.append({**row, "clauses": named.get(area, []), "runs": runs, "strictest": False})
    return rows


def _rules(rulebook: Value, register: list[Value], day: str) -> list[Value]:
    return [
        {**_row(register, RULE, one["name"], day, TEXT), "clauses": one["clause"], "runs": None,
         "strictest": None}
        for one in rulebook.get("approval", [])
        if one["of"] != PLACE
    ]  # fmt: skip


def _row(register: list[Value], of: str, subject: str, day: str, without: str) -> Value:
    entries = [one for one in register if (one["of"], one["subject"]) == (of, subject)]
    entries.sort(key=lambda one: (one["in_force"], one["id"]))
    begun = [one for one in entries if one["in_force"] <= day]
    held = [one for one in begun if _holds(one, day)]
    basis = APPROVED if held else LAPSED if begun else without
    entry: Value | None = (held or begun)[-1] if begun else None
    coming = next((one for one in entries if one["in_force"] > day), None)
    return {"subject": subject, "basis": basis, "entry": entry, "next": coming}


def _holds(entry: Value, day: str) -> bool:
    last = until(entry)
    return last is None or day < last
