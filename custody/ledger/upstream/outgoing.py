"""Read chains out of the ledger, as they were signed, to hand them on."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from custody.ledger import rows, tables
from custody.ledger.chain import MOST_EVENTS
from custody.ledger.devices import ACTIVE
from custody.ledger.events import NO_EVENT
from custody.ledger.strict import dumps
from custody.ledger.suspicions import LEASE_HOURS
from custody.ledger.upstream.introducing import Jwk, event_id, run_key
from custody.ledger.upstream.names import NODE
from custody.ledger.work import Work

CONTACTS_MS = (LEASE_HOURS + 24) * 3_600_000  # how far back contacts are told: a lease and a day


class ChainHead(NamedTuple):
    """The end of one branch of a run; `first` is the branch's first own event."""

    device: str
    run: int
    branch: int
    first: int
    seq: int


class Part(NamedTuple):
    """Lines of a chain up to one that its device signed, as in a push's body; `prev` is the id of
    the event before them.
    """

    first: int
    last: int
    head: str
    sig: str
    lines: list[bytes]
    prev: str


def heads(connection: Connection) -> list[ChainHead]:
    """Return the end of every chain that other servers are told of, in a fixed order.

    A run that is enrolled and has no events yet is a chain, too, at seq 0.
    """
    key, head = tables.device_key.c, tables.head.c
    query = (
        select(key.device, key.run, head.branch, head.first, head.seq)
        .outerjoin(tables.head, (head.device == key.device) & (head.run == key.run))
        .where(key.device != NODE)
        .order_by(key.device, key.run, head.branch)
    )
    return [
        ChainHead(row.device, row.run, row.branch or 1, row.first or 1, row.seq or 0)
        for row in connection.execute(query)
    ]


def part_after(connection: Connection, chain: ChainHead, after: int) -> Part | None:
    """Return what follows event `after` of a chain, at most 500 events, None at its end."""
    signed = _signature(connection, chain, after)
    if signed is None:
        return None
    last, head, sig = signed
    event, body = tables.event.c, tables.event_body
    query = (
        select(body.c.body)
        .join(tables.event, event.position == body.c.position)
        .where(event.device == chain.device, event.run == chain.run, event.branch == chain.branch)
        .where(event.seq > after, event.seq <= last)
        .order_by(event.seq)
    )
    lines = [rows.raw(each) for each in connection.scalars(query)]
    first = last - len(lines) + 1
    return Part(first, last, head, sig, lines, _before(connection, chain, first))


def _before(connection: Connection, chain: ChainHead, first: int) -> str:
    """Return the id of the event that a chain's event `first` continues, in whichever branch."""
    heads, branch = Work(connection).branches(chain.device, chain.run), chain.branch
    while branch > 1 and first <= heads[branch - 1]["first"]:
        branch = heads[branch - 1]["parent"]
    return event_id(connection, chain.device, chain.run, first - 1, branch) or NO_EVENT


def _signature(connection: Connection, chain: ChainHead, after: int) -> tuple[int, str, str] | None:
    """Return (last, head, sig) of the signature that covers most events after `after` in one push.

    A push has at most 500 events, so that there always is one within as many.
    """
    table = tables.signature.c
    query = select(table.last, table.head, table.sig).where(
        table.device == chain.device,
        table.run == chain.run,
        table.branch == chain.branch,
        table.last > after,
        table.last <= max(after, chain.first - 1) + MOST_EVENTS,
    )
    found = connection.execute(query.order_by(table.last.desc()).limit(1)).one_or_none()
    return None if found is None else (found.last, found.head, found.sig)


def header(
    connection: Connection, chain: ChainHead, part: Part | None, contacts: list[int]
) -> bytes:
    """Return the header of a chain's part; of no events, it only says that the chain is there."""
    value = Work(connection).get("device", chain.device) or {}
    key: Jwk | None = run_key(connection, chain.device, chain.run)
    first, last, head, sig = part[:4] if part else (chain.seq + 1, chain.seq, NO_EVENT, "")
    told = {
        "device": chain.device,
        "run": chain.run,
        "first": first,
        "last": last,
        "head": head,
        "sig": sig,
        "prev": part.prev if part else "",
        "key": key,
        "name": value.get("name", chain.device),
        "state": value.get("state", ACTIVE),
        "contacts": contacts,
    }
    return dumps(told).encode()


def contacts(connection: Connection, device: str, after: int) -> list[int]:
    """Return when a device was in touch here after a moment, over its last longest lease."""
    table = tables.contact.c
    mine = select(table.at).where(table.device == device).order_by(table.at)
    last = connection.scalar(select(func.max(table.at)).where(table.device == device))
    if last is None:
        return []
    return list(connection.scalars(mine.where(table.at > max(after, last - CONTACTS_MS))))
