"""On hand: balances by place and kind, and the items at a place."""

from flask import Response, request

from custody.ledger.reading import records, stock
from custody.routes import context, guard, paging, present, render, rights

blueprint = guard.desk_blueprint("stock", __name__, "/stock")


@blueprint.get("")
@guard.require(rights.STOCK)
def index() -> Response:
    """Show what is on hand, by place and kind."""
    opened = context.ledger()
    places = records.every(opened, "place")
    rows = stock.on_hand(opened)
    for row in rows:
        row["place_words"] = present.place_words(places.get(row["place"], {}), context.names())
    return render.page("stock/index.html", rows=rows, totals=stock.totals(opened))


@blueprint.get("/<id>")
@guard.require(rights.LOOK)
def place(id: str) -> Response:
    """Show the items at a place."""
    opened = context.ledger()
    found = records.known(opened, "place", id)
    kind = request.args.get("kind") or None
    pages = paging.of(stock.count_at(opened, id, kind))
    here = stock.at_place(opened, id, kind, paging.SIZE, pages.offset)
    rows = [{**item, "words": present.kind_words(item)} for item in here]
    shown = {
        "id": id,
        "words": present.place_words(found, context.names()),
        "approved": found.get("approved", True),
    }
    return render.page("stock/place.html", place=shown, rows=rows, kind=kind, paging=pages)
