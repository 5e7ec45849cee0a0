"""The servers that belong together: how a site node stands to its upstream, and which nodes are."""

from typing import Any

from flask import Flask, Response, current_app

from custody.ledger import schema
from custody.ledger.devices import SITE_NODE
from custody.ledger.reading import records, today
from custody.ledger.upstream.joining import KeptUpstream
from custody.ledger.upstream.names import EXTENSION
from custody.routes import context, errors, guard, render, rights
from custody.routes.words import words

blueprint = guard.desk_blueprint("upstream", __name__, "/servers")
Value = dict[str, Any]
TONES = {"in-step": "good", "behind": "info", "stuck": "bad", "cut-off": "warn"}


def init_app(app: Flask) -> None:
    """Answer what a site node leaves to its upstream, and let templates ask whether this is one."""
    app.register_error_handler(KeptUpstream, kept_upstream)
    app.add_template_global(is_site_node)


def is_site_node() -> bool:
    return EXTENSION in current_app.extensions


def kept_upstream(error: KeptUpstream) -> Response:
    """Say where a change is to be made."""
    return errors.problem(409, words("upstream.kept"), str(error))


@blueprint.get("")
@guard.require(rights.LOG)
def show() -> Response:
    """Show how this server stands to its upstream, and the site nodes that relay to it."""
    node = current_app.extensions.get(EXTENSION)
    told = None if node is None else node.status()
    tone = TONES.get(told["state"], "warn") if told else ""
    has = schema.standing(context.ledger().database)
    return render.page("upstream/show.html", told=told, tone=tone, nodes=_nodes(), schema=has)


def _nodes() -> list[Value]:
    """The site nodes of this server, each with its last contact."""
    with context.ledger().database.reading() as connection:
        kinds = records.all_of(connection, "device")
    sites = {id_ for id_, value in kinds.items() if value.get("type") == SITE_NODE}
    return [one for one in today.devices(context.ledger()) if one["id"] in sites]
