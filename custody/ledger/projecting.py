"""Take one stored event into the projections: what it changes, and which exceptions it raises."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from custody.ledger import judging, open_exceptions, suspicions, tables
from custody.ledger.cache import Tips, Value
from custody.ledger.core import DESK
from custody.ledger.strict import dumps, reload
from custody.ledger.suspicions import ADMINISTER as ADMINISTER
from custody.ledger.upstream import applying
from custody.ledger.upstream.names import signed_as
from custody.ledger.versions import CHANGING, PLACE
from custody.ledger.work import Entry, Work
from custody.rules import lots, signing_off

HISTORY = 20  # events of an item that its value carries (protocol.md, "Changes")


def read_ahead(work: Work, entries: list[Entry]) -> None:
    """Fetch with few statements what the events of a batch will ask for."""
    events = [entry.event for entry in entries if entry.event is not None]
    work.fetch(("device", device) for device in {entry.device for entry in entries})
    work.fetch(judging.named_records(events))
    work.fetch_sealed(seal for event in events for seal in judging.named_seals(event))
    texts = dict.fromkeys(text for event in events for text in event.get("items") or ())
    intos = {event["into"] for event in events if event.get("into")}
    codes = intos.union(judging.named_codes(work, {"items": list(texts)}))
    work.fetch_tips(codes)
    inside = {
        code for outer in codes for code in (work.get("item", outer) or {}).get("contents", [])
    }
    work.fetch_tips(inside)


def project(work: Work, entry: Entry) -> None:
    """Take one event, the next of the log, into the projections."""
    if applying.is_covered(work, entry):
        advance_head(work, entry)
        return
    doubts = suspicions.of_entry(work, entry)
    advance_head(work, entry)
    for raised in doubts:
        raise_exception(work, entry, raised)
    if suspicions.is_apart(work, entry):
        keep_apart(work, entry)
    elif applying.is_told(entry):
        applying.apply(work, entry)
    elif _is_administrative(entry) and signed_as(entry.device) == DESK and not _is_day(entry):
        apply_master(work, entry.position)
    elif entry.event is not None:
        take(work, entry, entry.event)


def _is_administrative(entry: Entry) -> bool:
    return entry.event is not None and entry.event["step"] == ADMINISTER


def _is_day(entry: Entry) -> bool:
    """Say whether this server's desk signs off a gaming day, which is an act by the rules."""
    told = (entry.event or {}).get("with") or {}
    return entry.device == DESK and told.get("what") == signing_off.ACT


def advance_head(work: Work, entry: Entry) -> None:
    """Move the end of the entry's branch to it; an unreadable one leaves the clock marks."""
    marks: Value = {"seq": entry.seq, "id": entry.id}
    if entry.event is not None:
        told = entry.event.get
        marks.update(at=told("at"), mono=told("mono"), boot=told("boot"))
    work.advance(entry.device, entry.run, entry.branch, marks)


def apply_master(work: Work, position: int) -> None:
    """Make the versions of master data that hold from `position` the present ones."""
    table = tables.master.c
    query = select(table.of, table.id, table.value).where(table.since_position == position)
    for of, id_, text in work.connection.execute(query.order_by(table.of, table.id)):
        value = None if text is None else reload(text)
        old = work.get(of, id_) or {}
        if value is not None and "table" in old:
            value = {**value, "table": old["table"]}
        work.put(of, id_, value, position)


def keep_apart(work: Work, entry: Entry) -> None:
    """Keep an event in the histories of the items it names, without taking it into their state."""
    for code in judging.named_codes(work, entry.event or {}):
        work.add(tables.event_item, code=code, position=entry.position, parent=None, apart=True)


