"""What happens to the log itself is an event too: that it was resumed, or found rewritten."""

from __future__ import annotations

from hashlib import sha256

from custody.ledger import desk, reserving
from custody.ledger.core import Ledger
from custody.ledger.log.errors import Rewritten
from custody.ledger.log.store import Head
from custody.ledger.projecting import ADMINISTER
from custody.ledger.suspicions import LOG_REWRITTEN
from custody.ledger.work import Work

LOG_RESUMED = "log-resumed"


def resume(ledger: Ledger, reason: str) -> Head:
    """Start a new log where the old one stopped, and record the act with its reason. Codes that may
    have been given out after a backup that was restored are left out.

    Raises NotStopped, or Stopped when the events themselves are damaged.
    """
    head = ledger.log.log.resume(reason)
    _administer(ledger, LOG_RESUMED, head.origin, head.previous, head.note, reason)
    reserving.pass_over(ledger)
    return head


def witness(ledger: Ledger, header: str, device: str) -> None:
    """Check the checkpoint that a device brings; record it when it shows a rewritten log.

    Raises BadNote (it proves nothing) or Rewritten, which has raised the exception `log-rewritten`
    the first time.
    """
    try:
        ledger.log.witness(header)
    except Rewritten as found:
        if found.is_new:
            _administer(ledger, LOG_REWRITTEN, device, found.witnessed, None, str(found))
        raise


def _administer(
    ledger: Ledger, what: str, subject: str, before: str | None, after: str | None, note: str
) -> None:
    fields = {"what": what, "subject": subject, "before": _digest(before), "after": _digest(after)}
    with ledger.database.writing() as connection:
        work = Work(connection)
        desk.append_draft(ledger, work, {"step": ADMINISTER, "with": fields, "note": note}, [])
        work.flush()


def _digest(text: str | None) -> str | None:
    return None if text is None else sha256(text.encode()).hexdigest()
