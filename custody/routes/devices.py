"""Devices: enrolment codes with their QR, approval, revocation."""

from collections.abc import Callable
from typing import Any

from flask import Response, flash, request

from custody.documents import symbols
from custody.ledger import devices
from custody.ledger.errors import SettingError
from custody.ledger.reading import records, today
from custody.routes import context, guard, paging, render, rights, versions
from custody.routes.words import words

blueprint = guard.desk_blueprint("devices", __name__, "/devices")
HOME = "devices.index"


@blueprint.get("")
@guard.require(rights.DEVICES)
def index() -> Response:
    """Show the devices and when each was last heard."""
    return _index()


@blueprint.post("/code")
@guard.require(rights.DEVICES)
def code() -> Response:
    """Make a one-time enrolment code and show it with its QR; it is shown once, here."""
    opened = context.ledger()
    made = devices.new_code(opened, context.me().id)
    address = f"{request.url_root}h/enrol#{made}"
    expires = opened.clock() + devices.CODE_MS
    grouped = "-".join(made[n : n + 4] for n in range(0, len(made), 4))
    return _index(
        enrolment={
            "code": grouped,
            "address": address,
            "expires": expires,
            "qr": symbols.squares(address),
        }
    )


@blueprint.post("/<id>/approve")
@guard.require(rights.DEVICES)
def approve(id: str) -> Response:
    """Let a pending device take part."""
    return _change(id, "approved", lambda: devices.approve(context.ledger(), id, context.by_me()))


@blueprint.post("/<id>/revoke")
@guard.require(rights.DEVICES)
def revoke(id: str) -> Response:
    """Revoke a device: it still sends what it recorded, and is then wiped."""
    return _change(id, "revoked", lambda: devices.revoke(context.ledger(), id, context.by_me()))


def _change(id_: str, done: str, act: Callable[[], object]) -> Response:
    name = records.known(context.ledger(), "device", id_)["name"]
    try:
        act()
    except SettingError as error:
        return _index(str(error), 422)
    flash(words(f"devices.{done}", name=name), "good")
    return render.see_other("devices.index")


def _index(
    wrong: str = "", status: int = 200, enrolment: dict[str, object] | None = None
) -> Response:
    opened = context.ledger()
    running = versions.told(opened)
    found = today.devices(opened)
    shown, pages = paging.listed(found, lambda one: (one["seen"] or 0, one["id"]), at=HOME)
    rows = [{**one, "app": running.get(one["id"])} for one in shown]
    told: dict[str, Any] = {"rows": rows, "paging": pages, "wrong": wrong, "enrolment": enrolment}
    return render.page("devices/index.html", status=status, **told)
