"""Places: where items can be, and which of them the regulator has approved."""

from typing import Any

from flask import Response, flash, request, url_for

from custody.ledger import places, reserving
from custody.ledger.errors import SettingError
from custody.ledger.reading import records
from custody.routes import context, guard, paging, present, render, rights, vocabulary
from custody.routes.words import words

blueprint = guard.desk_blueprint("places", __name__, "/places")
FIELDS = ("name", "type", "use", "game", "pit")
PREFIX = "PL"  # of the codes that hang on places
KEPT = sorted(places.FIELDS.keys() - {*FIELDS, "locks", "approved"})  # what the form does not ask


@blueprint.get("")
@guard.require(rights.PLACES)
def index() -> Response:
    """Show the places, and the form for one more."""
    return _index({"approved": False}, {})


@blueprint.post("")
@guard.require(rights.PLACES)
def add() -> Response:
    """Add a place; a mistake is 422 and keeps what was typed."""
    form, id_ = _form(), request.form.get("id", "").strip()
    taken = id_ in records.every(context.ledger(), "place")
    if not id_ and form["type"]:
        id_ = reserving.reserve(context.ledger(), PREFIX, 1, context.by_me())[0]
    wrong = {"id": words("places.id_taken")} if taken else _save(id_, form, {})
    if wrong:
        return _index({**form, "id": id_}, wrong, 422)
    flash(words("places.added", id=form["name"] or id_), "good")
    return render.see_other("places.index")


@blueprint.get("/<id>")
@guard.require(rights.PLACES)
def show(id: str) -> Response:
    """Show one place, to be changed."""
    value = records.known(context.ledger(), "place", id)
    return _show(id, {**value, "approved": value.get("approved", True)}, {})


@blueprint.post("/<id>")
@guard.require(rights.PLACES)
def save(id: str) -> Response:
    """Change a place."""
    form = _form()
    wrong = _save(id, form, records.known(context.ledger(), "place", id))
    if wrong:
        return _show(id, form, wrong, 422)
    flash(words("places.saved"), "good")
    return render.see_other("places.show", id=id)


def _save(id_: str, form: dict[str, Any], old: dict[str, Any]) -> dict[str, str]:
    """Save a place; return what is wrong with the form, by field."""
    if not form["type"]:
        return {"type": words("places.type_missing")}
    locks = [one.strip() for one in form["locks"].split(",") if one.strip()]
    given = {name: form[name] for name in FIELDS if form[name]} | (
        {"locks": locks} if locks else {}
    )
    kept = {name: old[name] for name in KEPT if name in old}
    try:
        places.save_place(
            context.ledger(), id_, {**kept, **given, "approved": form["approved"]}, context.by_me()
        )
    except SettingError as error:
        return {"all": str(error)}
    return {}


def _form() -> dict[str, Any]:
    given = {name: request.form.get(name, "").strip() for name in (*FIELDS, "locks")}
    return {**given, "approved": request.form.get("approved") == "yes"}


def _index(form: dict[str, Any], wrong: dict[str, str], status: int = 200) -> Response:
    found = records.every(context.ledger(), "place")
    rows = [_row(id_, value) for id_, value in found.items()]
    shown, pages = paging.listed(rows, lambda row: (row["id"],), at="places.index")
    told: dict[str, Any] = {
        "form": form,
        "wrong": wrong,
        "action": url_for("places.add"),
        "paging": pages,
        **_choices(found),
    }
    return render.page("places/index.html", status=status, rows=shown, place=None, **told)


def _show(id_: str, form: dict[str, Any], wrong: dict[str, str], status: int = 200) -> Response:
    found = records.every(context.ledger(), "place")
    locks = form.get("locks", "")
    shown = {**form, "locks": ", ".join(locks) if isinstance(locks, list) else locks}
    told: dict[str, Any] = {
        "form": shown,
        "wrong": wrong,
        "action": url_for("places.save", id=id_),
        **_choices(found),
    }
    return render.page("places/show.html", status=status, place={"id": id_}, **told)


def _row(id_: str, value: dict[str, Any]) -> dict[str, Any]:
    approved = value.get("approved", True)
    return {
        "id": id_,
        "name": value.get("name") or id_,
        "type": value["type"],
        "details": present.place_details(value, context.names()),
        "approved": approved,
    }


def _choices(found: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    return {
        "types": [(one, vocabulary.word("place_type", one)) for one in places.types()],
        "uses": [(one, vocabulary.word("use", one)) for one in places.uses()],
        "pits": [
            (id_, value.get("name") or id_)
            for id_, value in found.items()
            if value.get("type") == "pit_stand"
        ],
    }
