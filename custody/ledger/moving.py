"""Carry a ledger over to another database: every row, and proof that it is the same ledger.

The target is filled in one transaction, and compared with the source table by table before it is
kept. Then the source refuses further events, so that a server that still writes there is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, select, tuple_
from sqlalchemy.engine import make_url
from sqlmodel import SQLModel

from custody.config import Config
from custody.ledger import bodies, meta, rows, schema, tables
from custody.ledger.core import MOVED
from custody.ledger.database import Database
from custody.ledger.errors import LedgerError
from custody.ledger.log import merkle
from custody.ledger.log import tables as log_tables  # noqa: F401  (its table goes along)
from custody.ledger.migrations.triggers import refuse_events
from custody.ledger.rebuilding import digest
from custody.ledger.strict import dumps

CHUNK = 1000
Progress = Callable[[str, int], None]


class MoveRefused(LedgerError):
    """A target that is taken, a source that is not what it should be, or a copy that differs."""


@dataclass(frozen=True)
class Moved:
    """`root` is the hex Merkle root over all `events`, `projections` the digest of a rebuild."""

    events: int
    root: str
    projections: str


def move(config: Config, url: str, progress: Progress = lambda table, copied: None) -> Moved:
    """Copy the ledger of `config` into the empty database at `url`: all of it, or nothing.

    Raises MoveRefused.
    """
    with ExitStack() as closing:
        source, target = Database(config.database_url), Database(url)
        closing.callback(source.close)
        closing.callback(target.close)
        _require_ledger(source)
        _require_empty(target)
        fresh = _touch(url)
        try:
            return _carry(source, target, url, progress)
        except BaseException:
            if fresh is not None:
                target.close()
                fresh.unlink()
            raise


def _require_ledger(source: Database) -> None:
    if not source.has_table(tables.meta.name):
        raise MoveRefused("there is no ledger in the database to move from")
    if not schema.is_current(source):
        raise MoveRefused(
            "the ledger has the schema of an earlier version: start the server once, then move it"
        )
    with source.reading() as connection:
        gone = meta.read(connection, MOVED)
    if gone is not None:
        raise MoveRefused(f"this ledger was moved to {gone}; move it from there")


def _require_empty(target: Database) -> None:
    if not target.has_table(tables.meta.name):
        return
    with target.reading() as connection:
        if connection.scalar(select(func.count()).select_from(tables.meta)):
            raise MoveRefused("the target holds a ledger already: name an empty database")


def _touch(url: str) -> Path | None:
    """Make an SQLite file that only its owner reads; return it if it was not there."""
    name = make_url(url).database if url.startswith("sqlite") else None
    if name is None or Path(name).exists():
        return None
    try:
        Path(name).touch(0o600)
    except OSError as error:
        raise MoveRefused(f"{name} cannot be written: {error.strerror}") from error
    return Path(name)


def _carry(source: Database, target: Database, url: str, progress: Progress) -> Moved:
    with source.writing() as old:  # nobody appends meanwhile
        moved = fill(old, target, progress)
        refuse_events(old)
        shown = make_url(url).render_as_string(hide_password=True)
        rows.insert(old, tables.meta, [{"key": MOVED, "value": shown}])
    return moved


def fill(
    old: Connection, target: Database, progress: Progress = lambda table, copied: None
) -> Moved:
    """Copy every row that a connection sees into an empty database, and compare what came of it.

    Raises MoveRefused, with no row kept, when a table differs.
    """
    schema.migrate(target)
    with target.writing() as new:
        for table in SQLModel.metadata.sorted_tables:
            _copy(old, new, table, progress)
        for table in SQLModel.metadata.sorted_tables:
            if table_digest(old, table) != table_digest(new, table):
                raise MoveRefused(f"the copy of {table.name} differs; nothing of it was kept")
        return Moved(_count(new), root(new).hex(), digest(new))


def _count(connection: Connection) -> int:
    return int(connection.scalar(select(func.count()).select_from(tables.event)) or 0)


def _copy(old: Connection, new: Connection, table: Table, progress: Progress) -> None:
    copied = 0
    for some in _pages(old, table):
        if table is tables.event_body:
            bodies.make_room(new, some[0]["position"])
        rows.insert(new, table, some)
        copied += len(some)
        progress(table.name, copied)


def _pages(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """Yield a table's rows by its primary key, some at a time; the bodies as bytes."""
    keys = list(table.primary_key.columns)
    query = select(table).order_by(*keys).limit(CHUNK)
    after = query
    while found := connection.execute(after).mappings().all():
        yield [_plain(row) for row in found]
        last = tuple(found[-1][key.name] for key in keys)
        after = query.where(tuple_(*keys) > tuple_(*last))


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {**row, "body": rows.raw(row["body"])} if "body" in row else dict(row)


def table_digest(connection: Connection, table: Table) -> str:
    """Return one SHA-256 over every row of a table, the same on either database."""
    whole = hashlib.sha256()
    for some in _pages(connection, table):
        for row in some:
            told = [value.hex() if isinstance(value, bytes) else value for value in row.values()]
            whole.update(dumps(told).encode() + b"\n")
    return whole.hexdigest()


def root(connection: Connection) -> bytes:
    """Return the Merkle root over the leaves of all events (RFC 6962, section 2.1)."""
    peaks: list[tuple[int, bytes]] = []  # (level, hash) of the perfect subtrees so far
    for some in _pages(connection, tables.event):
        for row in some:
            level, hashed = 0, bytes.fromhex(row["leaf"])
            while peaks and peaks[-1][0] == level:
                level, hashed = level + 1, merkle.node_hash(peaks.pop()[1], hashed)
            peaks.append((level, hashed))
    if not peaks:
        return merkle.EMPTY
    whole = peaks.pop()[1]
    while peaks:
        whole = merkle.node_hash(peaks.pop()[1], whole)
    return whole
