"""Today: what is due and what is wrong."""

from flask import Response

from custody.ledger.reading import today
from custody.routes import context, guard, present, render, rights, times
from custody.routes.words import words

blueprint = guard.desk_blueprint("today", __name__)


@blueprint.get("/")
@guard.require(rights.LOOK)
def show() -> Response:
    """Show what is due, what is wrong, what waits and who has not reported."""
    found = today.of(context.ledger())
    names = context.names()
    found["exceptions"] = [present.exception(one, names) for one in found["exceptions"]]
    for row in found["due"]:
        row["left"] = _left(row["at"] - found["now"])
    return render.page("today/show.html", "today/_today.html", today=found)


def _left(milliseconds: int) -> str:
    key = "due.left" if milliseconds > 0 else "due.over"
    return words(key, span=times.span(milliseconds))
