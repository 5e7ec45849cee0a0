"""Triggers by which the database itself refuses to change or remove what was logged."""

from __future__ import annotations

from sqlalchemy import Connection

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