def take(work: Work, entry: Entry, event: Value) -> None:
    """Judge and fold an event by the rules, and write down what came of it."""
    taken = judging.take(work, entry, event)
    if _is_administrative(entry) and entry.device != DESK:
        taken["records"] = []  # whoever signs elsewhere administers nothing here
    for raised in taken["raised"]:
        raise_exception(work, entry, raised)
    for origin, pieces in taken["cuts"]:
        cut(work, entry, origin, pieces)
    for code, parent in taken["links"]:
        work.add(tables.event_item, code=code, position=entry.position, parent=parent, apart=False)
    note_site(work, entry, event, taken)
    for code, tips in taken["tips"]:
        set_item(work, entry, event, code, tips)
    for of, id_, value in taken["records"]:
        if of != "item":
            work.put(of, id_, value, entry.position)
    add_postings(work, entry, taken["postings"])
    work.close_exceptions(taken["closed"], entry.position)
    for row in work.reopen_exceptions(taken["reopened"]):
        open_exceptions.again(work, row, entry.position)


def note_site(work: Work, entry: Entry, event: Value, taken: Value) -> None:
    """Note an event that is no item's alone: `place` is where it was, of a table's the table that
    it changed, by which what was played there is folded again (`versions`).
    """
    changed = next((id_ for of, id_, _ in taken["records"] if of == PLACE), None)
    if changed is None and taken["links"] and event.get("items"):
        return
    place = changed if event["step"] in CHANGING else event.get("where")
    told = {"step": event["step"], "kind": event.get("kind"), "place": place}
    work.add(tables.site_event, position=entry.position, **told)


def cut(work: Work, entry: Entry, origin: str, pieces: list[list[Any]]) -> None:
    """Let the parts of a range of serials take its place, each with its branches and history."""
    value, tips = work.get("item", origin), work.tips(origin)
    work.assume_new(code for code, _, _ in pieces)
    work.set_tips(origin, [])
    work.put("item", origin, None, entry.position)
    for code, first, last in pieces:
        work.set_tips(code, [[id_, lots.sliced(tip, code, first, last)] for id_, tip in tips])
        work.put("item", code, lots.sliced(value, code, first, last), entry.position)


def set_item(work: Work, entry: Entry, event: Value, code: str, tips: Tips) -> None:
    """Set an item's tips and, with what the ledger adds to the first of them, its value."""
    before = work.get("item", code)
    work.set_tips(code, tips)
    first = tips[0][1] if tips else None
    if first is None:
        work.put("item", code, None, entry.position)
        return
    history = before["history"] if before and "history" in before else []
    line = {
        "id": entry.id,
        "at": event["at"],
        "step": event["step"],
        "place": first.get("place"),
        "by": [one["person"] for one in (event.get("by") or []) if "person" in one],
    }
    last, history = [tip[0] for tip in tips], [*history[1 - HISTORY :], line]
    value = {**first, "last": last, "history": history, "disputed": len(tips) > 1}
    work.put("item", code, value, entry.position)


def add_postings(work: Work, entry: Entry, postings: Iterable[Value]) -> None:
    for line, posting in enumerate(postings):
        work.add(
            tables.posting,
            position=entry.position,
            line=line,
            at=posting["at"],
            day=posting["day"],
            kind=posting["kind"],
            place=posting.get("place"),
            term=posting["term"],
            design=posting.get("design"),
            value=dumps(posting["units"]),
        )


def raise_exception(work: Work, entry: Entry, raised: Value) -> None:
    """Open an exception that an event raised. Its id follows from the event's, for good."""
    items = raised.get("items") or []
    where = [entry.id, signed_as(entry.device), entry.run, entry.branch, entry.seq]
    identity = [*where, raised["kind"], raised.get("clause"), items]
    values: dict[str, Any] = {"values": raised.get("values") or {}, "items": items}
    row = {
        "id": "x" + hashlib.sha256(dumps([*identity, values]).encode()).hexdigest()[:20],
        "kind": raised["kind"],
        "clause": raised.get("clause"),
        "position": entry.position,
        "event": entry.id,
        "device": entry.device,
        "run": entry.run,
        "branch": entry.branch,
        "seq": entry.seq,
        "value": dumps(values),
    }
    if work.raise_exception(row, items):
        open_exceptions.opened(work, entry, row["id"], raised)
