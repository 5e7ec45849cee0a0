"""Envelopes: which there are, in which state and where."""

from typing import Any

from flask import Response, request

from custody.ledger.reading import stock
from custody.routes import context, guard, paging, render, rights, vocabulary

blueprint = guard.desk_blueprint("envelopes", __name__, "/envelopes")
KIND = "envelope"


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show the envelopes in a state, or all of them."""
    every = stock.of_kind(context.ledger(), KIND)
    states = sorted({item["state"] for item in every})
    state = request.args.get("state", "")
    rows = [item for item in every if state in ("", item["state"])]
    choices = [(one, vocabulary.word("state", one)) for one in states]
    pages = paging.of(len(rows))
    shown = rows[pages.offset : pages.last]
    told: dict[str, Any] = {"rows": shown, "state": state, "states": choices, "paging": pages}
    return render.page("envelopes/index.html", "envelopes/_rows.html", **told)
