"""Totals and the postings that they leave are always all postings, whenever the totals went on."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import Connection, select, text

from custody.ledger import rows, tables, totalling, totals
from custody.ledger.core import Ledger
from custody.ledger.reading import (
    as_it_was,
    asof,
    counting,
    ending,
    keeping,
    reconciling,
    silence,
    stock,
    totalled,
)
from custody.ledger.reading.keyset import Cut
from custody.ledger.rebuilding import rebuild
from custody.ledger.strict import dumps, reload
from custody.ledger.verifying import projection_fault
from tests.ledger.test_plans import scanned, sent
from tests.support import cast
from tests.support.device import Device

STEP, BLOCK = 8, 16
SIZE = 200
HOUR = 3_600_000
NEW_YEAR = 1_798_761_600_000  # 2027-01-01 in UTC
DAYS = ("2025-12-30", "2026-11-30", "2026-12-01", "2026-12-30", "2026-12-31", "2027-01-01")
STARTS = dict(zip(DAYS, (-368, -32, -31, -2, -1, 0), strict=True))


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "STEP", STEP)
    monkeypatch.setattr(totals, "BLOCK", BLOCK)


def posting(drawn: random.Random, position: int, line: int) -> dict[str, Any]:
    day, number = drawn.choice(DAYS), drawn.choice((1, -1, 2))
    kind = drawn.choice(("dice", "coupons"))
    boxed = drawn.choice([one for one in DAYS if one <= day]) if kind == "coupons" else day
    return {
        **{"position": position, "line": line, "day": boxed},
        "at": NEW_YEAR + STARTS[day] * 24 * HOUR + drawn.randrange(11 * HOUR, 35 * HOUR),
        "kind": kind,
        "place": drawn.choice(("vault", "T1", None)),
        "term": drawn.choice(("reserve", "destroyed")),
        "design": drawn.choice(("red", None)),
        "value": dumps({"sticks": number, "dice": 5 * number}),
    }


def append(connection: Connection, drawn: random.Random, events: int) -> list[dict[str, Any]]:
    """Write some events that nobody can read, and postings for them."""
    start = (connection.scalar(text("SELECT max(position) FROM event")) or 0) + 1
    positions = range(start, start + events)
    told = {"device": "x", "run": 1, "branch": 1, "received": 0, "leaf": ""}
    keys = [{**told, "position": n, "id": str(n), "seq": n} for n in positions]
    lines = [posting(drawn, n, line) for n in positions for line in range(drawn.randrange(3))]
    rows.insert(connection, tables.event, keys)
    rows.insert(connection, tables.event_body, [{"position": n, "body": b"?"} for n in positions])
    rows.insert(connection, tables.posting, lines)
    return lines


def counted(found: list[dict[str, Any]]) -> Counter[Any]:
    """Sticks by everything else, without what comes to nothing."""
    sums: Counter[Any] = Counter()
    for line in found:
        names = ("kind", "place", "term", "design", "day")
        sums[tuple(line[name] for name in names)] += line["units"]["sticks"]
    return Counter({key: number for key, number in sums.items() if number})


def expected(postings: list[dict[str, Any]], day: str = "") -> Counter[Any]:
    """The same by adding up the postings themselves."""
    shown = [{**one, "day": day if one["day"] == day else ""} for one in postings]
    return counted([{**one, "units": reload(one["value"])} for one in shown])


def compare(connection: Connection, every: list[dict[str, Any]], drawn: random.Random) -> None:
    found = totalled.summed(connection, totalled.everything(connection))
    assert counted(found) == expected(every)
    day, kind = drawn.choice(DAYS), drawn.choice(("dice", "coupons"))
    found = totalled.summed(connection, totalled.to_day(connection, day), kind, day=day)
    until = [one for one in every if one["kind"] == kind and one["day"] <= day]
    assert counted(found) == expected(until, day)
    position = drawn.randrange(SIZE)
    found = totalled.summed(connection, totalled.below(connection, position), terms=["reserve"])
    low = [one for one in every if one["position"] < position and one["term"] == "reserve"]
    assert counted(found) == expected(low)
    at = drawn.choice(every)["at"] + drawn.choice((-1, 0)) if every else 0
    found = totalled.summed(connection, totalled.to_instant(connection, at))
    assert counted(found) == expected([one for one in every if one["at"] <= at])
    assert totalled.designs(connection, kind) == sorted(
        {one["design"] for one in every if one["kind"] == kind} - {None}
    )
    assert totalled.kinds(connection, "destroyed") == sorted(
        {one["kind"] for one in every if one["term"] == "destroyed"}
    )
    assert totals.fault(connection) is None


def test_totals_and_the_rest_are_all_postings_however_they_went_on(ledger: Ledger) -> None:
    drawn, every = random.Random(80), list[dict[str, Any]]()
    for _ in range(20):
        with ledger.database.writing() as connection:
            every += append(connection, drawn, drawn.randrange(1, 20))
            for _ in range(drawn.randrange(3)):
                totals.roll(connection, drawn.choice((STEP, 2 * STEP, BLOCK)))
        with ledger.database.reading() as connection:
            compare(connection, every, drawn)
    assert every


def test_reads_are_right_while_events_come_and_the_totals_go_on(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totalling, "EVERY_SECONDS", 0.001)
    monkeypatch.setattr(totalling, "BETWEEN_SECONDS", 0.0)
    following = [totalling.Totalling(ledger).start() for _ in range(2)]
    drawn, marks = random.Random(81), set[int]()
    try:
        for _ in range(40):
            with ledger.database.writing() as connection:
                append(connection, drawn, STEP)
            with ledger.database.reading() as connection:
                found = totalled.summed(connection, totalled.everything(connection))
                every = connection.execute(select(tables.posting)).mappings()
                assert counted(found) == expected([dict(one) for one in every])
                marks.add(totals.mark(connection))
    finally:
        for one in following:
            one.stop()
    assert len(marks) > 2, "the totals went on between the reads"
    with ledger.database.reading() as connection:
        assert totals.fault(connection) is None


def test_a_rebuild_makes_the_totals_anew(device: Device, ledger: Ledger) -> None:
    device.record("receive", **cast.receive("D5-001..D5-009"))
    device.record("store", **cast.store("D5-001..D5-009"))
    device.push()
    for _ in range(STEP):
        device.record("move", items=["D5-001"], to="vault")
    device.push()
    while totals.keep_up(ledger):
        pass
    before = stock.totals(ledger), stock.on_hand(ledger)
    with ledger.database.writing() as connection:
        connection.execute(text("UPDATE posting_total SET times = times + 1 WHERE span = 'year'"))
    assert "totals: " in str(projection_fault(ledger))
    rebuild(ledger)
    assert projection_fault(ledger) is None
    assert (stock.totals(ledger), stock.on_hand(ledger)) == before
    with ledger.database.reading() as connection:
        assert totals.mark(connection) == ledger.size() // STEP * STEP > 0


@pytest.fixture
def long(ledger: Ledger) -> Ledger:
    """A ledger with some blocks of postings, and totals that are up with it."""
    with ledger.database.writing() as connection:
        append(connection, random.Random(82), 4 * BLOCK)
        totals.catch_up(connection)
    return ledger


def planning(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":  # so small a table would be read whole
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")


def test_no_sum_reads_the_whole_history(long: Ledger) -> None:
    def read() -> None:
        stock.on_hand(long)
        reconciling.of_day(long, "dice", DAYS[0])
        reconciling.designs(long, "dice")
        as_it_was.on_hand(long, NEW_YEAR, asof.NOW)
        ending.kinds(long)

    with long.database.reading() as connection:
        planning(connection)
        for query in sent(long, read):
            assert not scanned(connection, query) & {"posting", "posting_total"}, query[0]
            told = plan(connection, query)
            assert "posting_sum (kind=? AND day<?)" not in told, query[0]
            assert "posting_sum (kind=?)" not in told, query[0]


def test_what_came_since_is_found_by_its_position(long: Ledger) -> None:
    def read() -> None:
        silence.of(long, 0, 0, Cut(5))
        keeping.raised(long, "2026-12")
        keeping.changes(long, "2026-12")
        counting.made(long, "dice", 2026)

    whole = ("SCAN event ", "SCAN event_body ", "SCAN exception ")
    with long.database.reading() as connection:
        planning(connection)
        for query in sent(long, read):
            told = plan(connection, query)
            assert "Seq Scan on event" not in told, query[0]
            assert not any(one in told for one in whole), query[0]


def test_the_log_of_destruction_is_read_by_an_index_of_its_own(long: Ledger) -> None:
    def read() -> None:
        ending.count(long, ending.Asked())
        ending.part(long, ending.Asked(), Cut(5))

    with long.database.reading() as connection:
        planning(connection)
        found = [query for query in sent(long, read) if "SELECT DISTINCT posting" in query[0]]
        assert len(found) == 2
        assert all("posting_destroyed" in plan(connection, query) for query in found)


def plan(connection: Connection, query: tuple[str, Any]) -> str:
    explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
    lines = connection.exec_driver_sql(f"{explain} {query[0]}", query[1])
    return "\n".join(str(line) for line in lines)
