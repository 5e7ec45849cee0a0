"""The schema changes while servers of the version before go on: no one fails, nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from custody.app import create_app
from custody.config import Config
from custody.ledger import bodies, founding, meta, schema
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.database import Database
from custody.ledger.errors import SchemaTooNew
from custody.simulation import filling, house
from custody.simulation.handheld import Handheld
from tests.support import postgres

BEFORE = "0004"  # the last revision whose servers know nothing of partitions
HELD_S = 2.0  # at least: a report that somebody runs meanwhile
PATIENCE_S = 60  # with a busy machine


@pytest.fixture
def old(tmp_path: Path, postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """A ledger as the version before left it, and as its servers have it open."""
    url = postgres.new_database(postgres_server)
    config = Config(tmp_path / "data", url)
    monkeypatch.setattr(bodies, "make_room", lambda connection, position: None)
    monkeypatch.setattr(schema, "LOCK_WAIT", "100ms")
    monkeypatch.setattr(schema, "PAUSE_S", 0.1)
    clock = filling.Clock()
    with monkeypatch.context() as patched:
        patched.setattr(schema, "HEAD", BEFORE)
        founding.found(config, house.setting(), clock)
    ledger = Ledger(config, clock)
    yield ledger
    ledger.close()
    postgres.drop_database(postgres_server, url)


def revision(database: Database) -> str:
    with database.reading() as connection:
        return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def update(config: Config) -> None:
    database = Database(config.database_url)
    schema.migrate(database)
    database.close()


@contextmanager
def reader(database: Database) -> Iterator[None]:
    """Hold what any reader of the bodies holds, as a long report does."""
    with database.engine.connect() as connection:
        connection.execute(text("SELECT count(*) FROM event_body"))
        yield


def test_servers_of_the_version_before_go_on_during_an_update(old: Ledger) -> None:
    assert revision(old.database) == BEFORE
    handheld = Handheld(old, 0, 1, filling.START)
    clock = old.clock
    assert isinstance(clock, filling.Clock)
    waits: list[float] = []
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            began = time.monotonic()
            filling.take(old, clock, handheld.next(20))
            waits.append(time.monotonic() - began)

    serving = threading.Thread(target=serve)
    serving.start()
    updating = threading.Thread(target=update, args=(old.config,))
    with reader(old.database):
        before = len(waits)
        updating.start()
        time.sleep(HELD_S)
        until = time.monotonic() + PATIENCE_S
        while len(waits) < before + 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(waits) > before + 1, "who cannot have its lock lets the others go first"
    updating.join(timeout=60)
    at_the_end = len(waits)
    while len(waits) < at_the_end + 2:
        assert serving.is_alive(), "a server of the version before failed"
        time.sleep(0.05)
    done.set()
    serving.join()
    assert schema.is_current(old.database)
    assert revision(old.database) > BEFORE
    with old.database.reading() as connection:
        kept = connection.scalar(text("SELECT count(*) FROM event_body"))
        assert bodies.last_end(connection) >= bodies.SIZE
    assert kept == old.size() == 20 * len(waits) + 2, "what was acknowledged is there"


def test_a_server_goes_on_with_the_schema_of_the_version_after_it_and_says_so(
    old: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    schema.migrate(old.database)
    with old.database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert schema.is_current(old.database)
    caplog.clear()
    again = open_ledger(old.config)
    assert again.size() == 1
    assert "has schema 9999, and this program knows 0" in caplog.text
    told = create_app(old.config, again).test_client().get("/health").get_json()["schema"]
    assert (told["database"], told["newer"]) == ("9999", True)
    assert told["program"] == schema.standing(old.database).program
    again.close()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_opening_a_ledger_asks_once_how_its_schema_stands(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[schema.Standing] = []
    real = schema.standing

    def standing(database: Database) -> schema.Standing:
        asked.append(real(database))
        return asked[-1]

    monkeypatch.setattr(schema, "standing", standing)
    open_ledger(ledger.config).close()
    assert [one.is_current for one in asked] == [True]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_server_refuses_a_schema_that_says_that_it_needs_a_later_one(ledger: Ledger) -> None:
    known = schema.standing(ledger.database).program
    for needed, version in ((known, "9999"), ("9998", "9999")):
        with ledger.database.writing() as connection:
            connection.execute(
                text("UPDATE alembic_version SET version_num = :to"), {"to": version}
            )
            meta.write(connection, schema.NEEDED, needed)
        if needed == known:
            open_ledger(ledger.config).close()
            continue
        with pytest.raises(SchemaTooNew, match=f"9999.* needs .* 9998; this one knows {known}"):
            open_ledger(ledger.config)
