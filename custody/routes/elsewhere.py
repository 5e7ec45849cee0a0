"""An item's whole history at a site node, asked of the upstream."""

import base64
from hashlib import sha256
from typing import Any

from flask import Response, current_app

from custody.ledger.reading import entries, life
from custody.ledger.upstream.names import EXTENSION
from custody.routes import context, guard, present, render, rights
from custody.routes.names import Names

blueprint = guard.desk_blueprint("elsewhere", __name__, "/elsewhere")
Value = dict[str, Any]


@blueprint.get("/<path:code>")
@guard.require(rights.LOOK)
def show(code: str) -> Response:
    """Show every event of an item as the upstream has it, and which of them are here, too; where
    the upstream cannot be asked, say so.
    """
    node = current_app.extensions.get(EXTENSION)
    told = None if node is None else node.history(code)
    if told is None:
        return render.page("elsewhere/show.html", status=503, code=code, events=None)
    names, here = context.names(), _here(code)
    shown = [_event(one, names, here) for one in reversed(told)]
    return render.page("elsewhere/show.html", code=code, events=shown)


def _here(code: str) -> set[str]:
    with context.ledger().database.reading() as connection:
        return {entry["id"] for entry in life.history(connection, [code])}


def _event(told: Value, names: Names, here: set[str]) -> Value:
    """Make one event of the page from its exact bytes; its id is what their hash is."""
    raw = base64.b64decode(told["base64"]) if "base64" in told else told["line"].encode()
    id_ = sha256(raw).hexdigest()
    entry = entries.as_entry({**told, "id": id_, "body": raw})
    return {**present.event(entry, names), "is_here": id_ in here}
