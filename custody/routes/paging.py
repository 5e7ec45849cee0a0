"""Cut long lists into pages, with links that keep what was asked for.

A page is asked for by the row that it follows (`?after=KEY`) or precedes (`?before=KEY`); `n` says
which row it begins with, for people to read. A page with several lists names each of them:
`?faults_after=KEY`.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from flask import request, url_for

from custody.ledger.reading.keyset import Cut, Key, Part, of_list

SIZE = 100
ASKS = ("after", "before", "n")


class Paging(NamedTuple):
    """One page of a list: rows `first` to `last` of `total`, counted from 1.

    `at` is the endpoint of its other pages, where that is not the one that answers.
    """

    name: str
    first: int
    shown: int
    total: int
    before: Key | None
    after: Key | None
    at: str = ""

    @property
    def last(self) -> int:
        return self.first + self.shown - 1 if self.shown else 0

    @property
    def back(self) -> str:
        """The address of the page before; "" on the first."""
        return self._address("before", self.before, max(1, self.first - SIZE))

    @property
    def onward(self) -> str:
        """The address of the page after; "" on the last."""
        return self._address("after", self.after, self.last + 1)

    def _address(self, ask: str, key: Key | None, number: int) -> str:
        if key is None:
            return ""
        mine = {_param(self.name, one) for one in ASKS}
        told = {name: value for name, value in request.args.items() if value and name not in mine}
        written = json.dumps(key, ensure_ascii=False, separators=(",", ":"))
        told |= {_param(self.name, ask): written, _param(self.name, "n"): str(number)}
        return url_for(self.at or request.endpoint or "", **{**(request.view_args or {}), **told})


def cut(name: str = "") -> Cut:
    """Return which part of a list is asked for; what is no key is the list's beginning."""
    for ask in ("after", "before"):
        key = _key(request.args.get(_param(name, ask), ""))
        if key is not None:
            return Cut(SIZE, key, back=ask == "before")
    return Cut(SIZE)


def of(part: Part, total: int, name: str = "", at: str = "") -> Paging:
    """Return the page that a part of a list with `total` rows is."""
    shown = len(part.rows)
    number = _number(name)
    if part.before is None:
        number = 1
    elif part.after is None:
        number = total - shown + 1
    return Paging(name, min(number, max(1, total)), shown, total, part.before, part.after, at)


def _number(name: str) -> int:
    asked = request.args.get(_param(name, "n"), "1")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 10
    return max(1, int(asked)) if is_number else 1


def listed(
    rows: Sequence[Any], key: Callable[[Any], Key], name: str = "", at: str = ""
) -> tuple[list[Any], Paging]:
    """Return the rows to show of a list that is sorted by `key`, and their page."""
    part = of_list(rows, key, cut(name))
    return part.rows, of(part, len(rows), name, at)


def asked_for() -> dict[str, str]:
    """Return what a list was asked for, without the page."""
    told = request.args.items()
    return {name: value for name, value in told if value and name.rpartition("_")[2] not in ASKS}


def none() -> Paging:
    """Return the page of a list that has no rows."""
    return of(Part([], None, None), 0)


def _key(text: str) -> Key | None:
    try:
        found = json.loads(text) if text else None
    except ValueError:
        return None
    if not isinstance(found, list) or not all(type(one) in (int, str) for one in found):
        return None
    return tuple(found) or None


def _param(name: str, ask: str) -> str:
    return f"{name}_{ask}" if name else ask
