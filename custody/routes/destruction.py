"""Destruction: what awaits it, what is held, what a vendor has, and the log of what is gone."""

from typing import Any

from flask import Response, request

from custody.ledger.reading import ending
from custody.ledger.reading.ending import Asked
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
from custody.routes.tables import Wrong, table
from custody.routes.tables.wrongs import destroyed
from custody.routes.words import words
from custody.rules import codes

blueprint = guard.desk_blueprint("destruction", __name__, "/destruction")
Value = dict[str, Any]
TONES = {"due": "bad", "soon": "warn", "running": "good"}


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show what waits for its end and why what does not may not."""
    opened = context.ledger()
    rows = ending.awaiting(opened)
    shown, pages = paging.listed(rows, ending.urgency)
    return render.page(
        "destruction/index.html",
        awaiting=[_awaiting(one) for one in shown],
        paging=pages,
        late=sum(bool(one["due"] and one["due"]["status"] == "due") for one in rows),
        held=[_held(one) for one in ending.held(opened)],
        batches=[_batch(one) for one in ending.at_vendor(opened)],
    )


def _awaiting(row: Value) -> Value:
    item, due, now = row["item"], row["due"], context.ledger().clock()
    told: Value = {**item, "words": present.kind_words(item), "due": None}
    if due is not None:
        key = "due.left" if due["at"] > now else "due.over"
        left = words(key, span=times.span(due["at"] - now))
        told["due"] = {**due, "left": left, "tone": TONES[due["status"]]}
    return told


def _held(item: Value) -> Value:
    hold = item.get("hold") or {}
    reports = [one.get("form") for one in item.get("reports") or [] if isinstance(one, dict)]
    return {
        **item,
        "words": present.kind_words(item),
        "by_word": vocabulary.word("value", hold.get("by")),
        "since": item["times"].get("hold") or item["times"].get("hand_over"),
        "case": hold.get("case") or "",
        "reports": [vocabulary.word("value", one) for one in reports],
    }


def _batch(one: Value) -> Value:
    who = ", ".join(map(context.names().person, one["by"]))
    return {**one, "who": who, "codes": codes.compress(one["items"])}


@blueprint.get("/log")
@guard.require(rights.LOOK)
def log() -> Response:
    """Show the destruction log for some gaming days and a kind, page by page."""
    opened, asked = context.ledger(), _asked()
    choices = [(one, vocabulary.word("kind", one)) for one in ending.kinds(opened)]
    told: Value = {**asked._asdict(), "kinds": choices}
    wrong = _wrong(asked)
    if wrong:
        return _log(422, wrong=wrong, rows=[], paging=paging.none(), **told)
    found = ending.part(opened, asked, paging.cut())
    pages = paging.of(found, ending.count(opened, asked))
    return _log(200, wrong="", rows=[destroyed(one) for one in found.rows], paging=pages, **told)


def _log(status: int, **told: Any) -> Response:
    return render.page("destruction/log.html", "destruction/_log.html", status=status, **told)


@blueprint.get(f"/log.<{exports.FORMATS}:form>")
@guard.require(rights.LOOK)
def export(form: str) -> Response:
    """Answer with the whole destruction log that was asked for, not only the page in sight."""
    asked = _asked()
    wrong = _wrong(asked)
    if wrong:
        return _log(422, wrong=wrong, rows=[], paging=paging.none(), **asked._asdict(), kinds=[])
    return exports.answer("destruction-log", form, asked._asdict())


def _asked() -> Asked:
    return Asked(*(request.args.get(name, "").strip() for name in Asked._fields))


def _wrong(asked: Asked) -> str:
    try:
        table.span(asked.first, asked.last)
    except Wrong as error:
        return str(error)
    return ""
