"""Bring a database to the present schema, while servers of the version before go on.

On SQLite, with its one serving process, all of it is one transaction. On PostgreSQL each migration
is one of its own that gives way: it waits LOCK_WAIT for a lock, then lets the others go first. So a
migration expands (adds what the version before does not mind), and what that version still needs
is taken away a version later (docs/deployment.md, "Updates").
"""

from __future__ import annotations

import logging
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from custody.ledger import meta
from custody.ledger.database import Database
from custody.ledger.errors import DatabaseUnusable, SchemaTooNew

FOLDER = Path(__file__).parent / "migrations"
HEAD = "head"
LOCK_WAIT = "2s"  # who waits for a lock holds up all that come after it
TRIES = 60
PAUSE_S = 1.0
LOCK_NOT_AVAILABLE = "55P03"
UNICODE = ("UTF8", "SQL_ASCII")  # the latter looks at no byte beyond ASCII
# The row of meta by which a migration that takes away what versions before it use says which
# schema a program must know to go on.
NEEDED = "schema-needed"

told_log = logging.getLogger("custody.schema")


def _alembic() -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def _require_unicode(connection: Connection) -> None:
    """Raise DatabaseUnusable for a database that cannot hold every text that a device may sign."""
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    connection.rollback()  # each migration begins a transaction of its own
    if encoding not in UNICODE:
        raise DatabaseUnusable(
            f"the database has the encoding {encoding}, which lacks letters that devices send: "
            "make one with ENCODING 'UTF8' TEMPLATE template0"
        )


def migrate(database: Database, to: str | None = None) -> None:
    """Run every migration that the database has not seen, up to HEAD or another revision.

    Raises DatabaseUnusable when others hold what a migration needs for longer than they may, and
    for an encoding of PostgreSQL that holds not every text.
    """
    to = to or HEAD
    if database.is_sqlite:
        with database.writing() as connection:
            _upgrade(_alembic(), connection, to)
        return
    for _ in range(TRIES):
        try:
            with database.migrating(LOCK_WAIT) as connection:
                _require_unicode(connection)
                return _upgrade(_alembic(), connection, to)
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            time.sleep(PAUSE_S)
    raise DatabaseUnusable(
        "the schema cannot be brought up to date: others hold its tables without a pause. "
        "Look for long transactions in pg_stat_activity, end them, and start again"
    )


def _upgrade(config: AlembicConfig, connection: object, to: str) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, to)


class Standing(NamedTuple):
    """Which schema the database has, and which is the latest that this program knows."""

    database: str | None
    program: str
    is_newer: bool  # the database's is none that this program knows

    @property
    def is_current(self) -> bool:
        """Say whether it is the schema that this version writes, or a later one.

        A later one was made by the next version, which expands only; this one may go on until it
        is replaced.
        """
        return self.is_newer or self.database == self.program

    def words(self) -> str:
        """Say that the database's schema is newer, and what that means."""
        return (
            f"the database has schema {self.database}, and this program knows {self.program} at "
            "the latest: a newer version was started on it. This one may go on until it is replaced"
        )


def standing(database: Database) -> Standing:
    """Return how the database's schema stands to this program's."""
    with database.reading() as connection:
        has = MigrationContext.configure(connection).get_current_revision()
    known = _known()
    return Standing(has, known[0], has is not None and has not in known)


@cache
def _known() -> tuple[str, ...]:
    """Return the revisions that this program knows, the latest first."""
    scripts = ScriptDirectory.from_config(_alembic())
    return tuple(one.revision for one in scripts.walk_revisions())


def is_current(database: Database) -> bool:
    """Say whether the database has the schema that this version writes, or a later one."""
    return standing(database).is_current


def bring_up(database: Database) -> None:
    """Bring a database to the present schema; say in the program's log that it has a newer one.

    Raises SchemaTooNew where a migration of a later version wrote down that this one cannot go on
    with it; else what `migrate` raises.
    """
    found = standing(database)
    if found.is_newer:
        _require_borne(database, found)
    elif not found.is_current:
        migrate(database)


def _require_borne(database: Database, found: Standing) -> None:
    with database.reading() as connection:
        least = meta.read(connection, NEEDED)
    if least is not None and least not in _known():
        raise SchemaTooNew(
            f"the database has schema {found.database}, which needs a program that knows schema "
            f"{least}; this one knows {found.program} at the latest: start the newer version"
        )
    told_log.warning("%s", found.words())
