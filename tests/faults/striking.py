"""SIGKILL in the middle of what a site node or its upstream does: in a process of its own.

The process is forked, so that it starts at once, and opens its database anew. What it had in
memory beside it ends with it. A node that is struck alone asks its upstream in the process that
forked it, where that and the other node go on.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
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


Ask = Callable[[Any], Any]  # in the struck process: put a question to the one that forked it
ASKED, DONE, FAILED = "asked", "done", "failed"


def strike(point: str, work: Callable[[Ask], Any], answer: Ask) -> Any:
    """Do `work` in a process that is killed when it comes to a point; return what it gave. What it
    asks meanwhile is answered here, by `answer`.

    No connection to its database may be open. Raises Died; AssertionError with what failed else.
    """
    here, there = Pipe()
    child = os.fork()
    if child == 0:
        here.close()
        _work(point, work, there)
    there.close()
    told, found = _attend(here, answer)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        raise Died
    assert told == DONE, found
    return found


def _attend(pipe: Connection, answer: Ask) -> tuple[str, Any]:
    """Answer what the struck process asks, until it is done or has died."""
    with pipe:
        while True:
            try:
                told, content = pipe.recv()
            except EOFError:
                return FAILED, "it ended without a word"
            if told != ASKED:
                return told, content
            pipe.send(answer(content))


def _work(point: str, work: Callable[[Ask], Any], pipe: Connection) -> None:
    """What the forked process does; it never returns."""

    def ask(question: Any) -> Any:
        pipe.send((ASKED, question))
        return pipe.recv()

    try:
        crashing.arm(point)
        told = (DONE, work(ask))
    except BaseException:  # noqa: BLE001  (whatever it is, it is told to the run, which fails)
        told = (FAILED, traceback.format_exc())
    pipe.send(told)
    os._exit(0)
