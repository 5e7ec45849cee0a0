"""Bring a database to the present schema, while servers of the version before go on.

On SQLite, with its one serving process, all of it is one transaction. On PostgreSQL each migration
is one of its own that gives way: it waits LOCK_WAIT for a lock, then lets the others go first. So a
migration expands (adds what the version before does not mind), and what that version still needs
is taken away a version later (docs/deployment.md, "Updates").
"""

from __future__ import annotations

import time
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.exc import OperationalError

from custody.ledger.database import Database
from custody.ledger.errors import DatabaseUnusable

FOLDER = Path(__file__).parent / "migrations"
HEAD = "head"
LOCK_WAIT = "2s"  # who waits for a lock holds up all that come after it
TRIES = 60
PAUSE_S = 1.0
LOCK_NOT_AVAILABLE = "55P03"


def _alembic() -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def migrate(database: Database, to: str | None = None) -> None:
    """Run every migration that the database has not seen, up to HEAD or another revision.

    Raises DatabaseUnusable when others hold what a migration needs for longer than they may.
    """
    to = to or HEAD
    if database.is_sqlite:
        with database.writing() as connection:
            _upgrade(_alembic(), connection, to)
        return
    for _ in range(TRIES):
        try:
            with database.migrating(LOCK_WAIT) as connection:
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


def is_current(database: Database) -> bool:
    """Say whether the database has the schema that this version writes, or a later one.

    A later one was made by the next version, which expands only; this one may go on until it is
    replaced.
    """
    with database.reading() as connection:
        has = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_alembic())
    if has is None or has == scripts.get_current_head():
        return has is not None
    return not _is_known(scripts, has)


def _is_known(scripts: ScriptDirectory, revision: str) -> bool:
    try:
        return scripts.get_revision(revision) is not None
    except CommandError:
        return False
