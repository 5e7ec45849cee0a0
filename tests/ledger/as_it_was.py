"""What the ledger said after each event, and whether it is said again as known then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from sqlalchemy import Connection, select

from custody.app import create_app
from custody.ledger import devices, judging, tables
from custody.ledger.cache import Cache, folded
from custody.ledger.core import Ledger
from custody.ledger.masterdata import Change, administer
from custody.ledger.reading import as_it_was, asof, records, stock
from custody.ledger.work import Work
from custody.rules import lots, serials
from tests.support.device import Device, FlaskHttp

MINUTE, HOUR = 60_000, 3_600_000
START = 1_796_126_400_000  # 2026-12-01 07:00 at the site


class Clock:
    """The one clock of the test's server and devices."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


class Floor:
    """A ledger and two handhelds, with time passing between what they record."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.clock = ledger, Clock()
        ledger.clock = self.clock
        app: Flask = create_app(ledger.config, ledger)
        self.devices = [Device(FlaskHttp(app), self.clock) for _ in range(2)]
        for one in self.devices:
            one.enrol(devices.new_code(ledger))
        self.snapshots = Snapshots()

    def record(self, step: str, *codes: str, device: int = 0, fact: int = 0, **fields: Any) -> str:
        """Record a step now (`fact`: that so many ms ago it happened), push it, and wait."""
        one = self.devices[device]
        if fact:
            told = {"fact": {"why": "late", "at": self.clock.now - fact}}
            fields["with"] = {**fields.get("with", {}), **told}
        given_ = {"items": list(codes), "saw": one.saw(*codes), **fields}
        made = one.record(step, **given_)
        assert one.push().status == 200
        self.snapshots.take(self.ledger)
        self.clock.now += MINUTE
        return made

    def pull(self) -> None:
        for one in self.devices:
            one.pull()

    def item(self, code: str, at: int, known: str) -> Any:
        return as_it_was.of_item(self.ledger, code, at, known)["parts"][0]["value"]

    def place(self, code: str, at: int, known: str) -> Any:
        return (self.item(code, at, known) or {}).get("place")

    def sticks(self, place: str, at: int, known: str) -> int:
        rows = as_it_was.on_hand(self.ledger, at, known)["rows"]
        return sum(row["units"]["sticks"] for row in rows if row["place"] == place)

    def at(self, place: str, at: int, known: str) -> list[str]:
        found: list[str] = as_it_was.codes_at(self.ledger, place, at, known)["codes"]
        return found

    def change(self, told: tuple[str, str, Any]) -> None:
        """Change a person, a place, or where the rulebook's arrivals leave an item; and wait."""
        of, id_, value = told

        def make(work: Work) -> list[Change]:
            if of != "rulebook":
                return [Change(of, id_, {**(work.get(of, id_) or {}), **value})]
            site = work.get("setting", "site") or {}
            book = work.get("rulebook", site["rulebook"]) or {}
            words = book["vocabulary"]
            arrival = {**words["arrival"], id_: value}
            name = f"md@{self.clock.now}"
            changed = {**book, "id": name, "vocabulary": {**words, "arrival": arrival}}
            return [
                Change("rulebook", name, changed),
                Change("setting", "site", {**site, "rulebook": name}),
            ]

        administer(self.ledger, of, id_, [{"person": "ada", "how": "password"}], make)
        self.snapshots.take(self.ledger)
        self.clock.now += MINUTE


class Snapshots:
    """The state of a ledger at each of its sizes, taken as it grew."""

    def __init__(self) -> None:
        self.at: dict[int, dict[str, Any]] = {}

    def take(self, ledger: Ledger) -> None:
        """Keep what the ledger says now, in place of what a rebuild of its events would say."""
        with ledger.database.reading() as connection:
            rows, totals = stock.balances(connection, judging.book_of(Cache(connection)))
            items = records.all_of(connection, "item")
            self.at[ledger.size()] = {"items": items, "rows": rows, "totals": totals}

    def compare(self, ledger: Ledger) -> None:
        """Fail at the first size at which "known then" is something else than was said then."""
        with ledger.database.reading() as connection:
            codes = _codes(connection)
            for size, said in self.at.items():
                when = asof.Moment(0, asof.THEN, size, size)
                facts = asof.AsOf(connection, when)
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
    assert stock.balances(connection, facts.rules, facts.when) == (said["rows"], said["totals"])
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
