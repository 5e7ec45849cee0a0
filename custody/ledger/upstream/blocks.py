"""Blocks of label codes: numbers that an upstream gives to one site node alone, in advance.

So a node prints labels for days without its upstream, and no code is on two labels. Each side keeps
one row of its `meta`. The node's says what is in store and which block it has asked for; by the
same word the upstream knows a question whose answer was lost, and gives the same block again.
"""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection

from custody.ledger import meta
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import SettingError
from custody.ledger.masterdata import By, Change, administer_in
from custody.ledger.strict import dumps, reload
from custody.ledger.work import Work
from custody.rules import codes

STORE, GIVEN = "codes", "codes-given"  # rows of `meta`: a node's, and an upstream's
BLOCK = 5_000  # numbers in one block: more than twice what the desk takes at once
ENOUGH = 5_000  # a node that has fewer left of a prefix asks for another block
RESERVED = "codes-reserved"  # the administrative act, as the event names it
PREFIXES = ("DS", "DK", "TS", "CP", "EV", "CN", "FR")  # what labels are printed of
Ranges = list[list[int]]


class OutOfCodes(SettingError):
    """A site node has fewer codes of a prefix in store than were asked for; `left` is how many."""

    def __init__(self, prefix: str, left: int) -> None:
        super().__init__(f"this server has {left} codes of {prefix} left in store")
        self.prefix, self.left = prefix, left


# --- at the upstream ---


def give(ledger: Ledger, node: str, prefix: str, word: str) -> list[int]:
    """Give a node a block of a prefix; return its first and last number. The same word gets the
    same block. The setting `codes` passes it over for good. Raises SettingError.
    """
    if prefix not in PREFIXES:
        raise SettingError(f"labels are printed of {', '.join(PREFIXES)}, not of {prefix!r}")
    with ledger.database.writing() as connection:
        work = Work(connection)
        given = _row(connection, GIVEN)
        last = given.get(node, {}).get(prefix)
        if last is not None and last[0] == word:
            return list(last[1:])
        marks = work.get("setting", "codes") or {}
        first = int(marks.get(prefix, 0)) + 1
        block = [first, first + BLOCK - 1]
        codes.make(prefix, block[1])
        mine = {**given.get(node, {}), prefix: [word, *block]}
        _write(connection, GIVEN, {**given, node: mine})
        change = Change("setting", "codes", {**marks, prefix: block[1]})
        administer_in(ledger, work, RESERVED, f"{prefix} {node}", [], [change])
        work.flush()
    return block


# --- at a node ---


def left(connection: Connection) -> dict[str, int]:
    """Return how many codes of each prefix this node may still give out by itself."""
    found = _row(connection, STORE).get("store", {})
    return {prefix: _size(found.get(prefix, [])) for prefix in PREFIXES}


def wanted(ledger: Ledger) -> dict[str, str]:
    """Return the prefixes of which too little is in store, each with the word to ask by, which is
    kept until the answer is here.
    """
    with ledger.database.reading() as connection:
        few = [prefix for prefix, count in left(connection).items() if count < ENOUGH]
        asked = _row(connection, STORE).get("asked", {})
    if set(few) <= set(asked):
        return {prefix: asked[prefix] for prefix in few}
    with ledger.database.writing() as connection:
        found = _row(connection, STORE)
        asked = {prefix: secrets.token_hex(8) for prefix in few} | found.get("asked", {})
        _write(connection, STORE, {**found, "asked": asked})
    return {prefix: asked[prefix] for prefix in few}


def keep(ledger: Ledger, prefix: str, word: str, block: list[int]) -> None:
    """Put the block that was asked for by a word in store, once."""
    with ledger.database.writing() as connection:
        found = _row(connection, STORE)
        asked, store = dict(found.get("asked", {})), found.get("store", {})
        if asked.pop(prefix, None) == word:
            store = {**store, prefix: [*store.get(prefix, []), block]}
            _write(connection, STORE, {"store": store, "asked": asked})


def give_up(connection: Connection) -> None:
    """Forget what is in store: it may have been given out before a backup was restored."""
    _write(connection, STORE, {})


def take(ledger: Ledger, prefix: str, count: int, by: By) -> list[str]:
    """Give out codes from the store; an event of the node's desk says who did.

    Raises OutOfCodes, with nothing given out.
    """
    with ledger.database.writing() as connection:
        work = Work(connection)
        found = _row(connection, STORE)
        store = found.get("store", {})
        made, rest = _taken(work, prefix, store.get(prefix, []), count)
        if len(made) < count:
            raise OutOfCodes(prefix, len(made))
        _write(connection, STORE, {**found, "store": {**store, prefix: rest}})
        administer_in(ledger, work, RESERVED, prefix, by, [])
        work.flush()
    return made


def _taken(work: Work, prefix: str, ranges: Ranges, count: int) -> tuple[list[str], Ranges]:
    """Return up to `count` codes that nothing bears yet, and what is left of the ranges."""
    made: list[str] = []
    for at, (first, last) in enumerate(ranges):
        for number in range(first, last + 1):
            if len(made) == count:
                return made, [[number, last], *ranges[at + 1 :]]
            code = codes.make(prefix, number)
            if work.get("item", code) is None:
                made.append(code)
    return made, []


def _size(ranges: Ranges) -> int:
    return sum(last - first + 1 for first, last in ranges)


def _row(connection: Connection, key: str) -> dict[str, Any]:
    text = meta.read(connection, key)
    return {} if text is None else dict(reload(text))


def _write(connection: Connection, key: str, value: Value) -> None:
    meta.write(connection, key, dumps(value))
