"""Telling the commission: a report, a notice that names it, or handing the thing over."""

from . import failing, people
from .shapes import Any, Json


def commission(book: Json, facts: Any, event: Json) -> bool:
    """Whether a notice goes to the commission: its name, or a person of it."""
    fields = event.get("with") or {}
    named = [str(fields.get("whom") or ""), str(fields.get("spoke_with") or "")]
    if any("commission" in text.lower() or "compliance_rep" in text for text in named):
        return True
    asked = [facts.get("person", text) for text in named if text]
    asked.extend(people.signing(facts, event))
    return any(p is not None and people.department(book, p["job"]) == "commission" for p in asked)


def noted(value: Json, event: Json) -> None:
    """A notice about an item; that the commission was told ends the clocks that wait for it."""
    if event["told_commission"]:
        value["times"]["commission_told"] = event["at"]


def informed(found: Json, group: Json, need: Json) -> Any:
    """The commission has a report on it, of one of the forms `form`, or (`or_told`) was told.

    `suspect` asks it only of what is suspect.
    """

    def silent(value: Json) -> bool:
        if need.get("suspect") and not value.get("suspect"):
            return False
        if need.get("or_told") and "commission_told" in value["times"]:
            return False
        return not any(r["form"] in need.get("form", [r["form"]]) for r in value.get("reports", []))

    return failing.of(group, silent)


CHECKS: Json = {"informed": informed}

CODES = {"informed": "commission-not-told"}
