"""A site node that was restored from a backup gives nothing out twice that it gave out before.

Its desk signed events that its upstream holds and it lost: the desk goes on under a new run with a
new key, so that nothing of it is taken for a fork. And codes for labels that it had in store may be
on labels already: they are given up, and others are asked for.
"""

from __future__ import annotations

import re
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import Connection

from custody.ledger import append, desk, keys, meta, rows, tables
from custody.ledger.core import DESK, Ledger
from custody.ledger.log import durable
from custody.ledger.log.errors import Stopped
from custody.ledger.masterdata import administer_in
from custody.ledger.strict import dumps
from custody.ledger.upstream import blocks
from custody.ledger.work import Work

WHAT = "desk-run"  # the administrative act, as the event names it
META = "recovered"  # the checkpoint beyond this ledger's end for which this was done already
NUMBERED = re.compile(r"desk-(\d+)\.pem")


def at_start(ledger: Ledger) -> None:
    """Go on under a new run where the last signed checkpoint is of more events than are here: a
    backup was restored, as far as this machine can tell.
    """
    note = newer_checkpoint(ledger)
    if note is None:
        return
    with ledger.database.reading() as connection:
        if _recovered_from(connection) == note:
            return
    go_on(ledger, note)


def go_on(ledger: Ledger, note: str = "") -> None:
    """Begin the desk's next run and give up the codes in store, in one transaction; `note` is the
    checkpoint that was the reason.
    """
    with ledger.database.reading() as connection:
        run = _next_run(ledger.config.keys, desk.run_of(connection))
    key = ec.generate_private_key(ec.SECP256R1())
    durable.write(
        [(keys.desk_file(ledger.config.keys, run), keys.pem(key))], ledger.config.keys, 0o600
    )
    with ledger.database.writing() as connection:
        work = Work(connection)
        row = {"device": DESK, "run": run, "since_position": append.log_size(connection)}
        jwk = dumps(keys.jwk_of(key.public_key()))
        rows.insert(connection, tables.device_key, [{**row, "jwk": jwk}])
        blocks.give_up(connection)
        if note:
            meta.write(connection, META, note)
        administer_in(ledger, work, WHAT, DESK, [], [])
        work.flush()


def _next_run(folder: Path, present: int) -> int:
    """Return a run that no key in the folder is of: what was restored may not know of it."""
    found = [NUMBERED.fullmatch(path.name) for path in folder.iterdir()]
    return max([present, *(int(one[1]) for one in found if one)]) + 1


def newer_checkpoint(ledger: Ledger) -> str | None:
    """Return the last signed checkpoint where it is of more events than the ledger has: a backup
    was restored, and the log was not resumed yet.
    """
    path = ledger.config.data / "log" / "checkpoint"
    if not path.exists():
        return None
    note = path.read_text(encoding="utf-8", errors="replace")
    size = note.split("\n")[1:2]
    return note if size and size[0].isdecimal() and int(size[0]) > ledger.size() else None


def has_lost_count(ledger: Ledger) -> bool:
    """Say whether the log contradicts what was signed, however much has come since a restore: which
    codes were given out is not known until it is resumed.
    """
    try:
        ledger.log.fresh()
    except Stopped:
        return True
    return newer_checkpoint(ledger) is not None


def _recovered_from(connection: Connection) -> str | None:
    return meta.read(connection, META)
