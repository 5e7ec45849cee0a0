"""The past instant that a page is asked about: `?at=2026-12-01T08:00&known=then`.

`at` is a wall-clock time at the site, `known` one of `then` and `now`
(`custody.ledger.reading.asof`).
"""

from typing import Any, NamedTuple

from flask import request, url_for

from custody.ledger.reading import asof
from custody.routes import context, pages
from custody.routes.names import Names
from custody.routes.step_fields import FieldError, instant
from custody.routes.words import words

OTHER = {asof.THEN: asof.NOW, asof.NOW: asof.THEN}


class Asked(NamedTuple):
    """What was asked for: `at` in UTC ms, None for now; what is `wrong` with it, else ""."""

    at: int | None
    known: str
    typed: str
    wrong: str

    @property
    def status(self) -> int:
        """The status of the answer: 422 where what was asked is no instant that has been."""
        return 422 if self.wrong else 200


def asked() -> Asked:
    """Read the request's instant; one that is no time, or lies ahead, is `wrong` and counts as
    now.
    """
    return read(request.args.get("at", "").strip(), request.args.get("known", ""))


def read(typed: str, known: str) -> Asked:
    """Read an instant as it was typed, "" for now, and what is to be known of it."""
    known = known if known in asof.KNOWN else asof.THEN
    try:
        at = instant(typed) if typed else None
    except FieldError as error:
        return Asked(None, known, typed, str(error))
    if at is not None and at > context.ledger().clock():
        return Asked(None, known, typed, words("moment.ahead"))
    return Asked(at, known, typed, "")


def form(wanted: Asked) -> dict[str, Any]:
    """Make what `_moment.html` shows: the entries, the address of now, and what links carry on."""
    here = {**(request.view_args or {}), **_kept()}
    return {
        "asked": wanted,
        "kept": _kept(),
        "now": url_for(request.endpoint or "", **here),
        "link": {"at": wanted.typed, "known": wanted.known} if wanted.at is not None else {},
        "other": OTHER[wanted.known],
        "choices": [(known, words(f"moment.known_{known}")) for known in asof.KNOWN],
    }


def names(known: str, position: int) -> Names:
    """Return what people and places are called: as they were *known then*, else as they are now."""
    return context.names_then(position) if known == asof.THEN else context.names()


def heading(wanted: Asked, position: int) -> str:
    """Write which instant a page is of, and how much the log held."""
    known = words(f"moment.known_{wanted.known}")
    return words("moment.is", at=_plain(wanted.at or 0), known=known, n=position)


def _plain(at: int) -> str:
    return pages.when(at).striptags()


def _kept() -> dict[str, str]:
    return {n: v for n, v in request.args.items() if v and n not in ("at", "known", "page")}
