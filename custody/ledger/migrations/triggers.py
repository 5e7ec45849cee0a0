"""Triggers by which the database itself refuses to change or remove what was logged."""

from __future__ import annotations

from sqlalchemy import Connection, inspect

REFUSAL = "the log is append-only"

_POSTGRES_FUNCTION = f"""
CREATE OR REPLACE FUNCTION custody_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{REFUSAL}: % on %', TG_OP, TG_TABLE_NAME; END $$
"""


def make_append_only(connection: Connection, table: str) -> None:
    """Make the database refuse UPDATE and DELETE (and TRUNCATE, where there is one) on `table`."""
    if connection.dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: {verb} on {table}'); END"
            )
        return
    connection.exec_driver_sql(_POSTGRES_FUNCTION.replace("%", "%%"))
    connection.exec_driver_sql(
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION custody_refuse()"
    )
    connection.exec_driver_sql(
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION custody_refuse()"
    )


def refuse_replacing(connection: Connection, table: str) -> None:
    """Make SQLite refuse INSERT OR REPLACE on `table`, which removes rows without a DELETE."""
    if connection.dialect.name != "sqlite":
        return
    taken = " OR ".join(
        f"({' AND '.join(f'{column} = NEW.{column}' for column in columns)})"
        for columns in _unique(connection, table)
    )
    connection.exec_driver_sql(
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {taken}) "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: REPLACE on {table}'); END"
    )


def keep_rows(connection: Connection, table: str, key: str, kept: tuple[str, ...]) -> None:
    """Make the database refuse to change or remove the rows of `table` with these keys."""
    listed = ", ".join(f"'{one}'" for one in kept)
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(
            f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW "
            f"WHEN (OLD.{key} IN ({listed})) EXECUTE FUNCTION custody_refuse()"
        )
        return
    for verb in ("UPDATE", "DELETE"):
        connection.exec_driver_sql(
            f"CREATE TRIGGER {table}_kept_{verb.lower()} BEFORE {verb} ON {table} "
            f"WHEN OLD.{key} IN ({listed}) "
            f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: {verb} on {table}'); END"
        )
    connection.exec_driver_sql(
        f"CREATE TRIGGER {table}_kept_replace BEFORE INSERT ON {table} "
        f"WHEN NEW.{key} IN ({listed}) AND EXISTS "
        f"(SELECT 1 FROM {table} WHERE {key} = NEW.{key}) "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: REPLACE on {table}'); END"
    )


def refuse_events(connection: Connection) -> None:
    """Make the database refuse further events: its ledger goes on elsewhere."""
    told = "this ledger was moved to another database"
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(
            "CREATE TRIGGER event_moved BEFORE INSERT ON event "
            f"BEGIN SELECT RAISE(ABORT, '{told}'); END"
        )
        return
    connection.exec_driver_sql(
        "CREATE FUNCTION custody_moved() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{told}'; END $$"
    )
    connection.exec_driver_sql(
        "CREATE TRIGGER event_moved BEFORE INSERT ON event "
        "FOR EACH STATEMENT EXECUTE FUNCTION custody_moved()"
    )


def _unique(connection: Connection, table: str) -> list[list[str]]:
    """Return the sets of columns of which no two rows of a table have the same values."""
    looking = inspect(connection)
    found = [list(one["column_names"]) for one in looking.get_unique_constraints(table)]
    indexes = [one for one in looking.get_indexes(table) if one["unique"]]
    found += [[name for name in one["column_names"] if name] for one in indexes]
    return [looking.get_pk_constraint(table)["constrained_columns"], *found]
