"""SIGKILL in the middle of what a site node or its upstream does: in a process of its own.

The process is forked, so that it starts at once, and opens the databases anew. What it had in
memory beside them ends with it.
"""

from __future__ import annotations

import os
import pickle
import signal
import traceback
from collections.abc import Callable
from typing import Any

from tests.faults import crashing

# The way of a relay and of what is taken over, beside that of a push.
RELAYING = {
    "device introduced": "after custody.ledger.upstream.introducing:_introduce",
    "chain of a relay taken": "after custody.sync.relay.taking:_take_one",
    "relay answered": "after custody.sync.relay.client:Upstream.relay",
    "page about to be told": "before custody.ledger.upstream.taking_over:append_told",
    "cursor about to move": "before custody.ledger.upstream.joining:write",
    "page taken over": "after custody.sync.relay.down:take_over",
    "run of a roaming device fetched": "after custody.sync.relay.client:Upstream.chain",
}
SIGNING = ("tiles", "between", "checkpoint")  # no way of these servers: nobody signs at a push
POINTS = {
    **{name: point for name, point in crashing.POINTS.items() if not name.startswith(SIGNING)},
    **RELAYING,
}


class Died(Exception):
    """The process was killed at its point."""


def strike(point: str, work: Callable[[], Any]) -> Any:
    """Do `work` in a process that is killed when it comes to a point; return what it gave.

    No connection to a database may be open. Raises Died; AssertionError with what failed else.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(point, work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        raise Died
    is_well, found = pickle.loads(told)
    assert is_well, found
    return found


def _work(point: str, work: Callable[[], Any], pipe: int) -> None:
    """What the forked process does; it never returns."""
    try:
        crashing.arm(point)
        told = (True, work())
    except BaseException:  # noqa: BLE001  (whatever it is, it is told to the run, which fails)
        told = (False, traceback.format_exc())
    with os.fdopen(pipe, "wb") as out:
        out.write(pickle.dumps(told))
    os._exit(0)
