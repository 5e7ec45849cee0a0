"""A long list, part by part: the rows after, or before, the row with a key.

What is added or closed in the meantime neither shows a row twice nor leaves one out, and the
database starts at the key instead of counting rows that it does not show.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, or_

from custody.ledger.cache import Value

Key = tuple[int | str, ...]
Column = tuple[ColumnElement[Any], bool]  # what is sorted by, and whether the greatest comes first
GREATEST = 2**63


class Cut(NamedTuple):
    """Which rows: `size` of them after the row with `key`, or `back` before it; None: the first."""

    size: int
    key: Key | None = None
    back: bool = False


class Part(NamedTuple):
    """Rows of a list, and the keys from which it goes on: `before` them and `after` them, None at
    its ends.
    """

    rows: list[Any]
    before: Key | None
    after: Key | None


def whole(part: Callable[[Cut], Part], size: int = 500) -> Iterator[Any]:
    """Yield every row of a list, part by part, so that memory does not grow with the list."""
    found = part(Cut(size))
    yield from found.rows
    while found.after is not None:
        found = part(Cut(size, found.after))
        yield from found.rows


def select_part(
    connection: Connection, query: Select[Any], columns: Sequence[Column], cut: Cut
) -> Part:
    """Return rows (`dict`) of a query, sorted by columns that are never null and together name one
    row. A key that is none of the list's is the list's beginning.
    """
    cut = cut if _fits(columns, cut.key) else Cut(cut.size)
    labels = [column.label(f"key{n}") for n, (column, _) in enumerate(columns)]
    asked = query.add_columns(*labels)
    if cut.key is not None:
        asked = asked.where(_beyond(columns, cut.key, back=cut.back))
    asked = asked.order_by(*(c.desc() if down != cut.back else c.asc() for c, down in columns))
    found = [dict(row) for row in connection.execute(asked.limit(cut.size + 1)).mappings()]
    keys = [tuple(row.pop(f"key{n}") for n in range(len(columns))) for row in found]
    if cut.key is not None and not found:
        return select_part(connection, query, columns, Cut(cut.size, cut.key, not cut.back))
    return _part(found, keys, cut)


def of_list(rows: Sequence[Any], key: Callable[[Any], Key], cut: Cut) -> Part:
    """Return a part of a list that is known whole, and sorted by `key`."""
    keys = [key(row) for row in rows]
    try:
        start = _start(keys, cut)
    except TypeError:  # the key of another list
        start = 0
    start = max(0, min(start, len(rows) - 1))
    end = min(start + cut.size, len(rows))
    before = keys[start] if start else None
    return Part(list(rows[start:end]), before, keys[end - 1] if end < len(rows) else None)


def _start(keys: list[Key], cut: Cut) -> int:
    if cut.key is None:
        return 0
    return bisect_left(keys, cut.key) - cut.size if cut.back else bisect_right(keys, cut.key)


def _fits(columns: Sequence[Column], key: Key | None) -> bool:
    if key is None:
        return True
    kinds = [column.type.python_type for column, _ in columns]
    return len(key) == len(kinds) and all(
        type(value) is kind and (kind is str or abs(int(value)) < GREATEST)
        for value, kind in zip(key, kinds, strict=True)
    )


def _beyond(columns: Sequence[Column], key: Key, *, back: bool) -> ColumnElement[bool]:
    """The rows past a key: further by the first column, or as far and further by the next."""
    ways = []
    for n, (column, down) in enumerate(columns):
        further = column < key[n] if down != back else column > key[n]
        same = [earlier == key[m] for m, (earlier, _) in enumerate(columns[:n])]
        ways.append(and_(*same, further))
    return or_(*ways)


def _part(found: list[Value], keys: list[Key], cut: Cut) -> Part:
    more = len(found) > cut.size
    found, keys = found[: cut.size], keys[: cut.size]
    if cut.back:
        found, keys = found[::-1], keys[::-1]
    begins = not more if cut.back else cut.key is None
    ends = cut.key is None and not more if cut.back else not more
    return Part(
        found,
        None if begins or not keys else keys[0],
        None if ends or not keys else keys[-1],
    )
