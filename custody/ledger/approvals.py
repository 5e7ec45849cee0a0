"""The register of approvals: what the regulator approved of the operator's choices and places.

Each entry is a record `approval` that an administrative event makes; entries are ended, never
changed. What the rules need of them goes into the site's setting and into the places, so that
every event is judged by what was approved on its own gaming day.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import Any

from custody.ledger import judging
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError, NotKnown
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.work import Entry, Work
from custody.rulebooks.choices import ChoiceError, check_choice
from custody.rules import days
from custody.rules.approvals import AREAS

CONTROL, PLACE, RULE = "control", "place", "rule"  # what an entry may be about
FIELDS = ("of", "subject", "value", "clause", "reference", "approved_on", "in_force", "expires",
          "document", "note")  # fmt: skip
NEEDED = ("of", "subject", "reference", "approved_on", "in_force", "document")
DAYS = ("approved_on", "in_force", "expires")
HASH = re.compile(r"[0-9a-f]{64}")


class ApprovalError(LedgerError):
    """An entry of the register says something that cannot be. Attribute: `field`."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field


def enter(ledger: Ledger, given: Value, by: By) -> Entry:
    """Add an entry to the register.

    `given` has `of` (`control`, `place` or `rule`, the name of an [[approval]] of the rulebook),
    `subject`, `value` (of a control), `clause`, `reference`, `approved_on`, `in_force`, `expires`
    (the last gaming day, or none), `document` (SHA-256 of the paper) and `note`. Raises
    ApprovalError.
    """
    return administer(
        ledger, "approval", str(given.get("subject")), by, lambda work: entering(work, [given])
    )


def entering(
    work: Work, many: Iterable[Value], ended: dict[str, Value] | None = None
) -> list[Change]:
    """Return the changes that entries make, with those that they end, all in one event.

    Raises ApprovalError.
    """
    added: dict[str, Value] = dict(ended or {})
    for given in many:
        value = checked(work, given)
        number = 1 + sum(1 for id_ in {**_all(work), **added} if _stem(id_) == _stem_of(value))
        added[f"{_stem_of(value)}:{number}"] = value
    return _changes(work, added)


def end(ledger: Ledger, id_: str, last: str, by: By) -> Entry:
    """End an entry with a gaming day, its last. Raises NotKnown, ApprovalError."""

    def make(work: Work) -> list[Change]:
        value = work.get("approval", id_)
        if value is None:
            raise NotKnown(f"there is no approval {id_!r}")
        day = _day({"expires": last}, "expires")
        if value.get("expires") and day > value["expires"]:
            raise ApprovalError("expires", f"it ends on {value['expires']} already")
        return _changes(work, {id_: {**value, "expires": day}})

    return administer(ledger, "approval-ended", id_, by, make)


def checked(facts: Cache, given: Value) -> Value:
    """Return an entry with every field, checked. Raises ApprovalError naming the field."""
    for field in given:
        _one_of("the entry", field, FIELDS)
    for field in NEEDED:
        if not given.get(field):
            raise ApprovalError(field, "an entry of the register needs it")
    rulebook = facts.get("rulebook", judging.rulebook_id(facts)) or {}
    _one_of("of", given["of"], (CONTROL, PLACE, RULE))
    clauses = _clauses(facts, rulebook, given["of"], given["subject"])
    value = {**dict.fromkeys(FIELDS), **{k: v for k, v in given.items() if v not in ("", None)}}
    value["clause"] = value["clause"] or (clauses[0] if clauses else None)
    if clauses:
        _one_of("clause", value["clause"], clauses)
    _dates(value)
    if not HASH.fullmatch(str(value["document"])):
        raise ApprovalError("document", "write the SHA-256 of the document: 64 digits and a to f")
    if value["of"] == CONTROL:
        _choice(rulebook, value["subject"], value["value"])
    elif value["value"] is not None:
        raise ApprovalError("value", "only a control has a value")
    return value


def _clauses(facts: Cache, rulebook: Value, of: str, subject: str) -> list[str]:
    """Return the clauses under which a subject is approved; a place's are those of its type."""
    if of == CONTROL:
        controls = rulebook.get("control", {})
        _one_of("subject", subject, controls)
        return list(controls[subject].get("clause", []))
    named = {one["name"]: one for one in rulebook.get("approval", [])}
    if of == RULE:
        _one_of("subject", subject, [n for n, one in named.items() if one["of"] != PLACE])
        return list(named[subject]["clause"])
    place = facts.get("place", subject)
    if place is None:
        raise ApprovalError("subject", f"there is no place {subject!r}")
    area = named.get(AREAS.get(place["type"], ""), {})
    return list(area.get("clause", []))


def _choice(rulebook: Value, name: str, value: Any) -> None:
    try:
        check_choice(rulebook, name, value)
    except ChoiceError as error:
        raise ApprovalError("value", str(error)) from error


def _one_of(field: str, word: Any, allowed: Iterable[str]) -> None:
    known = sorted(allowed)
    if word not in known:
        raise ApprovalError(field, f"{word!r} is not known; known are {', '.join(known)}")


def _dates(value: Value) -> None:
    for field in DAYS:
        if value[field] is not None or field != "expires":
            value[field] = _day(value, field)
    if value["in_force"] < value["approved_on"]:
        raise ApprovalError("in_force", "nothing is in force before it was approved")
    if value["expires"] is not None and value["expires"] < value["in_force"]:
        raise ApprovalError("expires", "it ends before it is in force")


def _day(value: Value, field: str) -> str:
    try:
        return datetime.date.fromisoformat(str(value[field])).isoformat()
    except ValueError as error:
        problem = f"{value[field]!r} is no date; write one such as 2026-12-01"
        raise ApprovalError(field, problem) from error


def _all(facts: Cache) -> dict[str, Value]:
    return dict(facts.all("approval"))


def _stem(id_: str) -> str:
    return id_.rpartition(":")[0]


def _stem_of(value: Value) -> str:
    return f"{value['of']}:{value['subject']}"


def _changes(work: Work, changed: dict[str, Value]) -> list[Change]:
    """Return the entries with what follows from the whole register for the setting and places."""
    register = {**_all(work), **changed}
    made = [Change("approval", id_, value) for id_, value in changed.items()]
    site = work.get("setting", "site") or {}
    controls = [
        [one["subject"], one["in_force"], until(one), one["value"]]
        for _, one in sorted(register.items())
        if one["of"] == CONTROL
    ]
    if controls:
        made.append(Change("setting", "site", {**site, "register": controls}))
    for place in sorted({one["subject"] for one in changed.values() if one["of"] == PLACE}):
        value = {k: v for k, v in (work.get("place", place) or {}).items() if k != "table"}
        made.append(Change("place", place, {**value, "register": _spans(register, place)}))
    return made


def _spans(register: dict[str, Value], place: str) -> list[list[Any]]:
    entries = [one for one in register.values() if (one["of"], one["subject"]) == (PLACE, place)]
    return sorted([one["in_force"], until(one)] for one in entries)


def until(entry: Value) -> str | None:
    """Return the first gaming day on which an entry is no longer in force, or None."""
    last = entry.get("expires")
    return None if last is None else days.name(days.number(last) + 1)
