"""The ledger's side of the rules core: the book in force, and what an event does by it.

The only module of the ledger that calls `custody.rules` on events.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Iterator
from operator import is_
from pathlib import Path

from custody.ledger import books
from custody.ledger.cache import Cache, Key, Value
from custody.ledger.work import Entry, Work
from custody.rules import branches, cases, claiming, codes, judge, naming
from custody.rules.exception_kinds import UNREADABLE

log = logging.getLogger(__name__)
PLACE_FIELDS = ("from", "to", "where")
MISREAD = (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError)
ENOUGH = 64 << 20  # bytes; judging an event of 60,000 takes a small part of it
SETTING = (("setting", "site"), ("setting", "controls"))
NONE: Value = {}  # one object: the book is looked up again when a part is another object


def rulebook_id(facts: Cache) -> str:
    """Return the id of the rulebook in force, such as `md@2026.1`."""
    return str((facts.get("setting", "site") or {}).get("rulebook"))


def book_of(facts: Cache) -> Value:
    """Return the book by which an event is judged now: rulebook, site and controls together."""
    site = facts.get("setting", "site") or NONE
    controls = facts.get("setting", "controls") or NONE
    rulebook = facts.get("rulebook", rulebook_id(facts)) or NONE
    parts = (rulebook, site, controls)
    known = facts.book
    if known is None or not all(map(is_, parts, known[0])):
        facts.book = known = (parts, books.of(parts))
        facts.gone = frozenset(known[1]["gone"])
    return known[1]


def take(work: Work, entry: Entry, event: Value) -> Value:
    """Return what the log's next event does (docs/architecture.md, "What branches need").

    What a device wrote cannot be taken back, so an event that the rules cannot make sense of is a
    fact too: it raises `unreadable` and changes nothing.
    """
    try:
        taken: Value = branches.take(book_of(work), work, event, entry.id)
        return taken
    except MISREAD as error:
        if isinstance(error, MemoryError) and not _has_memory():
            raise  # the machine is short of it: the event may be right, and comes again
        told = (entry.id, entry.position, type(error).__name__, _where(error))
        log.error("event %s at %d makes no sense to the rules: %s in %s", *told)
        too_much = isinstance(error, MemoryError)
        why = "it asks for more than any machine has" if too_much else _why(work, entry, event)
        raised = [{"kind": UNREADABLE, "values": {"why": why}}]
        return {**claiming.unchanged(), "raised": raised}


TRIED = 64  # fields without which an event is read again: no form has as many


def _why(work: Work, entry: Entry, event: Value) -> str:
    """Say which field keeps the rules from reading an event: the first without which they can."""
    fields: Value = event.get("with") or {}
    for name in sorted(fields)[:TRIED]:
        rest = {**event, "with": {one: fields[one] for one in fields if one != name}}
        if _is_read(work, entry, rest):
            return f"with.{name} must be as the step's form has it, not {_form(fields[name])}"
    for name in ("attributes", "by", "saw", "items"):
        empty: object = {} if isinstance(event.get(name), dict) else []
        if event.get(name) and _is_read(work, entry, {**event, name: empty}):
            return f"{name} must be as the step's form has it"
    return "its fields must be as the step's form has them"


def _is_read(work: Work, entry: Entry, event: Value) -> bool:
    try:
        branches.take(book_of(work), work, event, entry.id)
    except MISREAD:
        return False
    return True


def _form(value: object) -> str:
    """Say of which form a value is, without what it says."""
    known = {bool: "true or false", int: "a number", str: "this text", list: "a list"}
    return known.get(type(value), "an object" if isinstance(value, dict) else "null")


def _has_memory() -> bool:
    """Say whether there is memory for what any event asks: then one asked for more than there is on
    any machine.
    """
    try:
        bytearray(ENOUGH)
    except MemoryError:
        return False
    return True


def _where(error: Exception) -> str:
    """Return where the rules gave up. What an error says may be of the event, and is left out."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}, line {last.lineno}"


def reasons_against(work: Cache, draft: Value) -> list[Value]:
    """Return the reasons against a draft; [] when it is allowed."""
    return list(judge.judge(book_of(work), work, draft)["reasons"])


def named_codes(facts: Cache, event: Value) -> list[str]:
    """Return the codes that an event names as its items and as what they go into.

    A run of a lot's serials stays a run: it may be of a million.
    """
    found: list[str] = []
    for text in event.get("items") or []:
        case = text.partition(cases.STAR)[0] if cases.is_count(facts, text) else text
        found += [case] if naming.is_serial(facts, case) else codes.expand(case)
    if event.get("into"):
        found.append(event["into"])
    return list(dict.fromkeys(found))


def named_records(events: Iterable[Value]) -> set[Key]:
    """Return the records that judging events is sure to ask for."""
    found: set[Key] = set(SETTING)
    places: set[str | None] = set()
    people: set[str] = set()
    days: set[str | None] = set()
    for event in events:
        told = event.get
        for text in told("items") or ():
            found.add(("item", text))
            if ".." in text:
                found.add(("item", text.partition("..")[0]))
        if told("into"):
            found.add(("item", event["into"]))
        places.update(map(told, PLACE_FIELDS))
        people.update([one["person"] for one in told("by") or () if "person" in one])
        days.add(told("day"))
    for of, ids in (("place", places), ("person", people), ("day", days)):
        found.update((of, id_) for id_ in ids if id_)
    return found


def named_seals(event: Value) -> Iterator[str]:
    """Yield the seal that an event puts on, or finds on, an envelope."""
    seal = (event.get("with") or {}).get("seal")
    if isinstance(seal, str):
        yield seal
