"""Whether an upstream has lost sight of a node, which may know devices that nobody else does."""

from __future__ import annotations

from custody.ledger import rows
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.devices import REVOKED, SITE_NODE
from custody.ledger.strict import dumps, reload

# A node asks every two seconds, and every fifteen after an outage, each time with a token of its
# own that is good for four minutes: the last one tells when that was.
TOKEN_MS = 240_000
SILENT_MS = 60_000
# Of a house's many devices few are nodes: those that may be are all that is read.
_TYPED = "SELECT id, value FROM record WHERE \"of\" = 'device' AND value LIKE ?"


def is_any(ledger: Ledger) -> bool:
    """Say whether a site node that is not revoked was not heard of for a minute.

    One whose line is back says first of all which devices it knows.
    """
    return not all(_was_heard(ledger, id_) for id_ in _nodes(ledger))


def _nodes(ledger: Ledger) -> list[str]:
    told = dumps({"type": SITE_NODE})[1:-1]
    with ledger.database.reading() as connection:
        found = rows.find(connection, _TYPED, f"%{told}%").all()
    return [id_ for id_, text in found if _is_node(text)]


def _is_node(text: str) -> bool:
    value: Value = reload(text)
    return bool(value.get("type") == SITE_NODE and value["state"] != REVOKED)


def _was_heard(ledger: Ledger, node: str) -> bool:
    expires = ledger.tokens.last(node)
    return expires is not None and ledger.clock() - (expires - TOKEN_MS) < SILENT_MS
