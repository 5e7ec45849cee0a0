"""The changes feed: what a device must know, in the order of change (protocol.md, "Changes").

A change is placed by the log position of the event that made it, so a rebuilt ledger goes on with
the cursors that its devices hold.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import NamedTuple

from sqlalchemy import Connection, func, select, tuple_

from custody.ledger import tables
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError
from custody.ledger.strict import Unreadable, dumps, loads
from custody.ledger.work import DESK_ONLY

MOST = 500
START = (-1, "", "")


class CursorReset(LedgerError):
    """The cursor is not one of this database: the device starts again with an empty one."""


class Change(NamedTuple):
    """`value` is the exact text of which `etag` is the SHA-256; both None for what to forget."""

    of: str
    id: str
    value: str | None
    etag: str | None


class Page(NamedTuple):
    """`digest` is of the whole scope, and only there when `more` is False."""

    changes: list[Change]
    cursor: str
    more: bool
    digest: str | None


def changes_after(ledger: Ledger, cursor: str, limit: int) -> Page:
    """Return the next page after a cursor, which "" starts. Raises CursorReset."""
    database = ledger.meta["database"]
    after = _read_cursor(cursor, database)
    table = tables.record.c
    place = tuple_(table.changed, table.of, table.id)
    query = select(table.changed, table.of, table.id, table.live, table.value, table.etag)
    query = query.where(place > tuple_(*after), table.of.not_in(DESK_ONLY))
    query = query.order_by(table.changed, table.of, table.id)
    if not cursor:
        query = query.where(table.live)
    with ledger.database.reading() as connection:
        if after[0] > _newest(connection):
            raise CursorReset("this cursor is ahead of the server: start with an empty one")
        found = connection.execute(query.limit(limit + 1)).all()
        more, page = len(found) > limit, found[:limit]
        digest = None if more else ledger.scope.digest(connection)
    last = (page[-1].changed, page[-1].of, page[-1].id) if page else after
    changes = [
        Change(row.of, row.id, row.value if row.live else None, row.etag if row.live else None)
        for row in page
    ]
    return Page(changes, _write_cursor(last, database), more, digest)


def _newest(connection: Connection) -> int:
    return int(connection.scalar(select(func.max(tables.record.c.changed))) or 0)


def scope_digest(connection: Connection) -> str:
    """Return SHA-256 over the sorted lines `<of> <id> <etag>` of everything in scope.

    All of it is read; `scope.Scope` keeps the same up to date.
    """
    table = tables.record.c
    query = select(table.of, table.id, table.etag).where(table.live)
    lines = sorted(f"{of} {id_} {etag}\n".encode() for of, id_, etag in connection.execute(query))
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _write_cursor(place: tuple[int, str, str], database: str) -> str:
    packed = dumps([database, *place]).encode()
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def _read_cursor(cursor: str, database: str) -> tuple[int, str, str]:
    """Return the place that a cursor names. Raises CursorReset for any that is not ours."""
    if not cursor:
        return START
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        made_by, position, of, id_ = loads(packed)
    except (binascii.Error, Unreadable, ValueError, TypeError) as error:
        raise CursorReset("this cursor cannot be read: start with an empty one") from error
    if made_by != database or not isinstance(position, int):
        raise CursorReset("this cursor is of another database: start with an empty one")
    return position, str(of), str(id_)
