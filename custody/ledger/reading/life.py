"""An item's life: every event in its history, what each raised.

And its branches where it is disputed.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import NotKnown
from custody.ledger.reading import citing, entries, exceptions, records
from custody.rules import cases, clocks, lots


def of_item(ledger: Ledger, code: str) -> Value:
    """Return `{"code", "item", "entries", "exceptions", "tips", "due"}`.

    `item` is the record's value, None for a code of which only doubtful events are known.
    `entries` are in the order of the log, each with `parent` (the id of the event that it
    continued, or None), `before` (the place where the item was), `apart`, `clauses`, `unticked`
    (the lines of its checklist that nobody ticked), and `strikes` (the entries that correct it).
    `tips` are the ends of the item's history, the first logged one first: `{"event": id, "value":
    {...}}`. `due` are its deadlines, `parts` the values of a case's pieces, range by range. A piece
    without a record of its own has the life of its range. Raises NotKnown for a code that no event
    names.
    """
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        code = _meant(facts, code)
        item = records.get(connection, "item", code)
        found = history(connection, [code, *(item or {}).get("trail", [])])
        if item is None and not found:
            raise NotKnown(f"no event names the code {code!r}")
        citing.cite(book, facts, code, found)
        return {
            "code": code,
            "item": item,
            "entries": found,
            "exceptions": exceptions.about(connection, [code]),
            "tips": _tips(connection, code, item),
            "due": clocks.due(book, facts, [code], ledger.clock()),
            "parts": _parts(facts, item),
        }


def _meant(facts: Cache, code: str) -> str:
    """The range in which a serial or a piece lies; any other code is itself."""
    if facts.get("item", code) is not None or ".." in code:
        return code
    holding: list[str] = lots.find(facts, code)
    return holding[0] if holding else code


def _parts(facts: Cache, item: Value | None) -> list[Value]:
    if item is None or item["kind"] not in cases.KINDS or not lots.is_lot(item):
        return []
    values = [facts.get("item", code) for code in lots.every(facts, item["code"])]
    return [{**value, "many": lots.size(value)} for value in values if value]


def history(connection: Connection, codes: list[str]) -> list[Value]:
    """Return the entries that name an item by one of these codes, in the order of the log."""
    table = tables.event_item.c
    query = select(table.position, table.parent, table.apart).where(table.code.in_(codes))
    links = {row.position: row for row in connection.execute(query)}
    found = entries.at_positions(connection, links)
    strikes: dict[Any, list[Value]] = {}
    for entry in found:
        strikes.setdefault(_corrects(entry["event"]), []).append(entry)
    for entry in found:
        link = links[entry["position"]]
        struck = strikes.get(entry["id"], [])
        entry.update(parent=link.parent, apart=link.apart, strikes=struck)
    _places(found)
    return found


def _places(found: list[Value]) -> None:
    """Note in each entry as `before` where the item was: the place of a step that names none."""
    after: dict[str | None, str | None] = {}
    known = {entry["id"]: entry for entry in found}
    for entry in found:
        line = entry["event"] or {}
        entry["before"] = before = after.get(entry["parent"])
        after[entry["id"]] = line.get("to") or line.get("where") or before
        struck = known.get(_corrects(entry["event"]))
        if struck is not None:
            after[entry["id"]] = struck.get("before")


def _corrects(event: Value | None) -> Any:
    if event is None or event.get("step") != "correct":
        return None
    return (event.get("with") or {}).get("event")


def _tips(connection: Connection, code: str, item: Value | None) -> list[Value]:
    table = tables.item_tip.c
    query = (
        select(table.line, table.event, table.value).where(table.code == code).order_by(table.line)
    )
    return [
        {"event": event, "value": item if line == 0 else records.parsed(value)}
        for line, event, value in connection.execute(query)
    ]
