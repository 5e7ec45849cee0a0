"""Books: a rulebook with the site's setting and the operator's controls, loaded once a process."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Any

from custody.ledger.strict import dumps, reload
from custody.rules import book

Value = dict[str, Any]
Parts = tuple[Value, Value, Value]


def of(parts: Parts) -> Value:
    """Return the book of a rulebook, a site and its controls.

    Most transactions share the very objects (`cache.SHARED`), so these are looked for first.
    """
    for known, loaded in list(_books):
        if all(a is b for a, b in zip(parts, known, strict=True)):
            return loaded
    rulebook, site, controls = parts
    loaded = _load(dumps(rulebook), dumps({**site, "controls": controls}))
    _books.appendleft((parts, loaded))
    return loaded


_books: deque[tuple[Parts, Value]] = deque(maxlen=8)


@lru_cache(maxsize=8)
def _load(rulebook: str, site: str) -> Value:
    return dict(book.load(reload(rulebook), reload(site)))
