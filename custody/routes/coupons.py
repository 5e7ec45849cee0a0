"""The coupon ledger: lots and their ranges, the day's form, the months and quarters (MD-03.11)."""

from typing import Any

from flask import Response, request

from custody.ledger.reading import counting, coupon_ledger, serial_lots, today
from custody.ledger.reading.coupon_ledger import FLOWS, KIND
from custody.routes import clauses, context, guard, paging, present, render, rights, vocabulary
from custody.routes.tables import Wrong, table
from custody.routes.tables.coupons import license_of, line
from custody.routes.words import words
from custody.rules import clocks

blueprint = guard.desk_blueprint("coupons", __name__, "/coupons")
Value = dict[str, Any]
UNITS = ("coupons", "value")
TERMS = (
    *("opening", "received", "issued", "distributed", "returned", "voided"),
    *("redeemed", "destroyed", "lost", "closing", "variance"),
)
DAILY = ("MD-03.11-K.1-3", "MD-03.11-K.4-6", "MD-03.11-K.7-8")
MONTHLY, QUARTERLY = "MD-03.11-N", "MD-03.11-O"
USUAL = FLOWS[:6]
MOST_YEAR = 9999


@blueprint.get("")
@guard.require(rights.STOCK)
def index() -> Response:
    """Show every lot, with how many of its coupons are in which state."""
    rows = [_lot(one) for one in serial_lots.every(context.ledger(), KIND)]
    shown, pages = paging.listed(rows, lambda row: (row["code"],))
    return render.page("coupons/index.html", rows=shown, paging=pages, day=_today())


def _today() -> str:
    return str(clocks.gaming_day(context.site()["book"], context.ledger().clock()))


def _lot(one: Value) -> Value:
    lot, attributes = one["lot"], one["lot"]["attributes"]
    states = {vocabulary.word("state", state): n for state, n in sorted(one["states"].items())}
    facts = present.fields(
        {n: attributes.get(n) for n in ("restrictions", "mailed", "printed_in_house")},
        context.names(),
    )
    return {
        **{"code": lot["code"], "attributes": attributes, "states": states, "facts": facts},
        "type_word": vocabulary.word("value", attributes.get("type")),
        "worth": _worth(attributes),
        "ranges": [_range(part, attributes) for part in one["ranges"]],
        "size": sum(part["pieces"] for part in one["ranges"]),
        "disputed": lot.get("disputed") or any(part.get("disputed") for part in one["ranges"]),
    }


def _worth(attributes: Value) -> int:
    worth = attributes.get("denomination")
    return worth if isinstance(worth, int) else 0


def _range(part: Value, attributes: Value) -> Value:
    redeemed, void = part.get("redeemed") or {}, part.get("void") or {}
    told = [
        void.get("reason") or "",
        context.names().place(redeemed.get("table")),
    ]
    return {
        **part,
        "value": part["pieces"] * _worth(attributes),
        "state_word": vocabulary.word("state", part["state"]),
        "told": ", ".join(text for text in told if text),
    }


@blueprint.get("/lots/<code>")
@guard.require(rights.STOCK)
def lot(code: str) -> Response:
    """Show one lot: its ranges as they are now, and every line of the ledger about it."""
    found = serial_lots.one(context.ledger(), [KIND], code)
    lines = [line(one) for one in coupon_ledger.of_lot(context.ledger(), found)]
    return render.page("coupons/lot.html", lot=_lot(found), lines=lines, flows=FLOWS, units=UNITS)


@blueprint.get("/day")
@guard.require(rights.STOCK)
def day() -> Response:
    """Show a gaming day's reconciliation: terms in coupons and value, what was asked, the lines."""
    asked = request.args.get("day") or _today()
    try:
        table.day(asked)
    except Wrong as error:
        return _day(422, day=asked, wrong=str(error))
    opened = context.ledger()
    found = coupon_ledger.day(opened, asked)
    return _day(
        200,
        day=asked,
        wrong="",
        terms=[(term, found["terms"][term]) for term in TERMS],
        unexplained=found["unexplained"],
        requisitions=[_need(one) for one in coupon_ledger.requisitions(opened, asked, asked)],
        lines=[line(one) for one in coupon_ledger.lines(opened, asked, asked)],
        waiting=[one for one in today.devices(opened) if one["silent"]],
    )


def _day(status: int, **told: Any) -> Response:
    fixed: Value = {"units": UNITS, "flows": FLOWS, "cites": clauses_known(DAILY)}
    return render.page("coupons/day.html", "coupons/_day.html", status=status, **fixed, **told)


def clauses_known(ids: tuple[str, ...]) -> list[str]:
    """Return the clauses of these that are of the site's own regime."""
    regime = context.site()["setting"].get("regime")
    known = clauses.every()
    return [one for one in ids if one in known and known[one]["regime"] == regime]


def _need(one: Value) -> Value:
    names = context.names()
    people = [
        {"name": names.person(id_), "job": names.job(id_), "license": license_of(id_)}
        for id_ in one["by"]
    ]
    span = one["first"] if one["first"] == one["last"] else f"{one['first']} … {one['last']}"
    return {**one, "people": people, "span": span}


@blueprint.get("/totals")
@guard.require(rights.STOCK)
def totals() -> Response:
    """Show a year by months and quarters, and the counts that were made in it."""
    text = request.args.get("year") or _today()[:4]
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_YEAR):
        wrong = words("coupons.bad_year", year=text)
        return _totals(422, year=text, wrong=wrong, months=[], quarters=[], made=[])
    year = int(text)
    months = coupon_ledger.months(context.ledger(), year)
    made = [_count(one) for one in counting.made(context.ledger(), KIND, year)]
    return _totals(
        200,
        year=year,
        wrong="",
        months=months,
        quarters=[_quarter(months, n) for n in range(4)],
        made=made,
    )


def _totals(status: int, **told: Any) -> Response:
    shown = [f for f in FLOWS if f in USUAL or any(f in m["flows"] for m in told["months"])]
    due = [one for one in counting.due(context.ledger()) if one["kind"] == KIND]
    cites = {"monthly": clauses_known((MONTHLY,)), "quarterly": clauses_known((QUARTERLY,))}
    fixed: Value = {"units": UNITS, "flows": shown, "due": due, "cites": cites}
    return render.page("coupons/totals.html", status=status, **fixed, **told)


def _quarter(months: list[Value], number: int) -> Value:
    redeemed = [one["flows"].get("redeemed", {}) for one in months[number * 3 : number * 3 + 3]]
    return {
        "name": words("coupons.quarter", n=number + 1),
        "coupons": sum(one.get("coupons", 0) for one in redeemed),
        "value": sum(one.get("value", 0) for one in redeemed),
    }


def _count(entry: Value) -> Value:
    event = entry["event"]
    shown = present.event(entry, context.names())
    return {**shown, "day": event.get("day") or "", "place": event.get("where")}
