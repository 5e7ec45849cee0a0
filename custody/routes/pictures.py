"""Pictures that events name: safe copies to look at, and the original bytes for who checks them."""

from typing import Any

from flask import Flask, Response, current_app

from custody.ledger import blobs
from custody.ledger.events import HASH
from custody.ledger.upstream.names import EXTENSION
from custody.routes import context, guard, rights
from custody.routes.missing import Missing
from custody.routes.words import words

blueprint = guard.desk_blueprint("pictures", __name__, "/pictures")

MOST = 5  # pictures that an event may name (protocol.md, "Pictures")
KEEP_S = 3600  # how long a browser may keep a copy: what has a hash never changes


def init_app(app: Flask) -> None:
    """Let templates ask what is known of the pictures that an event names."""
    app.add_template_global(known, "pictures_of")


def known(photos: list[Any]) -> list[blobs.Kept]:
    """Return what is known of the pictures in an event's `photos`; what is no hash is left out."""
    names = [one for one in photos[:MOST] if isinstance(one, str) and HASH.fullmatch(one)]
    return blobs.known(context.ledger(), names) if names else []


@blueprint.get("/<name>/<size>")
@guard.require(rights.LOOK)
def show(name: str, size: str) -> Response:
    """Answer a copy that was encoded again; on a site node, fetch what came elsewhere first."""
    if size not in blobs.EDGES:
        raise Missing(words("pictures.awaited"))
    _require_here(name)
    answer = Response(blobs.rendition(context.ledger(), name, size), content_type="image/jpeg")
    answer.headers["Cache-Control"] = f"private, max-age={KEEP_S}"
    return answer


@blueprint.get("/<name>/original")
@guard.require(rights.LOG)
def original(name: str) -> Response:
    """Answer the very bytes whose hash is in the event, to be saved and not to be shown."""
    _require_here(name)
    content = blobs.original(context.ledger(), name)
    answer = Response(content, content_type="application/octet-stream")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _require_here(name: str) -> None:
    """Raise Missing unless the picture is here, or can be fetched now."""
    if HASH.fullmatch(name):
        if blobs.one(context.ledger(), name).state == blobs.HERE:
            return
        node = current_app.extensions.get(EXTENSION)
        if node is not None and node.fetch_picture(name):
            return
    raise Missing(words("pictures.awaited"))
