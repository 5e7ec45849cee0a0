"""An event is found by its id in whichever block of positions it lies."""

from __future__ import annotations

import hashlib

import pytest

from custody.ledger import identities, rows, tables
from custody.ledger.core import Ledger

BLOCK = 32_768
PLACED = (BLOCK - 1, BLOCK, 5 * BLOCK + 7)


def id_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def put(ledger: Ledger, placed: dict[int, str]) -> None:
    """Write keys of events at positions, as if the log had grown to them."""
    chain = {"device": "d", "run": 1, "branch": 1, "received": 0, "leaf": ""}
    found = [{**chain, "position": at, "id": id_, "seq": at} for at, id_ in placed.items()]
    with ledger.database.writing() as connection:
        rows.insert(connection, tables.event, found)


@pytest.fixture
def grown(ledger: Ledger) -> Ledger:
    put(ledger, {at: id_of(str(at)) for at in PLACED})
    return ledger


@pytest.mark.parametrize("position", PLACED)
def test_an_event_is_found_in_its_block(grown: Ledger, position: int) -> None:
    with grown.database.reading() as connection:
        assert identities.positions(connection, id_of(str(position))) == [position]


def test_the_same_bytes_in_two_chains_are_found_at_both_positions(grown: Ledger) -> None:
    put(grown, {2 * BLOCK: id_of("twice"), 6 * BLOCK: id_of("twice")})
    with grown.database.reading() as connection:
        assert identities.positions(connection, id_of("twice")) == [2 * BLOCK, 6 * BLOCK]
        assert identities.Positions(connection).of(id_of("twice")) == 2 * BLOCK
        every = {id_of("twice"), id_of(str(BLOCK)), id_of("never")}
        assert identities.all_of(connection, every) == {BLOCK, 2 * BLOCK, 6 * BLOCK}


def test_an_id_that_only_begins_like_an_event_is_none(grown: Ledger) -> None:
    like = id_of(str(BLOCK))[:60] + "zzzz"
    with grown.database.reading() as connection:
        assert identities.positions(connection, like) == []
        assert identities.Positions(connection).of(like) is None


def test_an_event_that_was_not_held_yet_is_found_once_it_is(grown: Ledger) -> None:
    with grown.database.reading() as connection:
        assert identities.Positions(connection).of(id_of("late")) is None
    put(grown, {7 * BLOCK: id_of("late")})
    with grown.database.writing() as connection:
        known = identities.Positions(connection)
        assert known.of(id_of("soon")) is None
        row = {"position": 8 * BLOCK, "id": id_of("soon"), "device": "d", "run": 1, "branch": 1}
        rows.insert(connection, tables.event, [{**row, "seq": 9, "received": 0, "leaf": ""}])
        assert known.of(id_of("soon")) == 8 * BLOCK
