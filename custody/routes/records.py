"""The records that clauses ask to be kept: inventory, reconciliation, reports by period, access."""

from typing import Any

from flask import Response, flash, request, url_for
from werkzeug.exceptions import Forbidden

from custody.ledger import keeping
from custody.ledger.keeping import PeriodError
from custody.ledger.reading import keeping as reading
from custody.ledger.reading import records as people
from custody.routes import (
    context,
    exports,
    guard,
    paging,
    present,
    render,
    rights,
    times,
    vocabulary,
)
from custody.routes.missing import Missing
from custody.routes.words import words
from custody.rules import clocks, days

blueprint = guard.desk_blueprint("records", __name__, "/records")
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
    head, rows = _table(id, _period("month", id))
    return exports.answer(id, form, [], head, [[_written(cell) for cell in row] for row in rows])


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
    every = str(asked[0].get("every") or ("month" if id_ == "changes" else ""))
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
    shown = current if id_ == "changes" else reading.before(every, current)
    return request.values.get("period") or shown


def _contents(id_: str, every: str, period: str) -> dict[str, Any]:
    opened = context.ledger()
    if id_ in ("access", "changes"):
        head, rows = _table(id_, period)
        numbered = list(enumerate(rows))
        shown, pages = paging.listed(numbered, lambda one: (one[0],))
        return {"head": head, "rows": [row for _, row in shown], "paging": pages}
    done = reading.kept(opened, id_, period)
    told: dict[str, Any] = {"done": done, "who": ""}
    if done:
        told["who"] = ", ".join(context.names().person(one) for one in done["by"])
    if id_ == "redeemed_value":
        total = reading.redeemed(opened, every, period)
        return {**told, "total": present.amount(total), "sums": total}
    return {**told, "raised": reading.raised(opened, period)}


def _table(id_: str, period: str) -> tuple[list[str], list[list[Any]]]:
    """Return the head and the rows of a record that is a table."""
    if id_ == "access":
        return _access()
    if id_ != "changes":
        raise Missing(words("records.unknown", id=id_))
    keeping.bounds("month", period)
    shown = [present.event(entry, context.names()) | {"what": _what(entry)}
             for entry in reading.changes(context.ledger(), period)]  # fmt: skip
    head = [words("words.when"), words("records.act"), words("words.who"), words("words.note")]
    return head, [[one["received"], one["what"], one["who"], one["note"]] for one in shown]


def _what(entry: dict[str, Any]) -> str:
    event = entry["event"]
    fields = event.get("with") or {}
    about = fields.get("subject") or fields.get("event") or ", ".join(event.get("items") or [])
    step = vocabulary.word("step", event["step"])
    return " ".join(
        filter(None, [step, vocabulary.plain(str(fields.get("what") or "")), str(about)])
    )


def _access() -> tuple[list[str], list[list[Any]]]:
    """Return everybody with a job that signs or has a desk: id, name, and the functions of each."""
    head = [words("words.who"), words("words.code"), words("records.job"), words("records.may")]
    rows = []
    for id_, one in people.every(context.ledger(), "person").items():
        if one.get("active", True):
            held = sorted(context.rights_of(one["job"]))
            may = ", ".join(vocabulary.plain(right) for right in held) or words("words.none")
            rows.append([one.get("name") or id_, id_, vocabulary.job(one["job"]), may])
    return head, rows


def _written(cell: Any) -> Any:
    """Write an instant (UTC ms) as the site's wall clock had it; all else is text."""
    if not isinstance(cell, int):
        return cell
    return times.written(cell, days.offset(context.site()["book"], cell))
