"""Partitions of the event bodies in PostgreSQL, by log position, made before they are needed.

A partition that is attached, rather than created in its place, keeps nobody from reading or writing
meanwhile. SQLite has one table.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection

SIZE = 1_000_000  # positions of a partition
AHEAD = 100_000  # how far from the end of the last partition the next one is made
_END = re.compile(r"TO \('?(\d+)'?\)")
_BOUNDS = """
SELECT pg_get_expr(c.relpartbound, c.oid) FROM pg_class c
JOIN pg_inherits i ON i.inhrelid = c.oid WHERE i.inhparent = 'event_body'::regclass
"""


def make_room(connection: Connection, position: int) -> None:
    """Make the next partition when `position`, the next of the log, comes near the last one's end.

    To be called by who holds the lock for positions, before each batch.
    """
    if connection.dialect.name == "sqlite" or position % SIZE < SIZE - AHEAD:
        return
    start = last_end(connection)
    if start <= position + AHEAD:
        add(connection, start)


def last_end(connection: Connection) -> int:
    """Return the first position that no partition takes."""
    bounds = connection.exec_driver_sql(_BOUNDS).scalars()
    return max(int(found.group(1)) for bound in bounds if (found := _END.search(bound)))


def add(connection: Connection, start: int) -> None:
    """Add the partition for SIZE positions from `start` on, guarded as the others are."""
    name = f"event_body_p{start // SIZE}"
    for statement in (
        f"CREATE TABLE {name} (LIKE event_body INCLUDING DEFAULTS)",
        f"ALTER TABLE event_body ATTACH PARTITION {name} FOR VALUES FROM ({start}) "
        f"TO ({start + SIZE})",
        f"CREATE TRIGGER {name}_no_truncate BEFORE TRUNCATE ON {name} "
        "FOR EACH STATEMENT EXECUTE FUNCTION custody_refuse()",
    ):
        connection.exec_driver_sql(statement)
