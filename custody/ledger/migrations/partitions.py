"""How `event_body` became a partitioned table in PostgreSQL (revisions 0005 to 0007)."""

from __future__ import annotations

import re

from sqlalchemy import Connection

SIZE = 1_000_000  # as custody.ledger.bodies has it; a migration never changes
ROOM = 100_000  # events that may come between 0005 and 0007
FIRST = "event_body_p0"


def bound(connection: Connection) -> int:
    """Return where the first partition ends: a multiple of SIZE that is not soon reached."""
    query = "SELECT coalesce(max(position), -1) + 1 FROM event_body"
    size = int(connection.exec_driver_sql(query).scalar_one())
    return ((size + ROOM) // SIZE + 1) * SIZE


def make_partitioned(connection: Connection) -> None:
    end = _kept_bound(connection)
    for statement in (
        "DROP TRIGGER event_body_no_change ON event_body",
        f"ALTER TABLE event_body RENAME TO {FIRST}",
        f"ALTER INDEX event_body_pkey RENAME TO {FIRST}_pkey",
        "CREATE TABLE event_body (position bigint NOT NULL, body bytea NOT NULL, "
        "CONSTRAINT event_body_pkey PRIMARY KEY (position)) PARTITION BY RANGE (position)",
        f"ALTER TABLE event_body ATTACH PARTITION {FIRST} FOR VALUES FROM (0) TO ({end})",
        f"ALTER TABLE {FIRST} DROP CONSTRAINT {FIRST}_bound",
        "CREATE TRIGGER event_body_no_change BEFORE UPDATE OR DELETE ON event_body "
        "FOR EACH ROW EXECUTE FUNCTION custody_refuse()",
        f"ALTER TRIGGER event_body_no_truncate ON {FIRST} RENAME TO {FIRST}_no_truncate",
        "CREATE TRIGGER event_body_no_truncate BEFORE TRUNCATE ON event_body "
        "FOR EACH STATEMENT EXECUTE FUNCTION custody_refuse()",
    ):
        connection.exec_driver_sql(statement)


def _kept_bound(connection: Connection) -> int:
    """Return the bound that 0005 fixed, from the constraint itself."""
    told = connection.exec_driver_sql(
        f"SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '{FIRST}_bound'"
    ).scalar_one()
    found = re.search(r"position\"? < '?(\d+)", told)
    if found is None:
        raise ValueError(f"the constraint {FIRST}_bound says {told!r}")
    return int(found.group(1))
