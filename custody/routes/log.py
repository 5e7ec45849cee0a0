"""The log: its size, the devices' chains, and one event as its device signed it."""

from flask import Response

from custody.ledger.reading import chains, entries, exceptions
from custody.routes import context, guard, paging, present, render, rights

blueprint = guard.desk_blueprint("log", __name__, "/events")


@blueprint.get("")
@guard.require(rights.LOG)
def show() -> Response:
    """Show the state of the log and of each chain in it."""
    opened, names = context.ledger(), context.names()
    found = chains.overview(opened)
    rows = [{**head, "device_name": names.device(head["device"])} for head in found["heads"]]
    shown, pages = paging.listed(rows, lambda one: (one["device"], one["run"], one["branch"]))
    told = {**found, "rows": shown, "paging": pages}
    return render.page("log/show.html", origin=opened.meta["origin"], **told)


@blueprint.get("/<int:position>")
@guard.require(rights.LOOK)
def event(position: int) -> Response:
    """Show one event: who, when and what, and the exact bytes."""
    opened = context.ledger()
    entry = entries.one(opened, position)
    raised = exceptions.at_position(opened, position)
    shown = present.event(entry, context.names(), raised)
    told = {**shown, "body": entry["body"], "leaf": entry["leaf"]}
    return render.page("log/event.html", event=told, events=[shown])
