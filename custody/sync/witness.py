"""The checkpoint that a device sends along: every handheld watches that the log only grows."""

from __future__ import annotations

from flask import Request

from custody.ledger import log_acts
from custody.ledger.core import Ledger
from custody.ledger.log.errors import BadNote, Rewritten
from custody.sync.problems import Problem

HEADER = "Custody-Checkpoint"


def check(ledger: Ledger, request: Request, device: str) -> None:
    """Check `Custody-Checkpoint`, where a request has it, against the tree.

    Raises Problem: 409 `log-rewritten` when it is genuine and the tree contradicts it (the device
    keeps it and sends its events again without it), 400 `bad-checkpoint` when it proves nothing.
    """
    header = request.headers.get(HEADER)
    if not header:
        return
    try:
        log_acts.witness(ledger, header, device)
    except Rewritten as found:
        raise Problem(409, "log-rewritten", str(found)) from found
    except BadNote as error:
        raise Problem(400, "bad-checkpoint", str(error), field=HEADER) from error
