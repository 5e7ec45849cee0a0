"""A device, or a run of one, that this server does not know: another server of the site may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flask import current_app

from custody.ledger.core import Ledger
from custody.ledger.upstream import silent
from custody.ledger.upstream.names import EXTENSION
from custody.sync.problems import Problem, Stranger

AWAY = "upstream-away"
WAIT_S = 15  # until a node that is cut off has tried again

Found = TypeVar("Found")


def knowing(ledger: Ledger, ask: Callable[[], Found]) -> Found:
    """Return what `ask` does; where it refuses a stranger, a site node asks its upstream first.

    Raises Problem: as `ask`, or 503 `upstream-away` where a server of the site that may know the
    device cannot be asked now. A device that is told 404 takes itself for lost, and is not to be
    while nobody can know.
    """
    try:
        return ask()
    except Stranger as problem:
        refused = problem
    if _is_node():
        if not ask_upstream():
            raise _away() from refused
        try:
            return ask()
        except Stranger as problem:
            refused = problem
    if _lacks_a_node(ledger):
        raise _away() from refused
    raise refused


def ask_upstream() -> bool:
    """Let a site node hear what its upstream knows; False where it is none, or cannot ask now."""
    return _is_node() and bool(current_app.extensions[EXTENSION].catch_up())


def _is_node() -> bool:
    return current_app.extensions.get(EXTENSION) is not None


def _lacks_a_node(ledger: Ledger) -> bool:
    """Say whether one of the site's nodes has not been heard of lately."""
    if _is_node():
        return bool(current_app.extensions[EXTENSION].lacks_a_node())
    return silent.is_any(ledger)


def _away() -> Problem:
    detail = (
        "this server does not know this device or its run, and cannot ask the one that may; keep "
        "everything and try again, or enrol here with a code and `runs`: nothing is stored twice"
    )
    problem = Problem(503, AWAY, detail)
    problem.headers["Retry-After"] = str(WAIT_S)
    return problem
