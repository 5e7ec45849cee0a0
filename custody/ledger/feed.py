"""The changes feed: what a device must know, in the order of change (protocol.md, "Changes").

A change is placed by the log position of the event that made it, so a rebuilt ledger goes on with
the cursors that its devices hold. A device that begins is told what is in scope and then what has
changed meanwhile, so a first sync takes as long as there is in custody, not as ever was.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, select, tuple_

from custody.ledger import tables
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError
from custody.ledger.strict import Unreadable, dumps, loads
from custody.ledger.work import DESK_ONLY

MOST = 500
LAST = "~"  # behind every `of`
TRIES = 3  # to see a state that is not older than the one whose digest is kept
Digest = Callable[[Connection], str | None]


class Place(NamedTuple):
    """Where a device has read to: all that changed at a position, up to and with a record.

    While `whole`, it reads everything in scope, as of that position, from the last record to the
    first: so people, places and rules come before items, and nothing is told of what has left the
    scope long ago.
    """

    position: int
    of: str
    id: str
    whole: bool = False


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
    place = _read_cursor(cursor, ledger.meta["database"]) if cursor else None
    for _ in range(TRIES):
        with ledger.database.reading() as connection:
            page = _page(ledger, connection, place, limit, ledger.scope.present)
        if page.more or page.digest is not None:
            return page
    with ledger.database.reading() as connection:
        return _page(ledger, connection, place, limit, ledger.scope.digest)


def _page(
    ledger: Ledger, connection: Connection, place: Place | None, limit: int, digest: Digest
) -> Page:
    newest = _newest(connection)
    if place and place.position > newest:
        raise CursorReset("this cursor is ahead of the server: start with an empty one")
    found, place, more = _after(connection, place or Place(newest, LAST, "", True), limit)
    changes = [
        Change(row.of, row.id, row.value if row.live else None, row.etag if row.live else None)
        for row in found
    ]
    cursor = _write_cursor(place, ledger.meta["database"])
    return Page(changes, cursor, more, None if more else digest(connection))


def _after(connection: Connection, place: Place, limit: int) -> tuple[list[Row[Any]], Place, bool]:
    """Return at most `limit` records after a place, the place reached, and whether there are more.

    At the end of what there was, a whole reading goes on with what has changed since.
    """
    first: list[Row[Any]] = []
    if place.whole:
        first = _in_scope(connection, place, limit + 1)
        if len(first) > limit:
            last = first[limit - 1]
            return first[:limit], place._replace(of=last.of, id=last.id), True
        place = Place(place.position, LAST, "")
    room = limit - len(first)
    rest = _changed(connection, place, room + 1)
    if rest[:room]:
        last = rest[:room][-1]
        place = Place(last.changed, last.of, last.id)
    return [*first, *rest[:room]], place, len(rest) > room


COLUMNS = [tables.record.c[name] for name in ("changed", "of", "id", "live", "value", "etag")]


def _in_scope(connection: Connection, place: Place, limit: int) -> list[Row[Any]]:
    table = tables.record.c
    query = select(*COLUMNS).where(table.live, table.of.not_in(DESK_ONLY))
    query = query.where(tuple_(table.of, table.id) < tuple_(place.of, place.id))
    query = query.where(table.changed <= place.position)
    query = query.order_by(table.of.desc(), table.id.desc())
    return list(connection.execute(query.limit(limit)))


def _changed(connection: Connection, place: Place, limit: int) -> list[Row[Any]]:
    table = tables.record.c
    at = tuple_(table.changed, table.of, table.id)
    query = select(*COLUMNS).where(at > tuple_(place.position, place.of, place.id))
    query = query.where(table.of.not_in(DESK_ONLY))
    query = query.order_by(table.changed, table.of, table.id)
    return list(connection.execute(query.limit(limit)))


def _newest(connection: Connection) -> int:
    return int(connection.scalar(select(func.max(tables.record.c.changed))) or 0)


def _write_cursor(place: Place, database: str) -> str:
    told = (place.position, place.of, place.id, *([True] if place.whole else []))
    packed = dumps([database, *told]).encode()
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def _read_cursor(cursor: str, database: str) -> Place:
    """Return the place that a cursor names. Raises CursorReset for any that is not ours."""
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        made_by, position, of, id_, *whole = loads(packed)
    except (binascii.Error, Unreadable, ValueError, TypeError) as error:
        raise CursorReset("this cursor cannot be read: start with an empty one") from error
    if made_by != database or not isinstance(position, int):
        raise CursorReset("this cursor is of another database: start with an empty one")
    return Place(position, str(of), str(id_), bool(whole))
