"""People: who signs here, with which job, badge, PIN and password link.

Each change is an event of the log.
"""

from collections.abc import Callable
from typing import Any

from flask import Response, flash, request, url_for

from custody.ledger import accounts, people
from custody.ledger.errors import CredentialRefused, SettingError
from custody.ledger.reading import records, signins
from custody.routes import context, guard, paging, render, rights, vocabulary
from custody.routes.words import words

blueprint = guard.desk_blueprint("people", __name__, "/people")
FIELDS = ("name", "job", "license", "supervises", "incompatible", "language")
LISTS = ("supervises", "incompatible")


@blueprint.get("")
@guard.require(rights.PEOPLE)
def index() -> Response:
    """Show everyone, and the form for one more."""
    return _index({}, {})


@blueprint.post("")
@guard.require(rights.PEOPLE)
def add() -> Response:
    """Add a person; a mistake is 422 and keeps what was typed."""
    form, id_ = _form(), request.form.get("id", "").strip()
    wrong = _wrong(form) | _wrong_id(id_)
    if wrong:
        return _index({**form, "id": id_}, wrong, 422)
    try:
        people.save_person(context.ledger(), id_, _given(form), context.by_me())
    except SettingError as error:
        return _index({**form, "id": id_}, {"all": str(error)}, 422)
    flash(words("people.added", name=form["name"]), "good")
    return render.see_other("people.show", id=id_)


@blueprint.get("/<id>")
@guard.require(rights.PEOPLE)
def show(id: str) -> Response:
    """Show one person, and what may be changed."""
    return _show(id, {})


@blueprint.post("/<id>")
@guard.require(rights.PEOPLE)
def save(id: str) -> Response:
    """Change a person's name, job and the like."""
    form = _form()
    wrong = _wrong(form)
    if wrong:
        return _show(id, wrong, 422, form)
    old = records.known(context.ledger(), "person", id)
    given = {**_given(form), "lease_hours": old["lease_hours"]}
    return _change(
        id, "all", "saved", lambda: people.save_person(context.ledger(), id, given, context.by_me())
    )


@blueprint.post("/<id>/badge")
@guard.require(rights.PEOPLE)
def badge(id: str) -> Response:
    """Give the person a badge."""
    scanned = request.form.get("badge", "")
    return _change(
        id,
        "badge",
        "badge_done",
        lambda: people.set_badge(context.ledger(), id, scanned, context.by_me()),
    )


@blueprint.post("/<id>/pin")
@guard.require(rights.PEOPLE)
def pin(id: str) -> Response:
    """Set the person's PIN."""
    typed = request.form.get("pin", "")
    return _change(
        id, "pin", "pin_done", lambda: people.set_pin(context.ledger(), id, typed, context.by_me())
    )


@blueprint.post("/<id>/link")
@guard.require(rights.PEOPLE)
def link(id: str) -> Response:
    """Make a one-time link by which the person sets a password; it is shown once, here."""
    value = records.known(context.ledger(), "person", id)
    if not context.rights_of(value["job"]):
        return _show(id, {"link": words("people.no_desk")}, 422)
    opened = context.ledger()
    secret = accounts.new_link(opened, id, signins.user_of(opened, id))
    address = url_for("signin.welcome", secret=secret, _external=True)
    return _show(id, {}, link=address)


@blueprint.post("/<id>/revoke")
@guard.require(rights.PEOPLE)
def revoke(id: str) -> Response:
    """End the person's sign-ons; nobody revokes themselves, so that one administrator stays."""
    if request.form.get("sure") != "yes":
        return _show(id, {"revoke": words("people.revoke_unsure")}, 422)
    if id == context.me().id:
        return _show(id, {"revoke": words("people.revoke_self")}, 422)
    return _change(
        id,
        "revoke",
        "revoke_done",
        lambda: people.set_active(context.ledger(), id, False, context.by_me()),
    )


@blueprint.post("/<id>/restore")
@guard.require(rights.PEOPLE)
def restore(id: str) -> Response:
    """Let a revoked person sign again."""
    return _change(
        id,
        "revoke",
        "saved",
        lambda: people.set_active(context.ledger(), id, True, context.by_me()),
    )


def _change(id_: str, field: str, done: str, act: Callable[[], object]) -> Response:
    try:
        act()
    except (SettingError, CredentialRefused) as error:
        return _show(id_, {field: str(error)}, 422)
    name = records.known(context.ledger(), "person", id_)["name"]
    flash(words(f"people.{done}", name=name), "good")
    return render.see_other("people.show", id=id_)


def _form() -> dict[str, Any]:
    return {name: request.form.get(name, "").strip() for name in FIELDS}


def _given(form: dict[str, Any]) -> dict[str, Any]:
    lists = {name: [one.strip() for one in form[name].split(",") if one.strip()] for name in LISTS}
    given = {**form, **lists, "license": form["license"]}
    return {name: value for name, value in given.items() if value != ""}


def _wrong(form: dict[str, Any]) -> dict[str, str]:
    return {name: words(f"people.{name}_missing") for name in ("name", "job") if not form[name]}


def _wrong_id(id_: str) -> dict[str, str]:
    if id_ in records.every(context.ledger(), "person"):
        return {"id": words("people.id_taken")}
    return (
        {}
        if id_.isascii() and 0 < len(id_) <= 64 and id_.isprintable() and " " not in id_
        else {"id": words("people.id_wrong")}
    )


def _index(form: dict[str, Any], wrong: dict[str, str], status: int = 200) -> Response:
    rows = [_row(id_, value) for id_, value in records.every(context.ledger(), "person").items()]
    shown, pages = paging.listed(rows, lambda row: (row["id"],), at="people.index")
    told: dict[str, Any] = {
        "form": form,
        "wrong": wrong,
        "jobs": _jobs(),
        "action": url_for("people.add"),
        "paging": pages,
    }
    return render.page("people/index.html", status=status, rows=shown, person=None, **told)


def _show(
    id_: str,
    wrong: dict[str, str],
    status: int = 200,
    form: dict[str, Any] | None = None,
    link: str = "",
) -> Response:
    value = records.known(context.ledger(), "person", id_)
    shown = form or {**value, **{name: ", ".join(value[name]) for name in LISTS}}
    told: dict[str, Any] = {
        "form": shown,
        "wrong": wrong,
        "jobs": _jobs(),
        "action": url_for("people.save", id=id_),
    }
    desk = bool(context.rights_of(value["job"]))
    return render.page(
        "people/show.html", status=status, person=_row(id_, value), link=link, has_desk=desk, **told
    )


def _row(id_: str, value: dict[str, Any]) -> dict[str, Any]:
    ways = [words(f"people.with_{way}") for way in ("badge", "pin") if value.get(way)]
    shown = {name: value.get(name) for name in FIELDS}
    marks = {
        "has_badge": bool(value.get("badge")),
        "has_pin": bool(value.get("pin")),
        "revoked": not value.get("active", True),
    }
    return {"id": id_, **shown, **marks, "sign_on": ", ".join(ways) or words("people.nothing")}


def _jobs() -> list[tuple[str, str]]:
    departments = context.site()["book"]["departments"]
    return [(job, vocabulary.job(job)) for job in departments]
