"""What a table is: its right, its title, its columns, what may be asked of it, and its rows."""

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from custody.documents.csv_table import Cell
from custody.routes import context, times
from custody.routes.words import words
from custody.rules import days

Asked = Mapping[str, str]
Row = list[Cell]
Value = dict[str, Any]


class Wrong(ValueError):
    """What was asked of a table makes no sense; the message says what would."""


class Table(NamedTuple):
    """`right` opens it at the desk; `title` is the key of its word; `columns` are ids, whose words
    are `tables.<id>`; `filters` maps what may be asked to what stands for it when it is not; `rows`
    makes the rows of what was asked, in which every filter is, "" for none.
    """

    right: str
    title: str
    columns: tuple[str, ...]
    filters: dict[str, str]
    rows: Callable[[Asked], Iterable[Row]]

    def asked(self, given: Asked) -> dict[str, str]:
        """Return what is asked by each of its filters, with what stands for the rest."""
        return {name: given.get(name, "").strip() or own for name, own in self.filters.items()}

    def about(self, asked: Asked, count: int) -> list[str]:
        """Return the lines above the header: the title, how many rows, when, and what was asked."""
        told = "; ".join(f"{name}={value}" for name, value in sorted(asked.items()) if value)
        made = when(context.ledger().clock())
        return [words(self.title), words("tables.about", n=count, at=made, asked=told or "-")]

    def header(self) -> list[str]:
        """Return the words of its columns."""
        return [words(f"tables.{name}") for name in self.columns]


def when(at: int | None, offset: int | None = None) -> str:
    """Write an instant (UTC ms) as the site's wall clock had it, or one with its own offset."""
    if at is None:
        return ""
    shift = days.offset(context.site()["book"], at) if offset is None else offset
    return times.written(at, shift, seconds=True)


def one_of(group: str, given: str, known: Iterable[str]) -> str:
    """Return what was asked, or "". Raises Wrong for what is none of those known."""
    allowed = sorted(known)
    if given and given not in allowed:
        shown = ", ".join(allowed) or words("words.none")
        raise Wrong(words("tables.unknown", group=group, given=given, known=shown))
    return given


def kind(given: str) -> str:
    """Return the kind that was asked for, or "". Raises Wrong for one that is none."""
    return one_of("kind", given, context.site()["book"]["words"]["kinds"])


def place(given: str) -> str:
    """Return the place that was asked for, or "". Raises Wrong for one that is not known."""
    return one_of("place", given, context.names().places)


def day(given: str) -> str:
    """Return the gaming day that was asked for, or "". Raises Wrong for what is no day."""
    if given and not _is_day(given):
        raise Wrong(words("reconcile.bad_day", day=given))
    return given


def span(first: str, last: str) -> tuple[str, str]:
    """Return two gaming days, "" for any. Raises Wrong for what is none, or runs backwards."""
    first, last = day(first), day(last)
    if first and last and first > last:
        raise Wrong(words("destruction.backwards"))
    return first, last


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
