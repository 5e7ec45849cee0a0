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
    opened, state = context.ledger(), request.args.get("state", "")
    counts = stock.states_of(opened, KIND)
    chosen = [state] if state else None
    found = stock.of_kind(opened, KIND, chosen, paging.cut())
    pages = paging.of(found, counts.get(state, 0) if state else sum(counts.values()))
    choices = [(one, vocabulary.word("state", one)) for one in counts]
    told: dict[str, Any] = {"rows": found.rows, "state": state, "states": choices, "paging": pages}
    return render.page("envelopes/index.html", "envelopes/_rows.html", **told)
