"""A device, or a run of one, that a site node does not know: its upstream may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flask import current_app

from custody.ledger.upstream.names import EXTENSION
from custody.sync.problems import Problem

AWAY = "upstream-away"
WAIT_S = 15  # until a node that is cut off has tried again
STRANGE = ("not-enrolled", "token-invalid")  # what is said to whom this server does not know

Found = TypeVar("Found")


def knowing(ask: Callable[[], Found]) -> Found:
    """Return what `ask` does; where it refuses a stranger, a site node asks its upstream first.

    Raises Problem: as `ask`, or 503 `upstream-away` where a node cannot ask now. A device that is
    told 404 takes itself for lost, and is not to be while nobody can know.
    """
    try:
        return ask()
    except Problem as problem:
        if problem.type not in STRANGE or not _is_node():
            raise
    if not current_app.extensions[EXTENSION].catch_up():
        raise _away()
    return ask()


def _is_node() -> bool:
    return current_app.extensions.get(EXTENSION) is not None


def _away() -> Problem:
    detail = (
        "this site node does not know this device or its run, and cannot ask its upstream now; "
        "keep everything, and try again"
    )
    problem = Problem(503, AWAY, detail)
    problem.headers["Retry-After"] = str(WAIT_S)
    return problem
