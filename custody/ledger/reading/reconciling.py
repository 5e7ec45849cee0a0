"""A gaming day's reconciliation: every term, and the events behind each (MD-02.13-M.2 for dice)."""

from __future__ import annotations

from sqlalchemy import Connection, select

from custody.ledger import judging, tables
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.reading import entries, records, totalled
from custody.rules import counts


def of_day(
    ledger: Ledger,
    kind: str,
    day: str,
    place: str | None = None,
    design: str | None = None,
    before: int | None = None,
) -> Value:
    """Return `{"units": ["sticks", "dice"], "terms": {"opening": {"sticks": 9, "dice": 45}, ...}}`,
    of everything or of one place, one design; with `before`, as it stood before the event at that
    log position.
    """
    with ledger.database.reading() as connection:
        book = judging.book_of(Cache(connection))
        until = totalled.to_day(connection, day, before)
        postings = totalled.summed(connection, until, kind, day=day)
    return {
        "units": counts.kind_units(book, kind),
        "terms": counts.reconcile(book, postings, kind, day, place, design),
    }


def of_all_kinds(connection: Connection, book: Value, day: str) -> dict[str, Value]:
    """Return the terms of a gaming day of every kind that is counted, by kind."""
    until = totalled.to_day(connection, day)
    postings = totalled.summed(connection, until, day=day)
    kinds = [kind for kind, told in book["words"]["kinds"].items() if told.get("units")]
    return {kind: counts.reconcile(book, postings, kind, day) for kind in sorted(kinds)}


def designs(ledger: Ledger, kind: str) -> list[str]:
    """Return the designs of a kind of which anything was ever in custody, sorted."""
    with ledger.database.reading() as connection:
        return totalled.designs(connection, kind)


def behind(
    ledger: Ledger,
    kind: str,
    day: str,
    term: str,
    place: str | None = None,
    design: str | None = None,
) -> list[Value]:
    """Return what was posted under a term in a gaming day, in the order of the log.

    `[{"entry": entry, "place": id, "at": ms, "units": {...}}, ...]`. What a term that is stock
    shows at the day's end is the sum over all days; here is how it changed in this one.
    """
    table = tables.posting.c
    query = select(table.position, table.at, table.place, table.value).where(
        table.kind == kind, table.day == day, table.term == term
    )
    if place is not None:
        query = query.where(table.place == place)
    if design is not None:
        query = query.where(table.design == design)
    with ledger.database.reading() as connection:
        lines = connection.execute(query.order_by(table.position, table.line)).all()
        found = entries.at_positions(connection, {line.position for line in lines})
    by_position = {entry["position"]: entry for entry in found}
    return [
        {
            "entry": by_position[line.position],
            "place": line.place,
            "at": line.at,
            "units": records.parsed(line.value),
        }
        for line in lines
    ]
