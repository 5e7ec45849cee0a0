"""Texts that no database keeps alike: what a request may not carry, whichever database there is."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from flask import Flask, abort, request

NUL = "\0"  # PostgreSQL keeps no text with it, SQLite does: neither is asked
BODIES = ("/sync/",)  # whose bodies the protocol reads by itself, and may be large


def init_app(app: Flask) -> None:
    """Answer 400 to a request whose address or form holds the character U+0000."""
    app.before_request(refuse_nul)


def refuse_nul() -> None:
    """Stop a request that holds U+0000, before anything is asked or stored."""
    if any(NUL in text for text in _texts()):
        abort(400)


def _texts() -> Iterator[str]:
    yield request.path
    yield unquote(request.query_string.decode("latin-1"))
    if not request.path.startswith(BODIES):
        for name, values in request.form.lists():
            yield name
            yield from values
