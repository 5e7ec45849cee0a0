"""Every projection is a function of the log and of the master data: made again, it is the same."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from flask import Flask
from sqlalchemy import Connection, select, text

from custody.cli import main
from custody.config import Config
from custody.ledger import people, rows, schema, tables
from custody.ledger.core import Ledger
from custody.ledger.database import Database
from custody.ledger.rebuilding import digest, rebuild, replay
from tests.support import cast, postgres, story
from tests.support.device import Device


def digest_of(ledger: Ledger) -> str:
    with ledger.database.reading() as connection:
        return digest(connection)


def test_a_rebuild_gives_the_same_bytes(app: Flask, ledger: Ledger) -> None:
    story.tell(app, ledger)
    before = digest_of(ledger)
    assert rebuild(ledger) == before == digest_of(ledger)


def test_a_rebuild_repairs_what_was_changed_by_hand(app: Flask, ledger: Ledger) -> None:
    story.tell(app, ledger)
    before = digest_of(ledger)
    with ledger.database.writing() as connection:
        connection.execute(text("UPDATE record SET value = '{}' WHERE id = 'D5-002'"))
        connection.execute(text("DELETE FROM exception"))
        connection.execute(text("DELETE FROM posting"))
    assert digest_of(ledger) != before
    assert rebuild(ledger) == before


def test_each_event_is_judged_by_what_held_then(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    people.set_active(ledger, "fay", False, [])
    device.record("receive", **cast.receive("D5-002"))
    device.push()
    people.set_active(ledger, "fay", True, [])
    rebuild(ledger)
    with ledger.database.reading() as connection:
        raised = connection.execute(select(tables.exception.c.kind, tables.exception.c.seq)).all()
    assert [tuple(one) for one in raised] == [("revoked-person", 2)]


def test_the_size_of_batches_does_not_show(device: Device, ledger: Ledger) -> None:
    for n in range(8):
        device.record("receive", **cast.receive(f"D5-00{n}"))
    for n in range(3, 8):
        device.push(device.batch(last=n))
    device.push()
    before = digest_of(ledger)
    assert rebuild(ledger) == before


def test_the_log_gives_the_same_digest_on_the_other_database(
    app: Flask, ledger: Ledger, tmp_path: Path, postgres_server: str
) -> None:
    story.tell(app, ledger)
    other_url = (
        postgres.new_database(postgres_server)
        if ledger.database.is_sqlite
        else f"sqlite:///{tmp_path / 'other.db'}"
    )
    other = Database(other_url)
    schema.migrate(other)
    with ledger.database.reading() as source, other.writing() as target:
        for table in tables.APPEND_ONLY:
            _copy(source, target, table.name)
        replay(target)
        made = digest(target)
    other.close()
    assert made == digest_of(ledger)


def _copy(source: Connection, target: Connection, name: str) -> None:
    table = tables.table(name)
    rows.insert(target, table, [dict(row) for row in source.execute(select(table)).mappings()])


def test_the_command_prints_the_digest(app: Flask, ledger: Ledger, config: Config) -> None:
    story.tell(app, ledger)
    before = digest_of(ledger)
    arguments = ["rebuild", "--data", str(config.data), "--database", config.database_url]
    told = CliRunner().invoke(main, arguments)
    assert (told.exit_code, told.stdout) == (0, f"{before}\n")
