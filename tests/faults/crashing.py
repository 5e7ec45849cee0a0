"""Points at which a server process is killed: named functions, before or after the n-th call.

A point is written `before custody.ledger.append:push 2`, counted from 1 and in one process. The
kill is SIGKILL: nothing is flushed, no handler runs. Points live in the process that a test starts
(`tests.faults.forge`); the server itself knows nothing of them.
"""

from __future__ import annotations

import functools
import importlib
import os
import signal
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

# The way of a push and of a checkpoint, in order.
POINTS = {
    "token spent": "after custody.sync.auth:_spend",
    "body read": "after custody.sync.bodies:read",
    "chain checked": "after custody.ledger.append:check_chain",
    "judged before the lock": "after custody.ledger.append:foresee",
    "transaction begun": "before custody.ledger.foreseeing:Foresight.still_holds",
    "rows of events written": "after custody.ledger.append:_insert",
    "events projected": "before custody.ledger.work:Work.flush",
    "projections written": "after custody.ledger.work:Work.flush",
    "before commit": "before custody.ledger.append:raised_by",
    "after commit": "after custody.ledger.append:push",
    "answer made": "after custody.sync.bodies:pack",
    "tiles about to be written": "before custody.ledger.log.tiles:Tiles.extend",
    "between tiles and checkpoint": "after custody.ledger.log.tiles:Tiles.extend",
    "between checkpoint file and row": "before custody.ledger.log.database:DatabaseHeads.save",
    "between checkpoint and response": "after custody.ledger.log.reader:LogReader.checkpoint",
    "checkpoint half written": "before os:replace",
}


class Point(NamedTuple):
    when: str
    module: str
    name: str
    nth: int


def read(text: str) -> Point:
    """Read a point as it is written."""
    when, target, *nth = text.split()
    module, _, name = target.partition(":")
    if when not in ("before", "after") or not name:
        raise ValueError(f"{text!r} is no point: `before|after MODULE:NAME [N]` is expected")
    return Point(when, module, name, int(nth[0]) if nth else 1)


def arm(text: str) -> None:
    """Let this process be killed at a point."""
    point = read(text)
    owner: Any = importlib.import_module(point.module)
    *path, name = point.name.split(".")
    for part in path:
        owner = getattr(owner, part)
    setattr(owner, name, _deadly(getattr(owner, name), point))


def _deadly(function: Callable[..., Any], point: Point) -> Callable[..., Any]:
    calls, lock = 0, threading.Lock()

    def strike(when: str) -> None:
        nonlocal calls
        if when != point.when:
            return
        with lock:
            calls += 1
            if calls >= point.nth:
                os.kill(os.getpid(), signal.SIGKILL)

    @functools.wraps(function)
    def wrapped(*args: Any, **more: Any) -> Any:
        strike("before")
        result = function(*args, **more)
        strike("after")
        return result

    return wrapped
