"""No hot path reads a whole table: every query it sends is answered through an index.

The queries are not listed here: they are those that the code sends while it takes a push, answers
the feed, and shows an item, its life, a place, the open exceptions and the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, event

from custody.ledger import desk, feed
from custody.ledger.core import Ledger
from custody.ledger.reading import exceptions, life, stock
from tests.support import cast
from tests.support.device import Device

# What is read whole on purpose, and why.
WHOLE = {
    "json_each": "no table: the values that a statement asks for",
    "block": "no table: the parts of the index of ids, each of which is asked",
    "newest": "no table: the last position, from which the parts are counted",
    "meta": "three rows",
    "record": "the digest of the scope, made once an event; and all places, of which there are few",
    "log_head": "a row for each time that the log was resumed",
}
Query = tuple[str, Any]


def sent(ledger: Ledger, act: Callable[[], object]) -> list[Query]:
    """Return the SELECTs that an act sends, each statement once."""
    found: dict[str, Any] = {}

    def note(_c: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")) and "pg_" not in statement:
            found.setdefault(statement, parameters)

    event.listen(ledger.database.engine, "before_cursor_execute", note)
    try:
        act()
    finally:
        event.remove(ledger.database.engine, "before_cursor_execute", note)
    return list(found.items())


def scanned(connection: Connection, query: Query) -> set[str]:
    """Return the tables that the database would read whole for a query."""
    statement, parameters = query
    if connection.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        lines = [str(row[3]) for row in plan]
        found = [re.match(r"SCAN (?!CONSTANT ROW)(\w+)", line) for line in lines]
        return {match.group(1) for match in found if match}
    plan = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
    found = [re.search(r"Seq Scan on (\w+)", str(row[0])) for row in plan]
    return {match.group(1) for match in found if match}


def test_a_query_without_an_index_is_found_out(ledger: Ledger) -> None:
    with ledger.database.reading() as connection:
        if not ledger.database.is_sqlite:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        assert scanned(connection, ("SELECT id FROM event WHERE received = 1", ())) == {"event"}
        assert scanned(connection, ("SELECT leaf FROM event WHERE position = 1", ())) == set()


@pytest.fixture
def busy(device: Device, ledger: Ledger) -> Device:
    """A device with an item in play's way, a dispute and an envelope behind it."""
    device.record("receive", **cast.receive("D5-001..D5-004"))
    device.push()
    device.pull()
    device.record("store", **cast.store("D5-001"), saw=device.saw("D5-001"))
    device.record("store", **cast.store("D5-001"), saw=device.saw("D5-001"))
    device.push()
    device.pull()
    return device


def test_no_hot_path_reads_a_whole_table(busy: Device, ledger: Ledger) -> None:
    def push() -> None:
        busy.record("store", **cast.store("D5-002"), saw=busy.saw("D5-002"))
        busy.push()

    def at_the_desk() -> None:
        draft = {"step": "store", "items": ["D5-003"], "to": "vault"}
        desk.record_at_desk(ledger, draft, [{"person": p, "how": "password"} for p in PAIR])

    def read() -> None:
        feed.changes_after(ledger, busy.cursor, 500)
        feed.changes_after(ledger, feed.changes_after(ledger, "", 2).cursor, 500)
        life.of_item(ledger, "D5-001")
        stock.count_at(ledger, "vault")
        exceptions.open_by_kind(ledger)
        exceptions.listed(ledger)
        ledger.log.receipt(busy.head())

    queries = [query for act in (push, at_the_desk, read) for query in sent(ledger, act)]
    assert len(queries) > 20, "the acts send their queries"
    with ledger.database.reading() as connection:
        if not ledger.database.is_sqlite:
            # So small a table is read whole; asked for an index, it says whether it has one.
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        read_whole = {
            statement: tables - set(WHOLE)
            for statement, parameters in queries
            if (tables := scanned(connection, (statement, parameters)))
        }
    assert {statement: names for statement, names in read_whole.items() if names} == {}


def test_a_push_reads_of_its_run_only_what_lies_beside_it(busy: Device, ledger: Ledger) -> None:
    """A run of a year's events is passed over by its index: all of that is bound, to the seq."""

    def push() -> None:
        busy.record("store", **cast.store("D5-002"), saw=busy.saw("D5-002"))
        busy.push()

    queries = [one for one in sent(ledger, push) if re.search(r"FROM event\b.*seq", one[0], re.S)]
    assert queries, "the ids beside the batch are asked for"
    with ledger.database.reading() as connection:
        if not ledger.database.is_sqlite:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        for query in queries:
            bound = conditions(connection, query)
            assert all(name in bound for name in ("device", "run", "branch", "seq")), bound


def test_an_id_is_looked_up_by_its_block_and_its_beginning(busy: Device, ledger: Ledger) -> None:
    """By the block alone each look-up would read the whole index."""
    (query,) = [
        one for one in sent(ledger, lambda: ledger.log.receipt(busy.head())) if "block(n)" in one[0]
    ]
    with ledger.database.reading() as connection:
        if not ledger.database.is_sqlite:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        bound = conditions(connection, query)
    both = "event_block_id (<expr>=? AND <expr>=?)" if ledger.database.is_sqlite else "substr"
    assert both in bound, bound


def conditions(connection: Connection, query: Query) -> str:
    """Return what a query binds of the index by which it is answered."""
    statement, parameters = query
    if connection.dialect.name == "sqlite":
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        return " ".join(str(row[3]) for row in plan)
    plan = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
    return " ".join(str(row[0]) for row in plan if "Index Cond" in str(row[0]))


PAIR = ("fay", "sam")
