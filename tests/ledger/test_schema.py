"""The migrations make the tables that the code writes, and the database guards the log itself."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from custody.ledger import bodies, rows, schema, tables
from custody.ledger.core import Ledger
from custody.ledger.database import Database
from custody.ledger.errors import DatabaseUnusable
from custody.ledger.log import tables as log_tables  # noqa: F401  (its table is in the metadata)
from tests.support import cast, postgres
from tests.support.device import Device

CHANGES = {
    "event": "UPDATE event SET seq = seq + 1",
    "event_body": "UPDATE event_body SET body = body",
    "signature": "UPDATE signature SET sig = 'x'",
    "branch": "UPDATE branch SET parent = 7",
    "master": "UPDATE master SET value = NULL",
    "device_key": "UPDATE device_key SET jwk = '{}'",
    "contact": "UPDATE contact SET since_position = 0",
}


# SQLAlchemy cannot read it back on SQLite; that it serves is in test_plans.
@pytest.mark.filterwarnings("ignore:.*expression-based index .?event_block_id")
def test_the_migrations_make_exactly_the_tables_of_the_code(database_url: str) -> None:
    database = Database(database_url)
    schema.migrate(database)
    with database.engine.connect() as connection:
        opts = {"compare_type": True, "include_name": _is_ours}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, SQLModel.metadata) == []
    database.close()


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """Leave out the partitions: the table is the one that they are of."""
    return kind != "table" or name is None or not name.startswith("event_body_p")


def test_migrating_twice_changes_nothing(database_url: str) -> None:
    database = Database(database_url)
    schema.migrate(database)
    schema.migrate(database)
    assert schema.is_current(database)
    database.close()


def test_a_database_without_migrations_is_not_current(database_url: str) -> None:
    database = Database(database_url)
    assert not schema.is_current(database)
    database.close()


def test_every_table_of_the_log_is_guarded() -> None:
    assert {table.name for table in tables.APPEND_ONLY} == set(CHANGES)


@pytest.mark.parametrize("table", CHANGES)
def test_nothing_of_the_log_is_replaced(device: Device, ledger: Ledger, table: str) -> None:
    if not ledger.database.is_sqlite:
        return  # PostgreSQL replaces by UPDATE, which it refuses
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    before = _rows(ledger, table)
    again = text(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    with ledger.database.engine.begin() as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(again)
    assert "append-only" in str(refused.value)
    assert _rows(ledger, table) == before


@pytest.mark.parametrize("table", CHANGES)
@pytest.mark.parametrize("verb", ["UPDATE", "DELETE", "TRUNCATE"])
def test_the_database_itself_refuses_to_change_the_log(
    device: Device, ledger: Ledger, table: str, verb: str
) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    if verb == "TRUNCATE" and ledger.database.is_sqlite:
        verb = "DELETE"  # SQLite has no other way to empty a table
    statement = {"UPDATE": CHANGES[table], "DELETE": f"DELETE FROM {table}"}.get(
        verb, f"TRUNCATE {table} CASCADE"
    )
    before = _rows(ledger, table)
    assert before
    with ledger.database.engine.begin() as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(text(statement))
    assert "append-only" in str(refused.value)
    assert _rows(ledger, table) == before


@pytest.mark.parametrize("key", ["database", "site", "origin"])
@pytest.mark.parametrize(
    "statement",
    ["UPDATE meta SET value = 'x' WHERE key = :key", "DELETE FROM meta WHERE key = :key"],
)
def test_what_the_database_is_never_changes(ledger: Ledger, key: str, statement: str) -> None:
    with ledger.database.engine.begin() as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(text(statement), {"key": key})
    assert "append-only" in str(refused.value)


def test_partitions_of_the_bodies_are_made_ahead_and_guarded(
    ledger: Ledger,
) -> None:
    if ledger.database.is_sqlite:
        return  # it has one table
    with ledger.database.writing() as connection:
        end = bodies.last_end(connection)
        bodies.make_room(connection, end - bodies.AHEAD - 1)
        assert bodies.last_end(connection) == end
        bodies.make_room(connection, end - bodies.AHEAD)
        bodies.make_room(connection, end - bodies.AHEAD)
        assert bodies.last_end(connection) == end + bodies.SIZE
        row = {"position": end, "body": b"kept"}
        rows.insert(connection, tables.event_body, [row])
    name = f"event_body_p{end // bodies.SIZE}"
    for refused in (f"UPDATE {name} SET body = body", f"DELETE FROM {name}", f"TRUNCATE {name}"):
        with ledger.database.engine.begin() as connection, pytest.raises(DBAPIError) as told:
            connection.execute(text(refused))
        assert "append-only" in str(told.value)


def _rows(ledger: Ledger, table: str) -> list[tuple[object, ...]]:
    with ledger.database.reading() as connection:
        return [tuple(row) for row in connection.execute(text(f"SELECT * FROM {table}"))]


def test_two_events_never_share_a_place_in_a_chain(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    copy = (
        "INSERT INTO event (position, id, device, run, branch, seq, received, leaf) "
        "SELECT position + 1000, id, device, run, branch, seq, received, leaf FROM event"
    )
    with ledger.database.engine.connect() as connection, pytest.raises(DBAPIError):
        connection.execute(text(copy))


def test_sqlite_writes_through_to_the_disk(ledger: Ledger) -> None:
    with ledger.database.engine.connect() as connection:
        if ledger.database.is_sqlite:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        else:
            assert connection.scalar(text("SHOW synchronous_commit")) == "on"


def test_sqlite_keeps_as_many_pages_for_one_connection_as_for_all(ledger: Ledger) -> None:
    if not ledger.database.is_sqlite:
        return
    with ledger.database.engine.connect() as connection:
        kib = -connection.exec_driver_sql("PRAGMA cache_size").scalar_one()
        assert kib * 1024 == connection.exec_driver_sql("PRAGMA soft_heap_limit").scalar_one()


def database_of(server: str, encoding: str) -> Database:
    options = f"ENCODING '{encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
    return Database(postgres.new_database(server, options))


def test_a_postgresql_made_without_a_locale_keeps_every_letter(postgres_server: str) -> None:
    database = database_of(postgres_server, "SQL_ASCII")
    schema.migrate(database)
    with database.writing() as connection:
        rows.insert(connection, tables.meta, [{"key": "site", "value": "Zoë \u2014 \U0001f3b2"}])
    with database.reading() as connection:
        assert connection.scalar(select(tables.meta.c.value)) == "Zoë \u2014 \U0001f3b2"
    database.close()


def test_a_postgresql_that_lacks_letters_is_refused_before_it_is_filled(
    postgres_server: str,
) -> None:
    database = database_of(postgres_server, "LATIN1")
    with pytest.raises(DatabaseUnusable, match="encoding LATIN1"):
        schema.migrate(database)
    assert not database.has_table("meta")
    database.close()
