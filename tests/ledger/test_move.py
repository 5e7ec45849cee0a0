"""A ledger moves to another database as it is: the same log, the same projections, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlalchemy import select

from custody.app import create_app
from custody.cli import main
from custody.config import Config
from custody.ledger import devices, moving, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.database import Database
from custody.ledger.errors import NotInitialised
from custody.ledger.moving import MoveRefused
from custody.ledger.rebuilding import digest, rebuild
from tests.support import cast, postgres, story
from tests.support.device import Device, FlaskHttp


@pytest.fixture
def other_url(ledger: Ledger, tmp_path: Path, postgres_server: str) -> str:
    """The URL of an empty database of the other kind."""
    if ledger.database.is_sqlite:
        return postgres.new_database(postgres_server)
    return f"sqlite:///{tmp_path / 'other.db'}"


def move(config: Config, url: str) -> tuple[int, str]:
    arguments = ["move", "--data", str(config.data), "--from", config.database_url, "--to", url]
    told = CliRunner().invoke(main, arguments, catch_exceptions=False)
    return told.exit_code, told.output


def test_a_moved_ledger_has_the_same_root_and_digest_and_goes_on(
    app: Flask, ledger: Ledger, config: Config, other_url: str
) -> None:
    a, _ = story.tell(app, ledger)
    note = ledger.log.checkpoint()
    with ledger.database.reading() as connection:
        before, root = digest(connection), moving.root(connection)
    ledger.close()
    status, said = move(config, other_url)
    assert (status, said.split("\n")[-2]) == (0, before)
    assert root.hex() in said
    moved = open_ledger(Config(config.data, other_url))
    assert moved.log.checkpoint() == note, "the log goes on under the checkpoint signed before"
    assert rebuild(moved) == before
    http = FlaskHttp(create_app(moved.config, moved))
    a.http = http
    assert a.pull(), "a cursor of before still holds"
    device = Device(http)
    device.enrol(devices.new_code(moved))
    device.record("receive", **cast.receive("D5-101"))
    assert device.push().status == 200
    moved.close()


def test_the_root_is_that_of_the_signed_checkpoint(app: Flask, ledger: Ledger) -> None:
    story.tell(app, ledger)
    head = ledger.log.log.sign()
    assert head.note is not None
    signed = ledger.log.log.lineage.opened(head, head.note)
    with ledger.database.reading() as connection:
        assert moving.root(connection) == signed.root


def test_the_database_of_before_takes_no_more_events(
    app: Flask, ledger: Ledger, device: Device, config: Config, other_url: str
) -> None:
    moving.move(config, other_url)
    device.record("receive", **cast.receive("D5-001"))
    assert device.push().status >= 500, "a server that still runs there keeps nothing"
    assert ledger.size() == _size(other_url)
    with pytest.raises(NotInitialised, match="was moved to"):
        open_ledger(config)
    with pytest.raises(MoveRefused, match="was moved to"):
        moving.move(config, other_url)


def test_only_its_owner_reads_the_file_that_a_ledger_moved_into(
    ledger: Ledger, config: Config, tmp_path: Path
) -> None:
    file = tmp_path / "other.db"
    moving.move(config, f"sqlite:///{file}")
    assert file.stat().st_mode & 0o777 == 0o600


def _size(url: str) -> int:
    database = Database(url)
    with database.reading() as connection:
        found = len(connection.execute(select(tables.event.c.position)).all())
    database.close()
    return found


def test_a_database_that_holds_a_ledger_is_never_filled(
    ledger: Ledger, config: Config, tmp_path: Path
) -> None:
    status, said = move(config, config.database_url)
    assert status == 1
    assert "holds a ledger already" in said
    status, said = move(Config(tmp_path, f"sqlite:///{tmp_path / 'none.db'}"), config.database_url)
    assert status == 1
    assert "no ledger" in said


def test_a_move_that_fails_leaves_both_sides_as_they_were(
    app: Flask,
    ledger: Ledger,
    config: Config,
    other_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    story.tell(app, ledger)
    with monkeypatch.context() as patched:
        patched.setattr(moving, "table_digest", lambda connection, table: str(connection.dialect))
        with pytest.raises(MoveRefused, match="differs"):
            moving.move(config, other_url)
    size = ledger.size()
    assert moving.move(config, other_url).events == size, "tried again, it goes"
