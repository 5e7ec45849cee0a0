"""On hand: balances by place and kind, and the items at a place; now, or as it was."""

from typing import Any

from flask import Response, request

from custody.ledger.reading import as_it_was, records, stock
from custody.routes import context, guard, moments, paging, present, render, rights
from custody.routes.words import words

Value = dict[str, Any]
Key = tuple[str | None, str]  # a place and a kind
blueprint = guard.desk_blueprint("stock", __name__, "/stock")


@blueprint.get("")
@guard.require(rights.STOCK)
def index() -> Response:
    """Show what is on hand, by place and kind, now or at a past instant."""
    asked = moments.asked()
    found = balances(asked)
    names = found.pop("names")
    for row in found["rows"]:
        row["place_name"] = names.place(row["place"])
        row["place_words"] = present.place_words(names.places.get(row["place"], {}), names)
    return render.page(
        "stock/index.html", status=asked.status, moment=moments.form(asked), asked=asked, **found
    )


def balances(asked: moments.Asked) -> Value:
    """Return `rows` and `totals` of an instant or of now, and the `names` to write them with."""
    opened = context.ledger()
    if asked.at is None:
        told = {"rows": stock.on_hand(opened), "totals": stock.totals(opened)}
        return {**told, "names": context.names()}
    found = as_it_was.on_hand(opened, asked.at, asked.known)
    other = as_it_was.on_hand(opened, asked.at, moments.OTHER[asked.known])
    rows = _beside(found["rows"], other["rows"])
    totals = _beside(found["totals"], other["totals"])
    heading = moments.heading(asked, found["position"])
    names = moments.names(asked.known, found["position"])
    return {"rows": rows, "totals": totals, "heading": heading, "names": names}


def _beside(rows: list[Value], others: list[Value]) -> list[Value]:
    """Put beside each balance what the other knowledge makes of it, where they differ."""
    known: dict[Key, Value] = {(row["place"], row["kind"]): row["units"] for row in others}
    mine: dict[Key, Value] = {(row["place"], row["kind"]): row["units"] for row in rows}
    none = {key: dict.fromkeys(known[key], 0) for key in known.keys() - mine.keys()}
    every = {**mine, **none}
    made = [_line(key, units, known) for key, units in every.items()]
    return sorted(made, key=lambda row: (row["place"] or "", row["kind"]))


def _line(key: Key, units: Value, known: dict[Key, Value]) -> Value:
    other = known.get(key, dict.fromkeys(units, 0))
    return {"place": key[0], "kind": key[1], "units": units, "other": other, "same": other == units}


@blueprint.get("/<id>")
@guard.require(rights.LOOK)
def place(id: str) -> Response:
    """Show the items at a place, now or at a past instant."""
    found, kind = records.known(context.ledger(), "place", id), request.args.get("kind") or None
    asked = moments.asked()
    told = _here(id, kind) if asked.at is None else _there(id, kind, asked)
    rows = [{**item, "words": present.kind_words(item)} for item in told.pop("rows")]
    names = told.pop("names", context.names())
    found = names.places.get(id, found)
    shown = {
        "id": id,
        "name": names.place(id),
        "words": present.place_words(found, names),
        "approved": found.get("approved", True),
    }
    told |= {"moment": moments.form(asked), "asked": asked, "kind": kind}
    return render.page("stock/place.html", status=asked.status, place=shown, rows=rows, **told)


def _here(id_: str, kind: str | None) -> Value:
    opened = context.ledger()
    found = stock.at_place(opened, id_, kind, paging.cut())
    return {"rows": found.rows, "paging": paging.of(found, stock.count_at(opened, id_, kind))}


def _there(id_: str, kind: str | None, asked: moments.Asked) -> Value:
    """The items at a place at an instant; where too many have moved since, what would be right."""
    opened, when = context.ledger(), (asked.at or 0, asked.known)
    try:
        found = as_it_was.codes_at(opened, id_, *when, kind)
    except as_it_was.TooMany as error:
        return {"rows": [], "paging": paging.none(), "many": words("moment.many", n=error.most)}
    shown, pages = paging.listed(found["codes"], lambda code: (code,))
    return {
        "rows": as_it_was.values(opened, shown, *when),
        "paging": pages,
        "heading": moments.heading(asked, found["position"]),
        "names": moments.names(asked.known, found["position"]),
    }
