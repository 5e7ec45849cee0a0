"""The desk's lists as files, whole and as they were asked for: one address for each table."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from flask import Response, request

from custody.documents.csv_table import Cell
from custody.ledger.reading import counting, exceptions, seal_log, serial_lots
from custody.ledger.reading import stock as reading
from custody.ledger.reading.keyset import Cut
from custody.routes import (
    context,
    exports,
    guard,
    moments,
    present,
    reconcile,
    rights,
    sentences,
    stock,
    times,
    vocabulary,
)
from custody.routes.words import words
from custody.rules import days

blueprint = guard.desk_blueprint("spreadsheets", __name__, "/spreadsheets")
Value = dict[str, Any]
Row = list[Cell]
WHOLE = Cut(10**9)


class Table(NamedTuple):
    """A table: its right, the word of its title, its columns, and what makes its rows."""

    right: str
    title: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterable[Row]]


def _when(at: int | None, offset: int | None = None) -> str:
    if at is None:
        return ""
    shift = days.offset(context.site()["book"], at) if offset is None else offset
    return times.written(at, shift, seconds=True)


def _on_hand() -> Iterable[Row]:
    asked = moments.asked()
    found = stock.balances(asked)
    for row in found["rows"]:
        for unit, amount in row["units"].items():
            kind, word = vocabulary.word("kind", row["kind"]), vocabulary.word("unit", unit)
            yield [row["place"], found["names"].place(row["place"]), kind, word, amount]


def _reconcile() -> Iterable[Row]:
    told = reconcile.sums()
    place = context.names().place(told["place"]) or words("reconcile.site")
    for term, units in told["terms"].items():
        for unit, amount in units.items():
            line = [vocabulary.word("kind", told["kind"]), place, told["design"]]
            name, word = vocabulary.word("term", term), vocabulary.word("unit", unit)
            yield [told["day"], *line, name, word, amount]


def _counts() -> Iterable[Row]:
    names, kind = context.names(), request.args.get("kind") or None
    for entry in counting.part(context.ledger(), kind, WHOLE).rows:
        event, shown = entry["event"], present.event(entry, names)
        place = names.place(event.get("where"))
        state = words("counts.gone") if entry["gone"] else ""
        state = words("counts.double") if entry["double"] and not state else state
        when = _when(event["at"], event["offset"])
        kind_word = vocabulary.word("kind", event.get("kind"))
        yield [entry["position"], when, kind_word, place, shown["who"], state]


def _coupons() -> Iterable[Row]:
    names = context.names()
    for lot in serial_lots.every(context.ledger(), "coupons"):
        given = lot["lot"]["attributes"]
        kind = vocabulary.word("value", given.get("type"))
        for part in lot["ranges"]:
            state, place = vocabulary.word("state", part["state"]), names.place(part.get("place"))
            told = [lot["lot"]["code"], kind, given.get("denomination"), given.get("expires")]
            yield [*told, part["code"], part["pieces"], state, place]


def _envelopes() -> Iterable[Row]:
    state, names = request.args.get("state"), context.names()
    states = [state] if state else None
    for one in reading.of_kind(context.ledger(), "envelope", states, WHOLE).rows:
        purpose = vocabulary.word("purpose", one.get("purpose"))
        told = [one["code"], purpose, vocabulary.word("state", one["state"])]
        place = names.place(one.get("place")) or names.person(str(one.get("holder") or ""))
        contents = " ".join(one.get("contents") or [])
        yield [*told, place, one.get("seal"), contents, _when((one.get("packed") or {}).get("at"))]


def _seals() -> Iterable[Row]:
    for one in seal_log.applied(context.ledger(), WHOLE, request.args.get("find", "").strip()).rows:
        reused = words("words.yes") if one["reused"] else words("words.no")
        for envelope in one["envelopes"]:
            state = vocabulary.word("state", envelope["state"])
            yield [one["seal"], envelope["code"], present.kind_words(envelope), state, reused]


def _exceptions() -> Iterable[Row]:
    state = request.args.get("state", exceptions.OPEN)
    kind, device = (request.args.get(name) or None for name in ("kind", "device"))
    names = context.names()
    for one in exceptions.part(context.ledger(), state, kind, device, WHOLE).rows:
        shown = present.exception(one, names)
        told = [one["id"], shown["title"], sentences.exception(one), one["clause"]]
        items, status = " ".join(one["items"]), "open" if shown["open"] else "resolved"
        where = [one["position"], _when(one["received"]), shown["device_name"]]
        yield [*told, items, *where, words(f"exceptions.{status}")]


TABLES = {
    "on-hand": Table(
        rights.STOCK, "stock.title", ("place", "name", "kind", "unit", "amount"), _on_hand
    ),
    "reconcile": Table(
        rights.STOCK,
        "reconcile.title",
        ("day", "kind", "place", "design", "term", "unit", "amount"),
        _reconcile,
    ),
    "counts": Table(
        rights.STOCK,
        "counts.title",
        ("position", "time", "kind", "place", "who", "status"),
        _counts,
    ),
    "coupons": Table(
        rights.STOCK,
        "coupons.title",
        ("lot", "type", "cents", "expires", "serials", "pieces", "state", "place"),
        _coupons,
    ),
    "envelopes": Table(
        rights.LOOK,
        "envelopes.title",
        ("code", "purpose", "state", "place", "seal", "contents", "packed"),
        _envelopes,
    ),
    "seals": Table(
        rights.LOOK, "seals.title", ("seal", "envelope", "what", "state", "reused"), _seals
    ),
    "exceptions": Table(
        rights.LOOK,
        "exceptions.title",
        ("id", "kind", "what", "clause", "items", "position", "time", "device", "status"),
        _exceptions,
    ),
}


def _answer(name: str) -> Callable[[str], Response]:
    table = TABLES[name]

    def view(form: str) -> Response:
        rows = list(table.rows())
        asked = "; ".join(f"{key}={value}" for key, value in sorted(request.args.items()) if value)
        made = _when(context.ledger().clock())
        about = [
            words(table.title),
            words("tables.about", n=len(rows), at=made, asked=asked or "-"),
        ]
        header = [words(f"tables.{one}") for one in table.columns]
        return exports.answer(name, form, about, header, rows)

    view.__doc__ = f"Answer with the whole of {name} as a file."
    return view


for _name, _table in TABLES.items():
    blueprint.add_url_rule(
        f"/{_name}.<{exports.FORMATS}:form>",
        _name.replace("-", "_"),
        guard.require(_table.right)(_answer(_name)),
    )
