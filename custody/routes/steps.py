"""Record a step at the desk: the form is the rulebook's own, so a new step needs no new page."""

from typing import Any

from flask import Response, flash, request

from custody.ledger import desk
from custody.ledger.errors import Refused
from custody.ledger.reading import forms
from custody.routes import (
    context,
    guard,
    render,
    rights,
    sentences,
    signing,
    step_fields,
    vocabulary,
)
from custody.routes.missing import Missing
from custody.routes.step_fields import FieldError
from custody.routes.words import words

blueprint = guard.desk_blueprint("steps", __name__, "/steps")
Value = dict[str, Any]
FIRST = ("count", "adjust", "report", "correct", "notify", "requisition", "mark_void")
PLACES = ("to", "where")
TICKED: list[Value] = [{"name": "checked", "type": "words"}]  # lines of the checklist


@blueprint.get("")
@guard.require(rights.RECORD)
def index() -> Response:
    """Show the steps that can be recorded here, those of a desk first."""
    known = forms.steps(context.ledger())
    ordered = [step for step in FIRST if step in known] + [s for s in known if s not in FIRST]
    steps = [(step, vocabulary.word("step", step)) for step in ordered]
    return render.page("steps/index.html", steps=steps)


@blueprint.get("/<step>")
@guard.require(rights.RECORD)
def show(step: str) -> Response:
    """Show the form of a step for a kind and, where they are named, its items and place."""
    draft = _draft(step, request.args)
    if not draft["items"] and not draft["kind"]:
        draft["kind"] = next((kind for kind, _ in _kinds(step)), None)
    return _page(draft, {})


@blueprint.post("/<step>")
@guard.require(rights.RECORD)
def record(step: str) -> Response:
    """Record the step, signed by the person at this desk and, if they signed too, a second one."""
    draft, wrong = _read(step)
    by, unsigned = signing.signers()
    if wrong | unsigned:
        return _page(draft, wrong | unsigned, 422)
    try:
        entry = desk.record_at_desk(context.ledger(), draft, by)
    except Refused as error:
        return _page(draft, {"reasons": [sentences.reason(one) for one in error.reasons]}, 422)
    flash(words("steps.done", n=entry.position), "good")
    return render.go(signing.onward(signing.log_page(entry.position)))


def _draft(step: str, given: Any) -> Value:
    if step not in forms.steps(context.ledger()):
        raise Missing(words("steps.unknown_step", step=step))
    named = {name: given.get(name) or None for name in (*PLACES, "kind", "form", "into")}
    return {"step": step, "with": {}, "items": given.get("items", "").split(), **named}


def _read(step: str) -> tuple[Value, Value]:
    """Read the form that was sent: the draft, and what is wrong with it by field."""
    draft, wrong = _draft(step, request.form), {}
    try:
        draft["items"] = step_fields.read_codes(request.form.get("items", ""))
    except FieldError as error:
        draft["items"], wrong["codes"] = [], str(error)
    asked = forms.of_draft(context.ledger(), {**draft, "by": [context.me().id]})
    draft["with"], more = step_fields.read(asked["fields"] + TICKED, request.form)
    draft["note"] = request.form.get("note", "").strip()
    return draft, wrong | _other_kind(draft, asked["about"]) | more | _fact(draft, asked["why"])


def _other_kind(draft: Value, about: list[str]) -> dict[str, str]:
    """Say that what is named is of another kind than the form was made for, and go on with the form
    for what is named: its fields have not been seen yet.
    """
    if not draft["items"] or not draft["kind"] or not about or draft["kind"] in about:
        return {}
    draft["kind"] = None
    named = ", ".join(vocabulary.word("kind", kind) for kind in about)
    return {"codes": words("steps.other_kind", kinds=named)}


def _fact(draft: Value, allowed: list[str]) -> dict[str, str]:
    """Take what has happened already into the draft; return what is wrong with it."""
    why = request.form.get("fact.why", "")
    if why not in allowed:
        return {}
    try:
        at = step_fields.instant(request.form.get("fact.at", ""))
    except FieldError as error:
        return {"fact": str(error)}
    draft["with"] = {**draft["with"], "fact": {"why": why, "at": at}}
    return {}


def _page(draft: Value, wrong: Value, status: int = 200) -> Response:
    opened = context.ledger()
    asked = forms.of_draft(opened, {**draft, "by": [context.me().id]})
    typed = request.form if request.method == "POST" else request.args
    told: Value = {
        "draft": draft,
        "form": {**asked, "fields": step_fields.shown(asked["fields"], typed)},
        "kinds": [] if draft["items"] else _kinds(draft["step"]),
        "roles": {one["name"] for one in asked["places"]},
        "signers": [signing.slot(one) for one in asked["signers"]],
        "typed": typed,
        "ticked": typed.getlist("with.checked"),
        "back": signing.onward(""),
        "why": [(one, vocabulary.word("why", one)) for one in asked["why"]],
        "places": [(id_, one.get("name") or id_) for id_, one in context.names().places.items()],
        "people": [(id_, one["name"]) for id_, one in context.names().people.items()],
        "wrong": wrong,
    }
    return render.page("steps/show.html", status=status, **told)


def _kinds(step: str) -> list[tuple[str, str]]:
    """The kinds with which the rulebook knows the step, dice first."""
    known = forms.kinds(context.ledger(), step)
    return [(kind, vocabulary.word("kind", kind)) for kind in known]
