"""Sums over all postings, made of the totals below their mark and of the postings that these leave.

What is summed is told by *pieces*: queries over totals or postings that together name each posting
once. All of them must be asked on the connection on which they were made: the mark moves.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    func,
    literal,
    literal_column,
    select,
    union_all,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from custody.ledger import tables, totals
from custody.ledger.cache import Value
from custody.ledger.reading import records

TOTAL, POSTING = tables.posting_total.c, tables.posting.c
WRAPPED = ("kind", "place", "design")
SAME = (*WRAPPED, "term", "value")
NONE: ColumnElement[str] = literal_column("''")
BOXED = POSTING.kind == literal("coupons", literal_execute=True)  # as their index has it
MARGIN = 2  # days by which a gaming day's date and the UTC date of an instant in it may differ
Piece = Select[Any]
Columns = ReadOnlyColumnCollection[str, Any]


def everything(connection: Connection) -> list[Piece]:
    """Return the pieces of all postings."""
    mark = totals.mark(connection)
    return [_totals(totals.YEAR), _postings(POSTING.position >= mark)]


def to_day(connection: Connection, day: str, before: int | None = None) -> list[Piece]:
    """Return the pieces of the postings up to the end of a gaming day; that day has its own.

    With `before`, without what was posted from that log position on: little for a day that was
    signed off lately; for one long ago all postings since are looked at.
    """
    mark = totals.mark(connection)
    pieces = [*_to_day(day), _postings(POSTING.position >= mark, POSTING.day <= day)]
    if before is not None:
        pieces.append(_postings(POSTING.position >= before, POSTING.day <= day, times=-1))
    return pieces


def _to_day(day: str) -> list[Piece]:
    year, month = day[:4], day[:7]
    return [
        _totals(totals.YEAR, TOTAL.period < year),
        _totals(totals.MONTH, TOTAL.period >= year, TOTAL.period < month),
        _totals(totals.DAY, TOTAL.period >= month, TOTAL.period <= day),
    ]


def in_months(connection: Connection, first: str, last: str) -> list[Piece]:
    """Return the pieces of the gaming days of some months, both included: `2026-04`."""
    mark, month = totals.mark(connection), func.substr(POSTING.day, 1, 7)
    tail = _postings(POSTING.position >= mark, month >= first, month <= last)
    return [_totals(totals.MONTH, TOTAL.period >= first, TOTAL.period <= last), tail]


def below(connection: Connection, position: int) -> list[Piece]:
    """Return the pieces of the postings below a log position."""
    mark = totals.mark(connection)
    if position >= mark:
        return [
            _totals(totals.YEAR),
            _postings(POSTING.position >= mark, POSTING.position < position),
        ]
    start = position // totals.BLOCK * totals.BLOCK
    return [
        _totals(totals.BLOCKS, TOTAL.period < totals.block(position)),
        _postings(POSTING.position >= start, POSTING.position < position),
    ]


def to_instant(connection: Connection, at: int) -> list[Piece]:
    """Return the pieces of what was posted for an instant (UTC ms) or an earlier one.

    Only of the days near it must each posting be looked at; and those for a later instant that
    bear an earlier day are taken away again: coupons out of a drop box bear the box's.
    """
    mark = totals.mark(connection)
    date = datetime.datetime.fromtimestamp(at // 1000, datetime.UTC).date()
    first, last = (date + datetime.timedelta(days) for days in (-MARGIN, MARGIN))
    before = date - datetime.timedelta(MARGIN + 1)
    near = (POSTING.day >= first.isoformat(), POSTING.day <= last.isoformat(), POSTING.at <= at)
    posted = (TOTAL.period >= first.isoformat(), TOTAL.period <= last.isoformat())
    kinds = select(TOTAL.kind).where(TOTAL.span == totals.DAY, *posted).distinct()
    earlier = func.coalesce(POSTING.day, NONE) < first.isoformat()  # wrapped, as in `_postings`
    boxed = (BOXED, POSTING.at > at, earlier, POSTING.position < mark)
    return [
        *_to_day(before.isoformat()),
        _postings(*boxed, times=-1),
        _postings(POSTING.position < mark, POSTING.kind.in_(kinds), *near),
        _postings(POSTING.position >= mark, POSTING.at <= at),
    ]


def _totals(span: str, *where: ColumnElement[bool]) -> Piece:
    columns = [TOTAL[name] for name in SAME]
    query = select(*columns, TOTAL.period, TOTAL.times)
    return query.where(TOTAL.span == span, *where)


def _postings(*where: ColumnElement[bool], times: int = 1) -> Piece:
    """`kind` is wrapped as well, or SQLite would rather read a kind's whole history by its index
    than the few postings from a position on.
    """
    wrapped = [func.coalesce(POSTING[name], NONE).label(name) for name in WRAPPED]
    period, number = POSTING.day.label("period"), literal(times, literal_execute=True)
    columns = (*wrapped, POSTING.term, POSTING.value, period, number.label("times"))
    return select(*columns).where(*where)


def _joined(pieces: list[Piece], kind: str, terms: Iterable[str] | None) -> Columns:
    """Return the columns of all pieces, of a kind and of terms or of any."""
    return union_all(*(_only(piece, kind, terms) for piece in pieces)).subquery().c


def _only(piece: Piece, kind: str, terms: Iterable[str] | None) -> Piece:
    asked = piece.selected_columns
    piece = piece.where(asked["kind"] == kind) if kind else piece
    return piece if terms is None else piece.where(asked["term"].in_(list(terms)))


def summed(
    connection: Connection,
    pieces: list[Piece],
    kind: str = "",
    terms: Iterable[str] | None = None,
    day: str = "",
) -> list[Value]:
    """Return the postings of the pieces, of a kind and of terms or of any, equal ones added up.

    `[{"kind", "place", "term", "design", "day", "units": {"sticks": 3, "dice": 15}}, ...]`; `day`
    is the one given, or "" for all others.
    """
    every = _joined(pieces, kind, terms)
    same = [every[name] for name in SAME]
    when = case((every.period == day, day), else_="") if day else NONE
    query = select(*same, when.label("day"), func.sum(every.times).label("times"))
    return _lines(connection, query.group_by(*same, "day"))


def monthly(
    connection: Connection, kind: str, terms: Iterable[str], first: str, last: str
) -> list[Value]:
    """Return what was posted in each of some months, equal postings added up: `[{"month", "term",
    "units"}, ...]`.
    """
    every = _joined(in_months(connection, first, last), kind, terms)
    month = func.substr(every.period, 1, 7).label("month")
    query = select(month, every.term, every.value, func.sum(every.times).label("times"))
    return _lines(connection, query.group_by("month", every.term, every.value))


def _lines(connection: Connection, query: Select[Any]) -> list[Value]:
    """Return rows with the units that their value says so many times, `None` for no place or no
    design; there are far fewer values than rows.
    """
    found = [dict(row) for row in connection.execute(query).mappings()]
    known = {value: records.parsed(value) for value in {row["value"] for row in found}}
    for row in found:
        times, units = int(row.pop("times")), known[row.pop("value")]
        row["units"] = {unit: amount * times for unit, amount in units.items()}
        row.update({name: None for name in ("place", "design") if row.get(name) == ""})
    return found


def designs(connection: Connection, kind: str) -> list[str]:
    """Return the designs of a kind of which anything was ever posted, sorted."""
    every = _joined(everything(connection), kind, None)
    return sorted(set(connection.scalars(select(every.design).distinct())) - {""})


def kinds(connection: Connection, term: str) -> list[str]:
    """Return the kinds of which anything was ever posted under a term, sorted."""
    every = _joined(everything(connection), "", [term])
    return sorted(connection.scalars(select(every.kind).distinct()))
