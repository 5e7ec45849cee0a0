"""Envelopes: which there are, in which state and where."""

from flask import Response, request

from custody.ledger.reading import stock
from custody.routes import context, guard, render, rights, vocabulary

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
    return render.page(
        "envelopes/index.html", "envelopes/_rows.html", rows=rows, state=state, states=choices
    )
