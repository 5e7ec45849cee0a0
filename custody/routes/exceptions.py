"""Exceptions: a list, and one with its reason, its clause.

Its way out and the form that closes it.
"""

from typing import Any

from flask import Response, flash, request, url_for

from custody.ledger import closing, desk
from custody.ledger.core import DESK
from custody.ledger.errors import Refused
from custody.ledger.reading import exceptions
from custody.routes import (
    claims,
    clauses,
    context,
    guard,
    paging,
    present,
    render,
    rights,
    sentences,
    vocabulary,
)
from custody.routes.names import Names
from custody.routes.words import words
from custody.rules import codes_range, exception_kinds

blueprint = guard.desk_blueprint("exceptions", __name__, "/exceptions")
Value = dict[str, Any]
LEADS: dict[str, tuple[tuple[str, str, str], ...]] = {
    **dict.fromkeys(
        exceptions.OF_SEALS,
        (
            ("seals.index", "seals.title", rights.LOOK),
            ("steps.index", "steps.title", rights.RECORD),
        ),
    ),
    exception_kinds.RULE_BROKEN: (("steps.index", "steps.title", rights.RECORD),),
    exception_kinds.VARIANCE: (("counts.index", "counts.title", rights.STOCK),),
    exception_kinds.REDEEMED_TWICE: (("coupons.index", "coupons.title", rights.STOCK),),
    exception_kinds.UNKNOWN_CODE: (("search.show", "search.title", rights.LOOK),),
    exception_kinds.UNKNOWN_PLACE: (("places.index", "places.title", rights.PLACES),),
    **dict.fromkeys(
        exceptions.OF_PEOPLE,
        (("people.index", "people.title", rights.PEOPLE),),
    ),
    **dict.fromkeys(
        exceptions.OF_DEVICES,
        (
            ("devices.index", "devices.title", rights.DEVICES),
            ("silence.show", "silence.title", rights.LOOK),
        ),
    ),
    exception_kinds.LATE: (("reconcile.show", "reconcile.title", rights.STOCK),),
    exception_kinds.LOG_REWRITTEN: (("log.show", "log.title", rights.LOG),),
}
"""Where the way out of each kind leads: endpoint, word and the right that it needs."""
STATES = (exceptions.OPEN, exceptions.RESOLVED, exceptions.ALL)


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show the exceptions in a state and of a kind, the newest first."""
    return _index({})


@blueprint.post("/close")
@guard.require(rights.RESOLVE)
def close() -> Response:
    """Close the chosen exceptions of one kind with one outcome, each by an event of its own."""
    ids, outcome = request.form.getlist("id"), request.form.get("outcome", "").strip()
    wrong = _wrong_together(ids, outcome)
    if wrong:
        return _index(wrong, 422)
    flash(words("exceptions.closed_n", n=len(set(ids))), "good")
    left = {name: request.args.get(name) for name in ("kind", "device")}
    return render.see_other("exceptions.index", **left)


def _wrong_together(ids: list[str], outcome: str) -> Value:
    """Close them; return what is against it, with nothing closed."""
    if not outcome:
        return {"outcome": words("exceptions.outcome_missing")}
    try:
        closing.close(context.ledger(), ids, outcome, context.by_me())
    except closing.NotTogether as error:
        text = words(f"exceptions.together_{error.code}", **error.values)
        return {"reasons": [{"text": text, "who": []}]}
    except Refused as error:
        return {"reasons": [sentences.reason(one) for one in error.reasons]}
    return {}


def kinds() -> list[str]:
    """Return the kinds of exceptions, in the vocabulary's order."""
    return list(context.site()["book"]["words"]["exceptions"]["words"])


def _index(wrong: Value, status: int = 200) -> Response:
    state, kind = request.args.get("state", exceptions.OPEN), request.args.get("kind", "")
    state = state if state in STATES else exceptions.OPEN
    device = request.args.get("device", "")
    asked = (state, kind or None, device or None)
    told: Value = {"state": state, "kind": kind, "device": device, "wrong": wrong}
    told["kinds"] = [(one, vocabulary.word("exception", one)) for one in kinds()]
    return render.page(
        "exceptions/index.html",
        "exceptions/_rows.html",
        status=status,
        together=_together(state, kind),
        chosen=request.form.getlist("id"),
        outcome=request.form.get("outcome", ""),
        **_rows(asked),
        **_overview(told["kinds"]),
        **told,
    )


def _rows(asked: tuple[str, str | None, str | None]) -> Value:
    opened, names = context.ledger(), context.names()
    found = exceptions.part(opened, *asked, paging.cut())
    shown = [present.exception(one, names) for one in found.rows]
    rows = [{**one, "text": sentences.exception(one)} for one in shown]
    pages = paging.of(found, exceptions.count(opened, *asked), at="exceptions.index")
    return {"rows": rows, "paging": pages}


def _overview(known: list[tuple[str, str]]) -> Value:
    """What the list may be narrowed to: kinds with how many are open, and devices."""
    names, counts = context.names(), exceptions.open_by_kind(context.ledger())
    devices = [(DESK, names.device(DESK)), *((id_, names.device(id_)) for id_ in names.devices)]
    tiles = [(one, text, counts[one]) for one, text in known if one in counts]
    return {"devices": devices, "counts": tiles}


def _together(state: str, kind: str) -> bool:
    """Say whether several of what is listed may be closed with one outcome."""
    open_of_kind = state == exceptions.OPEN and kind in kinds() and kind not in closing.APART
    return open_of_kind and context.may(rights.RESOLVE)


