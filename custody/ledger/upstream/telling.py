"""What a site node is told beside the changes feed: keys, exceptions, branches, chains."""

from __future__ import annotations

import base64
from typing import NamedTuple

from sqlalchemy import Connection, or_, select

from custody.ledger import append, rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import DESK, Ledger
from custody.ledger.errors import LedgerError
from custody.ledger.reading import life
from custody.ledger.strict import reload
from custody.ledger.upstream import outgoing, silent
from custody.ledger.upstream.outgoing import ChainHead
from custody.ledger.work import OPEN_EXCEPTION, Work

MOST_TOLD = 500  # events of one item
WINDOW = 5_000  # log positions that one answer is about


class OfAnotherLog(LedgerError):
    """A node asks for what follows a position that this log has not, or has another event at: it
    was restored.
    """


class Seen(NamedTuple):
    """A leaf of this log as a node was told it: the last of the first `size`."""

    size: int
    leaf: str


def news(ledger: Ledger, after: int, seen: str = "", held: Seen | None = None) -> Value:
    """Return what changed by the events from position `after` on, a window of them at a time.

    `{"devices": [{"device", "run", "key"}], "exceptions": [...], "upto": position, "seen": hash,
    "more": bool}`; the next question is after `upto`, and says the `seen` that it was told, the
    leaf before `upto`. `held` is what a relay was answered with: what it brought lies above
    `after`. `silent` says that a node has not been heard of lately. Raises OfAnotherLog.
    """
    lost_sight = silent.is_any(ledger)
    with ledger.database.reading() as connection:
        size = append.log_size(connection)
        for told in filter(None, (Seen(after, seen), held)):
            require_seen(connection, told)
        upto = min(size, after + WINDOW)
        return {
            "devices": _keys(connection, after, upto),
            "exceptions": _exceptions(connection, after, upto),
            "upto": upto,
            "seen": _leaf_before(connection, upto),
            "more": upto < size,
            "silent": lost_sight,
        }


def require_seen(connection: Connection, told: Seen) -> None:
    """Raise OfAnotherLog unless this log has the leaf that a node saw where it saw it."""
    size = append.log_size(connection)
    if told.size > size:
        raise OfAnotherLog(f"this log has {size} events, not {told.size}: start again from 0")
    if told.leaf not in ("", _leaf_before(connection, told.size)):
        raise OfAnotherLog(f"this log has another event before {told.size}: start again from 0")


def last_leaf(connection: Connection) -> Seen:
    """Return how many events this log has, and the last of its leaves."""
    size = append.log_size(connection)
    return Seen(size, _leaf_before(connection, size))


def _leaf_before(connection: Connection, position: int) -> str:
    """Return the leaf hash before a position, "" before the first. The time of receipt is in it: an
    event that was lost and came again is another leaf, wherever it stands.
    """
    table = tables.event.c
    return connection.scalar(select(table.leaf).where(table.position == position - 1)) or ""


def _keys(connection: Connection, after: int, upto: int) -> list[Value]:
    table = tables.device_key.c
    query = select(table.device, table.run, table.jwk).where(
        table.since_position >= after, table.since_position < upto, table.device != DESK
    )
    found = connection.execute(query.order_by(table.device, table.run))
    return [{"device": row.device, "run": row.run, "key": reload(row.jwk)} for row in found]


def _exceptions(connection: Connection, after: int, upto: int) -> list[Value]:
    table = tables.exception
    raised = (table.c.position >= after) & (table.c.position < upto)
    closed = (table.c.resolved >= after) & (table.c.resolved < upto)
    again = table.c.id.in_(_reopened(connection, after, upto))
    query = select(table).where(or_(raised, closed, again)).order_by(table.c.position, table.c.id)
    found = [dict(row) for row in connection.execute(query).mappings()]
    return [_exception(row) for row in found]


def _reopened(connection: Connection, after: int, upto: int) -> list[str]:
    """Return what a correction opened again: its record in the feed is younger than it is."""
    table = tables.record.c
    query = select(table.id).where(
        table.of == "task", table.live, table.changed >= after, table.changed < upto
    )
    found = connection.scalars(query.where(table.id.like(f"{OPEN_EXCEPTION}%")))
    return [id_.removeprefix(OPEN_EXCEPTION) for id_ in found]


def _exception(row: Value) -> Value:
    """Return an exception as a node takes it: whether it is resolved, not where in this log."""
    names = ("id", "kind", "clause", "event", "device", "run", "branch", "seq")
    told = reload(row["value"])
    return {**{name: row[name] for name in names}, **told, "resolved": row["resolved"] is not None}


def item(ledger: Ledger, code: str) -> Value:
    """Return `{"value", "tips"}` of an item, whatever its state: its record and its branches."""
    with ledger.database.reading() as connection:
        work = Work(connection)
        value = work.get("item", code)
        return {"value": value, "tips": work.tips(code) if value else []}


def history(ledger: Ledger, code: str) -> list[Value]:
    """Return the newest events that name an item, at most MOST_TOLD, in the order of this log.

    Each is `{"position", "received", "device", "run", "branch", "seq", "apart", "line"}`, with
    `base64` in place of `line` where the bytes are no UTF-8.
    """
    with ledger.database.reading() as connection:
        item = Work(connection).get("item", code)
        found = life.history(connection, [code, *(item or {}).get("trail", [])])[-MOST_TOLD:]
        table = tables.event_body.c
        positions = [entry["position"] for entry in found]
        query = select(table.position, table.body).where(table.position.in_(positions))
        raws = {at: rows.raw(body) for at, body in connection.execute(query).all()}
    names = ("position", "received", "device", "run", "branch", "seq", "apart")
    return [
        {**{name: entry[name] for name in names}, **_line(raws[entry["position"]])}
        for entry in found
    ]


def _line(raw: bytes) -> Value:
    try:
        return {"line": raw.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode()}


def chain_part(ledger: Ledger, device: str, run: int, after: int) -> bytes | None:
    """Return the part of a run's first branch that follows event `after`, as a relay's body.

    None where there is nothing more.
    """
    with ledger.database.reading() as connection:
        head = ChainHead(device, run, 1, 1, after)
        part = outgoing.part_after(connection, head, after)
        if part is None:
            return None
        told = outgoing.header(connection, head, part, [])
    return b"".join(line + b"\n" for line in (told, *part.lines))
