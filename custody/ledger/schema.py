"""Bring a database to the present schema, and make its log append-only."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from custody.ledger.database import Database

FOLDER = Path(__file__).parent / "migrations"


def _alembic() -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def migrate(database: Database) -> None:
    """Run every migration that the database has not seen, in one transaction."""
    config = _alembic()
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def is_current(database: Database) -> bool:
    """Say whether the database has the schema that this version of Custody writes."""
    with database.reading() as connection:
        has = MigrationContext.configure(connection).get_current_revision()
    return has == ScriptDirectory.from_config(_alembic()).get_current_head()