@blueprint.get("/<id>")
@guard.require(rights.LOOK)
def show(id: str) -> Response:
    """Show one exception: why, under which clause, the way out, and how it was closed or may be."""
    return _page(exceptions.one(context.ledger(), id), {}, {})


@blueprint.post("/<id>/resolve")
@guard.require(rights.RESOLVE)
def resolve(id: str) -> Response:
    """Close an exception with an outcome, as an event signed by the person at this desk."""
    found = exceptions.one(context.ledger(), id)
    form = {
        "outcome": request.form.get("outcome", "").strip(),
        "stands": request.form.get("stands", ""),
    }
    wrong = _wrong(found, form)
    if not wrong:
        wrong = _sign(found, form)
    if wrong:
        return _page(found, form, wrong, 422)
    left = [one for one in found["beside"] if one["resolved"] is None]
    told = (words("exceptions.closed"), words("exceptions.left_n", n=len(left)) if left else "")
    flash(" ".join(one for one in told if one), "good")
    return render.see_other("exceptions.show", id=id)


def _wrong(found: Value, form: dict[str, str]) -> Value:
    if found["resolved"] is not None:
        return {"reasons": [{"text": words("exceptions.already"), "who": []}]}
    if not form["outcome"]:
        return {"outcome": words("exceptions.outcome_missing")}
    choices = {entry["id"] for entry in [*found["entries"], *found["elsewhere"]]}
    if form["stands"] and form["stands"] not in choices:
        return {"stands": words("exceptions.stands_wrong")}
    if found["kind"] == exception_kinds.CLAIM and _is_a_choice(found) and not form["stands"]:
        return {"stands": words("exceptions.stands_missing")}
    return {}


def _is_a_choice(found: Value) -> bool:
    """Say whether the person who closes it says which of several records stands."""
    return not found["is_settled"] and len(found["entries"]) + len(found["elsewhere"]) > 1


def _sign(found: Value, form: dict[str, str]) -> Value:
    """Record the resolution; return what the rules have against it."""
    fields = {"exception": found["id"], "outcome": form["outcome"]}
    if form["stands"]:
        fields["stands"] = form["stands"]
    draft = {"step": "resolve", "items": codes_range.told(found["items"]), "with": fields}
    try:
        desk.record_at_desk(context.ledger(), draft, context.by_me())
    except Refused as error:
        return {"reasons": [sentences.reason(one) for one in error.reasons]}
    return {}


def _page(found: Value, form: dict[str, str], wrong: Value, status: int = 200) -> Response:
    names = context.names()
    shown = [present.event(entry, names, [found]) for entry in found["entries"]]
    met = claims.shown(found)
    told: dict[str, Any] = {
        "exception": _told(found, _choices(found, shown, met, names), names),
        "beside": [present.exception(one, names) for one in found["beside"]],
        "events": shown,
        "claims": met,
        "form": form,
        "wrong": wrong,
    }
    return render.page("exceptions/show.html", "exceptions/_resolve.html", status=status, **told)


def _choices(found: Value, shown: list[Value], met: list[Value], names: Names) -> list[Value]:
    """Return the records of which one may stand, each by the number under which it is shown."""
    sides = met[0]["sides"] if len(met) == 1 else []
    number = {e["id"]: n for n, side in enumerate(sides, 1) for e in side["events"]}
    choices = [{"id": one["id"], "words": _choice(one, number.get(one["id"]))} for one in shown]
    return choices + [
        {"id": one["id"], "words": _side_elsewhere(one["value"], names)}
        for one in found["elsewhere"]
    ]


def _told(found: Value, choices: list[Value], names: Names) -> Value:
    return {
        **present.exception(found, names),
        "runs": codes_range.told(found["items"]),
        "text": sentences.exception(found),
        "fix": sentences.fix(found),
        "clause": clauses.every().get(found["clause"] or ""),
        "way_out": vocabulary.word("wayout", found["kind"]),
        "leads": _leads(found),
        "stands_choices": choices if _is_a_choice(found) else [],
        "resolution": _resolution(found["resolution"], choices, names),
    }


def _leads(found: Value) -> list[tuple[str, str]]:
    """Return the address and the words of the pages on which the way out goes on."""
    kind, asked = found["kind"], {"day": found["values"].get("day")}
    alike = (url_for("exceptions.index", kind=kind), words("exceptions.alike"))
    told = [(url_for(end, **(asked if kind == exception_kinds.LATE else {})), words(word))
            for end, word, right in LEADS.get(kind, ()) if context.may(right)]  # fmt: skip
    return [*told, alike]


def _choice(one: Value, number: int | None) -> str:
    told = f"{one['step_word']} {one['place_line']}, {one['who']}, {one['device_name']}"
    return f"{words('items.version', n=number)}: {told}" if number else told


def _side_elsewhere(value: Value, names: Names) -> str:
    """Say where the item is by a record that only the upstream and another server hold."""
    state = vocabulary.word("state", value.get("state"))
    return words("upstream.elsewhere", state=state, place=names.place(value.get("place")))


def _resolution(entry: Value | None, choices: list[Value], names: Names) -> Value | None:
    if entry is None:
        return None
    line = entry["event"]
    who = ", ".join(names.person(str(one.get("person"))) for one in line["by"])
    chosen = {one["id"]: one["words"] for one in choices}.get(line["with"].get("stands"))
    return {
        "who": who,
        "at": line["at"],
        "offset": line["offset"],
        "position": entry["position"],
        "stands_words": chosen,
        **line["with"],
    }
