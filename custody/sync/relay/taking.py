"""`POST /sync/v1/relay`: take the chains that a site node hands on (protocol.md, "Relay")."""

from __future__ import annotations

from typing import Any

from custody.ledger import append, keys
from custody.ledger.chain import BatchRefused, check_signature
from custody.ledger.core import Ledger
from custody.ledger.upstream import introducing
from custody.ledger.upstream.introducing import Told
from custody.ledger.work import Work
from custody.sync.problems import Problem
from custody.sync.relay.reading import Relayed


def take(ledger: Ledger, site: str, relayed: list[Relayed]) -> list[dict[str, Any]]:
    """Return what each chain came to, in order: as for a push, or problem details.

    A chain that only says that it is there is answered by how far this server has it.
    """
    return [_take_one(ledger, site, each) for each in relayed]


def _take_one(ledger: Ledger, site: str, relayed: Relayed) -> dict[str, Any]:
    if relayed.told is None:
        assert relayed.refused is not None
        return refusal(relayed.refused).body()
    try:
        if relayed.batch is not None:  # nobody is introduced by what the key did not sign
            check_signature(relayed.batch, keys.key_of(relayed.told.key))
        name = introducing.meet(ledger, site, relayed.told)
        if relayed.batch is None:
            return _standing(ledger, name, relayed.told)
        pushed = append.push(ledger, relayed.batch._replace(device=name))
    except BatchRefused as refused:
        return refusal(refused).body()
    return answer(pushed)


def answer(pushed: append.Pushed) -> dict[str, Any]:
    """Return the answer to a push that was stored; a problem's body where it forks."""
    told = {"acked": pushed.acked, "size": pushed.size, "exceptions": pushed.exceptions}
    if pushed.fork is None:
        return told
    detail = f"this server holds another event {pushed.fork} of this run; start a new run"
    return Problem(409, "fork", detail, seq=pushed.fork, **told).body()


def refusal(refused: BatchRefused) -> Problem:
    """Return a refused batch as the problem that it is answered by."""
    return Problem(refused.status, refused.type, str(refused), **refused.more)


def _standing(ledger: Ledger, name: str, told: Told) -> dict[str, Any]:
    """Answer how far this server has a chain, and as `head` the id of its event `at`: the last that
    both have, if they have the same.
    """
    with ledger.database.reading() as connection:
        branches = Work(connection).branches(name, told.run)
        acked = branches[0]["seq"] if branches else 0
        at = min(acked, told.last)
        head = introducing.event_id(connection, name, told.run, at)
        size = append.log_size(connection)
    return {"acked": acked, "at": at, "head": head, "size": size, "exceptions": []}
