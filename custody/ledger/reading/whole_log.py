"""The whole log, event by event, with what came of each: for exports."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, select

from custody.ledger import identities, rows, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from custody.rules import corrected

CHUNK = 500


def walk(ledger: Ledger) -> Iterator[Value]:
    """Yield every entry in the order of the log, as one state of the database has it.

    Each has `raised`, the kinds of the exceptions that it raised, sorted, and `struck`: the
    correction that counts against it as `{"id", "received"}`, or None. Memory does not grow with
    the log.
    """
    event, body = tables.event, tables.event_body
    joined = select(event, body.c.body).join(body, body.c.position == event.c.position)
    after = -1
    with ledger.database.reading() as connection:
        while True:
            query = joined.where(event.c.position > after).order_by(event.c.position).limit(CHUNK)
            found = [entries.as_entry(row) for row in connection.execute(query).mappings()]
            if not found:
                return
            yield from _told(connection, found)
            after = found[-1]["position"]


def _told(connection: Connection, found: list[Value]) -> list[Value]:
    raised = _raised(connection, found)
    struck = _struck(connection, [one["id"] for one in found])
    return [
        {**one, "raised": raised.get(one["position"], []), "struck": struck.get(one["id"])}
        for one in found
    ]


def _raised(connection: Connection, found: list[Value]) -> dict[int, list[str]]:
    table = tables.exception.c
    between = table.position.between(found[0]["position"], found[-1]["position"])
    kinds: dict[int, list[str]] = {}
    query = select(table.position, table.kind).where(between).order_by(table.kind).distinct()
    for position, kind in connection.execute(query):
        kinds.setdefault(position, []).append(kind)
    return kinds


def _struck(connection: Connection, ids: list[str]) -> dict[str, Value]:
    """The first correction of each of these events that counts."""
    facts = Cache(connection)
    facts.fetch(("task", corrected.task_id(id_)) for id_ in ids)
    first = {id_: corrected.first(facts, id_) for id_ in ids}
    against = {id_: one["event"] for id_, one in first.items() if one}
    positions = identities.all_of(connection, set(against.values()))
    received = {}
    table = tables.event.c
    for some in rows.chunks(sorted(positions)):
        query = select(table.id, table.received).where(table.position.in_(some))
        received.update({row.id: row.received for row in connection.execute(query)})
    return {id_: {"id": one, "received": received[one]} for id_, one in against.items()}
