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
from custody.rules import clocks


def of_item(ledger: Ledger, code: str) -> Value:
    """Return `{"code", "item", "entries", "exceptions", "tips", "due"}`.

    `item` is the record's value, None for a code of which only doubtful events are known.
    `entries` are in the order of the log, each with `parent` (the id of the event that it
    continued, or None), `before` (the place where the item was), `apart`, `clauses`, and `strikes`
    (the entries that correct it). `tips` are the ends of the item's history, the first logged one
    first: `{"event": id, "value": {...}}`. `due` are its deadlines. Raises NotKnown for a code
    that no event names.
    """
    with ledger.database.reading() as connection:
        item = records.get(connection, "item", code)
        found = history(connection, code)
        if item is None and not found:
            raise NotKnown(f"no event names the code {code!r}")
        facts = Cache(connection)
        book = judging.book_of(facts)
        citing.cite(book, facts, code, found)
        return {
            "code": code,
            "item": item,
            "entries": found,
            "exceptions": exceptions.about(connection, [code]),
            "tips": _tips(connection, code, item),
            "due": clocks.due(book, facts, [code], ledger.clock()),
        }


def history(connection: Connection, code: str) -> list[Value]:
    """Return the entries in an item's history, in the order of the log."""
    table = tables.event_item.c
    query = select(table.position, table.parent, table.apart).where(table.code == code)
    links = {row.position: row for row in connection.execute(query)}
    found = entries.at_positions(connection, links)
    for entry in found:
        link = links[entry["position"]]
        entry.update(parent=link.parent, apart=link.apart, strikes=_strikes(found, entry["id"]))
    _places(found)
    return found


def _places(found: list[Value]) -> None:
    """Note in each entry as `before` where the item was: the place of a step that names none."""
    after: dict[str | None, str | None] = {}
    for entry in found:
        line = entry["event"] or {}
        entry["before"] = before = after.get(entry["parent"])
        after[entry["id"]] = line.get("to") or line.get("where") or before
        struck = [one for one in found if one["id"] == _corrects(entry["event"])]
        if struck:
            after[entry["id"]] = struck[0].get("before")


def _strikes(found: list[Value], id_: str) -> list[Value]:
    return [entry for entry in found if _corrects(entry["event"]) == id_]


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
