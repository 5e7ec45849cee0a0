"""The records that clauses ask to be kept: inventory, reconciliation, reports by period, access."""

from typing import Any

from flask import Response, flash, request, url_for
from werkzeug.exceptions import Forbidden

from custody.ledger import keeping
from custody.ledger.keeping import PeriodError
from custody.ledger.reading import keeping as reading
from custody.routes import (
    context,
    exports,
    guard,
    paging,
    present,
    render,
    rights,
    vocabulary,
)
from custody.routes.missing import Missing
from custody.routes.tables import TABLES, house
from custody.routes.words import words
from custody.rules import clocks

blueprint = guard.desk_blueprint("records", __name__, "/records")
ACCESS, CHANGES = "access", "changes"  # the records that are tables
ELSEWHERE = {
    "inventory": ("stock.index", rights.STOCK),
    "reconciliation": ("reconcile.show", rights.STOCK),
    "documentation": ("log.show", rights.LOG),
}
"""Records that are pages of their own: endpoint and the right that it needs."""


@blueprint.get("")
@guard.require(rights.RECORDS)
def index() -> Response:
    """Show every record that the rulebook in force asks for, and where it is."""
    rows = [_row(one) for one in reading.asked(context.ledger())]
    return render.page("records/index.html", rows=rows)


def _row(one: dict[str, Any]) -> dict[str, Any]:
    name, kinds = one["name"], one.get("kinds", [])
    if name in ELSEWHERE:
        end, right = ELSEWHERE[name]
        kind = kinds[0] if name == "reconciliation" and kinds else None
        href = url_for(end, kind=kind) if context.may(right) else ""
    else:
        href = url_for("records.show", id=name)
    kind_words = ", ".join(vocabulary.word("kind", kind) for kind in kinds)
    every = words(f"records.{one.get('every', 'any_time')}")
    return {**one, "word": vocabulary.word("record", name), "href": href, "every_word": every,
            "kind_words": kind_words}  # fmt: skip


@blueprint.get("/<id>")
@guard.require(rights.RECORDS)
def show(id: str) -> Response:
    """Show one record; of the period asked for, else of the last that ended."""
    return _show(id)


@blueprint.get(f"/<id>.<{exports.FORMATS}:form>")
@guard.require(rights.RECORDS)
def download(id: str, form: str) -> Response:
    """Hand out who may do what, or the changes of a month, as a file."""
    _require_table(id)
    given = {"period": _period("month", id)} if id == CHANGES else {}
    return exports.answer(id, form, given)


@blueprint.post("/<id>")
@guard.require(rights.RECORDS)
def keep(id: str) -> Response:
    """Record that a period was reported or reviewed; by those who sign at the desk."""
    if not context.may(rights.RECORD):
        raise Forbidden
    period, found = request.form.get("period", ""), request.form.get("found", "")
    try:
        keeping.keep(context.ledger(), id, period, found, context.by_me())
    except PeriodError as error:
        return _show(id, str(error), 422)
    flash(words("records.done"), "good")
    return render.see_other("records.show", id=id, period=period)


def _show(id_: str, wrong: str = "", status: int = 200) -> Response:
    asked = [one for one in reading.asked(context.ledger()) if one["name"] == id_]
    if not asked or id_ in ELSEWHERE:
        raise Missing(words("records.unknown", id=id_))
    every = str(asked[0].get("every") or ("month" if id_ == CHANGES else ""))
    period = _period(every, id_)
    told: dict[str, Any] = {"record": _row(asked[0]), "every": every, "period": period}
    try:
        if every:
            keeping.bounds(every, period)
        told |= _contents(id_, every, period)
    except PeriodError as error:
        wrong, status = str(error), 422
    return render.page("records/show.html", status=status, wrong=wrong, **told)


def _period(every: str, id_: str) -> str:
    """Return the period that is asked for; else the current month of changes, or the last ended."""
    book, now = context.site()["book"], context.ledger().clock()
    current = reading.current(every, clocks.gaming_day(book, now)) if every else ""
    shown = current if id_ == CHANGES else reading.before(every, current)
    return request.values.get("period") or shown


def _contents(id_: str, every: str, period: str) -> dict[str, Any]:
    opened = context.ledger()
    if id_ in (ACCESS, CHANGES):
        rows: list[list[Any]] = house.access() if id_ == ACCESS else house.changes(period)
        numbered = list(enumerate(rows))
        shown, pages = paging.listed(numbered, lambda one: (one[0],))
        return {"head": TABLES[id_].header(), "rows": [row for _, row in shown], "paging": pages}
    done = reading.kept(opened, id_, period)
    told: dict[str, Any] = {"done": done, "who": ""}
    if done:
        told["who"] = ", ".join(context.names().person(one) for one in done["by"])
    if id_ == "redeemed_value":
        total = reading.redeemed(opened, every, period)
        return {**told, "total": present.amount(total), "sums": total}
    return {**told, "raised": reading.raised(opened, period)}


def _require_table(id_: str) -> None:
    """Raise Missing for a record that is no table."""
    if id_ not in (ACCESS, CHANGES):
        raise Missing(words("records.unknown", id=id_))
