"""Receipts: check in the browser that the log holds an event, and save the receipt of one."""

from typing import Any

from flask import Response, request, url_for
from werkzeug.exceptions import NotFound

from custody.ledger.log.errors import LogError
from custody.ledger.reading import entries
from custody.routes import context, guard, render, rights
from custody.routes.words import catalogue, words

blueprint = guard.desk_blueprint("receipts", __name__, "/receipts")
Value = dict[str, Any]
TELLING = "said"  # the section of words.toml whose texts the page's script chooses from


@blueprint.get("")
@guard.require(rights.LOOK)
def show() -> Response:
    """Show the page that checks a receipt; with `?event=24` it is filled in for that event."""
    position = request.args.get("event", "")
    found = _of(int(position)) if position.isascii() and position.isdigit() else {}
    keys = "\n".join(context.ledger().log.all_verifiers())
    return render.page("receipts/show.html", keys=keys, said=_said(), **found)


@blueprint.get("/<int:position>.txt")
@guard.require(rights.LOOK)
def file(position: int) -> Response:
    """Answer the receipt of an event as a file, for whoever checks it elsewhere."""
    found = _of(position)
    if not found.get("receipt"):
        raise NotFound(found["wrong"])
    answer = Response(found["receipt"], content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="receipt-{position}.txt"'
    return answer


def _of(position: int) -> Value:
    """The receipt of the event at a position and its line, or why there is none yet."""
    opened = context.ledger()
    entry = entries.one(opened, position)
    told = {"position": position, "line": entry["body"]}
    try:
        made = opened.log.receipt(entry["id"])
    except LogError as error:
        return {**told, "wrong": words("receipts.none_yet", why=str(error))}
    address = url_for("receipts.file", position=made.position)
    return {**told, "receipt": made.text, "address": address}


def _said() -> dict[str, str]:
    """What the page may say of a receipt, by the codes of the check; gaps stay as `{name}`."""
    keys = [key.partition(".")[2] for key in catalogue() if key.startswith(TELLING + ".")]
    blanks = {name: "{" + name + "}" for name in ("position", "size", "time", "names", "origin")}
    return {key: words(f"{TELLING}.{key}", **blanks) for key in keys}
