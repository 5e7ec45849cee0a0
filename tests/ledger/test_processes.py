"""Several app processes write to one database at once: each has a connection of its own and nothing
that the other would need.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import create_engine, select, text

from custody.config import Config
from custody.ledger import desk, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.database import Database
from custody.ledger.verifying import key_faults, projection_fault
from custody.simulation import filling
from tests.support import postgres

PUSHES, EVENTS = 5, 26  # of each process


@pytest.fixture
def processes(config: Config) -> Iterator[list[Ledger]]:
    """Two ledgers as two processes have them: opened apart, over the same database."""
    first, clock = filling.make(config)
    second = open_ledger(config, clock)
    yield [first, second]
    first.close()
    second.close()


def test_what_they_append_at_once_is_one_log(processes: list[Ledger]) -> None:
    handhelds = filling.enrol(processes[0], len(processes))
    clock = processes[0].clock
    assert isinstance(clock, filling.Clock)

    def serve(own: int) -> None:
        for _ in range(PUSHES):
            pushed = filling.take(processes[own], clock, handhelds[own].next(EVENTS))
            assert pushed.exceptions == []
            draft = {"step": "store", "items": [f"X{own}"], "to": "vault", "with": FACT}
            desk.record_at_desk(processes[own], draft, [{"person": "floor", "how": "password"}])

    with ThreadPoolExecutor() as pool:
        list(pool.map(serve, range(len(processes))))
    with processes[0].database.reading() as connection:
        positions = list(connection.scalars(select(tables.event.c.position).order_by("position")))
    # The founding and two enrolments; then of each process its pushes and its desk's steps.
    assert positions == list(range(3 + 2 * PUSHES * (EVENTS + 1)))
    assert list(key_faults(processes[1])) == []
    assert projection_fault(processes[1]) is None
    with processes[0].database.reading() as one, processes[1].database.reading() as other:
        assert processes[0].scope.digest(one) == processes[1].scope.digest(other)


FACT = {"fact": {"why": "late", "at": filling.START}}


def test_a_writer_reads_what_came_before_its_lock_whatever_the_server_was_set_to(
    postgres_server: str,
) -> None:
    url = postgres.new_database(postgres_server)
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        name = connection.scalar(text("SELECT current_database()"))
        told = f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'"
        connection.execute(text(told))
    engine.dispose()
    database = Database(url)
    for _ in range(2):
        with database.reading() as connection:
            assert connection.scalar(text("SHOW transaction_isolation")) == "repeatable read"
        with database.writing() as connection:
            assert connection.scalar(text("SHOW transaction_isolation")) == "read committed"
    database.close()
    postgres.drop_database(postgres_server, url)


def test_only_what_a_crash_may_take_is_committed_without_waiting_for_the_disk(
    postgres_server: str,
) -> None:
    url = postgres.new_database(postgres_server)
    database = Database(url)
    for waits, told in ((True, "on"), (False, "off"), (True, "on")):
        with database.writing(waits=waits) as connection:
            assert connection.scalar(text("SHOW synchronous_commit")) == told
    database.close()
    postgres.drop_database(postgres_server, url)
