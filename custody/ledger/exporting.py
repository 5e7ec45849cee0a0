"""The log as records that a stranger can check (docs/architecture.md, "The log")."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import rows, tables
from custody.ledger.core import Ledger
from custody.ledger.log.errors import Stopped
from custody.ledger.strict import reload

CHUNK = 1000
Exported = dict[str, Any]


def records(ledger: Ledger, *, sign: bool = True) -> Iterator[Exported]:
    """Yield the log's record, every device's key, then events, each push after its last event.

    Without `sign` nothing is signed now, and the log's record has the checkpoint that the database
    itself has, which is behind what was signed when the log has stopped.
    """
    yield _log(ledger, sign)
    with ledger.database.reading() as connection:
        key = tables.device_key
        query = select(key).order_by(key.c.device, key.c.run)
        for row in connection.execute(query).mappings().all():
            jwk = reload(row["jwk"])
            yield {"of": "device", "device": row["device"], "run": row["run"], "key": jwk}
        yield from _events(connection)


def _log(ledger: Ledger, sign: bool) -> Exported:
    try:
        note = ledger.log.checkpoint() if sign else ledger.log.log.heads.last().note
    except Stopped:
        note = ledger.log.last_note()  # the one that the events do not continue: let it be found
    site, verifiers = ledger.site, ledger.log.all_verifiers()
    return {"of": "log", "site": site, "verifiers": verifiers, "checkpoint": note}


def _events(connection: Connection) -> Iterator[Exported]:
    event, body, push = tables.event, tables.event_body, tables.signature
    same = (
        (push.c.device == event.c.device)
        & (push.c.run == event.c.run)
        & (push.c.branch == event.c.branch)
        & (push.c.last == event.c.seq)
    )
    wanted = select(event, body.c.body, push.c.last, push.c.head, push.c.sig)
    joined = wanted.join(body, body.c.position == event.c.position).outerjoin(push, same)
    after = -1
    while True:
        query = joined.where(event.c.position > after).order_by(event.c.position).limit(CHUNK)
        found = connection.execute(query).mappings().all()
        if not found:
            return
        for row in found:
            yield _event(row)
            if row["last"] is not None:
                yield _push(row)
        after = found[-1]["position"]


def _event(row: Any) -> Exported:
    names = ("position", "received", "device", "run", "branch", "seq")
    raw = rows.raw(row["body"])
    try:
        content = {"line": raw.decode()}
    except UnicodeDecodeError:
        content = {"base64": base64.b64encode(raw).decode()}
    return {"of": "event", **{name: row[name] for name in names}, **content}


def _push(row: Any) -> Exported:
    names = ("device", "run", "branch", "last", "head", "sig")
    return {"of": "push", **{name: row[name] for name in names}}
