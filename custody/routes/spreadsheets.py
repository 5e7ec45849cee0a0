"""The desk's lists as files, whole and as they were asked for: one address for each table."""

from collections.abc import Callable

from flask import Response, request

from custody.routes import exports, guard
from custody.routes.tables import TABLES

blueprint = guard.desk_blueprint("spreadsheets", __name__, "/spreadsheets")
LISTS = ("on-hand", "reconcile", "counts", "coupons", "envelopes", "seals", "exceptions")
"""The tables to which a list of the desk links with what it was asked for."""


def _answer(name: str) -> Callable[[str], Response]:
    def view(form: str) -> Response:
        return exports.answer(name, form, request.args)

    view.__doc__ = f"Answer with the whole of {name} as a file."
    return view


for _name in LISTS:
    blueprint.add_url_rule(
        f"/{_name}.<{exports.FORMATS}:form>",
        _name.replace("-", "_"),
        guard.require(TABLES[_name].right)(_answer(_name)),
    )
