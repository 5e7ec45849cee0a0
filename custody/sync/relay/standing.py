"""How a node stands with its upstream, as the process that relays last told the others."""

from __future__ import annotations

from typing import Any

from custody.ledger import meta
from custody.ledger.core import Ledger
from custody.ledger.strict import dumps, reload

META = "relaying"
AGAIN_MS = 10_000  # so often it is told though nothing is new
SILENT_MS = 60_000  # after so long nobody relays
LAPSED = "no process of this node has relayed for a while"
PASSING = ("lag", "last_contact")  # what changes with every round


def tell(ledger: Ledger, status: dict[str, Any]) -> None:
    """Keep what `Node.status` says, unless the same was kept just now."""
    now, known = ledger.clock(), _read(ledger)
    if known is not None and now - known["at"] < AGAIN_MS and _lasting(known["told"], status):
        return
    with ledger.database.writing() as connection:
        meta.write(connection, META, dumps({"at": now, "told": status}))


def told(ledger: Ledger) -> dict[str, Any] | None:
    """Return what was told last; None where nobody has. What is old is `cut-off`."""
    known = _read(ledger)
    if known is None:
        return None
    found: dict[str, Any] = known["told"]
    if ledger.clock() - known["at"] > SILENT_MS:
        return {**found, "state": "cut-off", "error": found["error"] or LAPSED}
    return found


def _read(ledger: Ledger) -> Any:
    with ledger.database.reading() as connection:
        text = meta.read(connection, META)
    return None if text is None else reload(text)


def _lasting(before: dict[str, Any], now: dict[str, Any]) -> bool:
    names = set(now) - set(PASSING)
    return all(before.get(name) == now[name] for name in names) and (
        bool(before["lag"]) == bool(now["lag"])
    )
