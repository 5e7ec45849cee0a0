"""What the ledger said after each event, and whether it is said again as known then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, folded
from custody.ledger.core import Ledger
from custody.ledger.reading import as_it_was, asof, records, stock
from custody.rules import lots, serials


class Snapshots:
    """The state of a ledger at each of its sizes, taken as it grew."""

    def __init__(self) -> None:
        self.at: dict[int, dict[str, Any]] = {}
        self._book: Any = None

    def book(self, connection: Connection) -> Any:
        """The book of the ledger, which these tests do not change."""
        self._book = self._book or judging.book_of(Cache(connection))
        return self._book

    def take(self, ledger: Ledger) -> None:
        """Keep what the ledger says now, in place of what a rebuild of its events would say."""
        with ledger.database.reading() as connection:
            rows, totals = stock.balances(connection, self.book(connection))
            items = records.all_of(connection, "item")
            self.at[ledger.size()] = {"items": items, "rows": rows, "totals": totals}

    def compare(self, ledger: Ledger) -> None:
        """Fail at the first size at which "known then" is something else than was said then."""
        with ledger.database.reading() as connection:
            codes = _codes(connection)
            for size, said in self.at.items():
                when = asof.Moment(0, asof.THEN, size, size)
                facts = asof.AsOf(connection, when, self.book(connection))
                facts.load(codes)
                for code in codes:
                    told, shown = facts.first(code), _said(said["items"], code)
                    assert _state(told) == _state(folded(shown)), (size, code, told, shown)
                    if shown is not None:
                        assert facts.tips_then(code) == shown["last"], (size, code, told, shown)
                compare_stock(connection, facts, said)


def _state(value: Any) -> Any:
    """A value without the codes under which a range's events are noted, which grow as it is cut."""
    return None if value is None else {k: v for k, v in value.items() if k != "trail"}


def compare_stock(connection: Connection, facts: asof.AsOf, said: dict[str, Any]) -> None:
    posted = as_it_was._by(facts.when)
    assert stock.balances(connection, facts.rules, posted) == (said["rows"], said["totals"])
    places = {facts.place_of(value) for value in said["items"].values()} - {None}

    def numbered(code: str) -> bool:
        return ".." in code or lots.is_range(said["items"].get(code) or facts.get("item", code))

    for place in places:
        there = {c for c, v in said["items"].items() if facts.place_of(v) == place}
        now = as_it_was._codes_at(facts, str(place), None)
        assert _spread(now, numbered) == _spread(there, numbered), (facts.when.position, place)


def _codes(connection: Connection) -> list[str]:
    """Every item that is known now; a range of serials as it is cut by now."""
    return list(connection.scalars(select(tables.item_tip.c.code).distinct()))


def _said(items: dict[str, Any], code: str) -> Any:
    """What was said of an item; of a range, what was said of the one that it was cut from."""
    if code in items:
        return items[code]
    for value in items.values():
        if lots.is_range(value) and _inside(code, value):
            first, last = _span(code)
            return lots.sliced(value, code, first, last)
    return None


def _span(code: str) -> tuple[int, int]:
    run = serials.read(code)
    return run["first"], run["last"]


def _inside(code: str, value: Any) -> bool:
    if serials.split(code.partition("..")[0])[1] == 0:
        return False
    run, whole = serials.read(code), serials.read(value["code"])
    same = run["stem"] == whole["stem"] and run["width"] == whole["width"]
    return bool(same and whole["first"] <= run["first"] and run["last"] <= whole["last"])


def _spread(codes: set[str], numbered: Callable[[str], bool]) -> set[tuple[str, int] | str]:
    """Ranges as their serials, so that how they are cut does not show."""
    found: set[tuple[str, int] | str] = set()
    for code in codes:
        if not numbered(code):
            found.add(code)
            continue
        run = serials.read(code)
        found |= {(run["stem"], n) for n in range(run["first"], run["last"] + 1)}
    return found
