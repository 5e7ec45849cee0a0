"""Today: what is due and what is wrong."""

from typing import Any

from flask import Response

from custody.ledger.reading import today
from custody.routes import (
    clauses,
    context,
    day_signing,
    guard,
    paging,
    present,
    render,
    rights,
    sentences,
    times,
    vocabulary,
)
from custody.routes.words import words

blueprint = guard.desk_blueprint("today", __name__)


@blueprint.get("/")
@guard.require(rights.LOOK)
def show() -> Response:
    """Show what is due, what is wrong, what waits and who has not reported."""
    found = today.of(context.ledger())
    names = context.names()
    found["exceptions"] = [
        {**present.exception(one, names), "text": sentences.exception(one)}
        for one in found["exceptions"]
    ]
    found["unsigned"] = day_signing.unsigned()
    found["due"] = [_deadline(one, found["now"]) for one in found["due"]]
    return render.page("today/show.html", "today/_today.html", today=found)


@blueprint.get("/due")
@guard.require(rights.LOOK)
def due() -> Response:
    """Show every deadline that has passed or is near, the earliest first."""
    found = today.due(context.ledger())
    shown, pages = paging.listed(found["due"], today.urgency)
    rows = [_deadline(one, found["now"]) for one in shown]
    return render.page("today/due.html", rows=rows, paging=pages)


def _deadline(one: dict[str, Any], now: int) -> dict[str, Any]:
    """Make one deadline: what it is about, what the clause says, and how long there is."""
    key = "due.left" if one["at"] > now else "due.over"
    about = (vocabulary.word("kind", one.get("kind")), context.names().place(one.get("place")))
    subject = " · ".join(part for part in about if part)
    if "record" in one:
        subject = f"{vocabulary.word('record', one['record'])}, {one['period']}"
    clause = clauses.every().get(one["clause"], {})
    left = words(key, span=times.span(one["at"] - now))
    return {**one, "subject": subject, "left": left, "requirement": clause.get("requirement", "")}
