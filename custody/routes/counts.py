"""Physical counts: what is due, a blind count of a place, and what it found (MD-02.13-M.3)."""

from typing import Any

from flask import Response, flash, request, url_for

from custody.ledger import desk
from custody.ledger.errors import Refused
from custody.ledger.reading import counting, forms
from custody.routes import (
    context,
    count_form,
    guard,
    paging,
    present,
    render,
    rights,
    sentences,
    signing,
    times,
    vocabulary,
)
from custody.routes.words import words

blueprint = guard.desk_blueprint("counts", __name__, "/counts")
Value = dict[str, Any]
TONES = {"due": "bad", "soon": "warn", "running": "good"}


@blueprint.get("")
@guard.require(rights.STOCK)
def index() -> Response:
    """Show the counts that are due, those that are not yet, and the newest ones."""
    opened, now = context.ledger(), context.ledger().clock()
    kinds = {one: vocabulary.word("kind", one) for one in counted_kinds()}
    kind = request.args.get("kind", "")
    chosen = kind if kind in kinds else None
    found = counting.part(opened, chosen, paging.cut())
    pages = paging.of(found, counting.count(opened, chosen))
    told: Value = {"rows": [_row(one) for one in found.rows], "paging": pages}
    due = [_due(one, now) for one in counting.due(opened)]
    return render.page("counts/index.html", due=due, kind=kind, kinds=kinds.items(), **told)


def counted_kinds() -> list[str]:
    """Return the kinds that the rulebook in force has counted, in order."""
    return sorted({kind for rule in context.site()["book"]["counts"] for kind in rule["kinds"]})


def _due(one: Value, now: int) -> Value:
    key = "due.left" if one["at"] > now else "due.over"
    left = words(key, span=times.span(one["at"] - now))
    return {**one, "left": left, "tone": TONES[one["status"]]}


def _row(entry: Value) -> Value:
    event = entry["event"]
    return {
        **present.event(entry, context.names()),
        "kind": event.get("kind"),
        "place": event.get("where"),
        "blind": (event.get("with") or {}).get("blind"),
        "gone": entry.get("gone"),
        "double": _double(entry.get("double")),
    }


def _double(double: Value | None) -> Value | None:
    """Say who had counted the same before, on the same gaming day."""
    if not double:
        return None
    who = ", ".join(context.names().person(one) for one in double["by"])
    return {"at": double["at"], "who": who}


@blueprint.get("/new")
@guard.require(rights.RECORD)
def new() -> Response:
    """Show the form of a count: blind, so without a word of what the books have."""
    return _form(200, {}, opened=context.ledger().clock())


@blueprint.post("")
@guard.require(rights.RECORD)
def record() -> Response:
    """Record a count, signed at this desk."""
    entered = count_form.read()
    draft = {**_draft(), "with": entered.fields, "note": request.form.get("note", "").strip()}
    by, unsigned = signing.signers()
    wrong: Value = entered.wrong | unsigned | ({} if _known(draft) else _unplaced(draft))
    if wrong:
        return _form(422, wrong)
    return _signed(draft, by, entered.twice)


def _signed(draft: Value, by: list[Value], twice: list[str]) -> Response:
    try:
        entry = desk.record_at_desk(context.ledger(), draft, by)
    except Refused as error:
        return _form(422, {"reasons": [sentences.reason(one) for one in error.reasons]})
    if twice:
        flash(words("counts.twice", codes=", ".join(twice[:10])), "info")
    flash(words("counts.recorded"), "good")
    return render.see_other("counts.show", position=entry.position)


def _draft() -> Value:
    kind, where = (request.values.get(name, "").strip() for name in ("kind", "where"))
    return {"step": "count", "kind": kind, "where": where, "items": []}


def _known(draft: Value) -> bool:
    return draft["kind"] in counted_kinds() and draft["where"] in context.names().places


def _unplaced(draft: Value) -> dict[str, str]:
    wrong = {} if draft["kind"] in counted_kinds() else {"kind": words("counts.kind_missing")}
    placed = draft["where"] in context.names().places
    return wrong if placed else {**wrong, "where": words("counts.place_missing")}


def _form(status: int, wrong: Value, opened: int | None = None) -> Response:
    draft = _draft()
    asked = forms.of_draft(
        context.ledger(),
        {**draft, "kind": draft["kind"] or counted_kinds()[0], "by": [context.me().id]},
    )
    return render.page(
        "counts/new.html",
        status=status,
        draft=draft,
        wrong=wrong,
        cites=asked["cites"],
        signers=[signing.slot(one) for one in asked["signers"]],
        typed=request.form,
        opened=opened if opened is not None else request.form.get("opened", ""),
        kinds=[(one, vocabulary.word("kind", one)) for one in counted_kinds()],
        places=[(id_, one.get("name") or id_) for id_, one in context.names().places.items()],
    )


@blueprint.get("/<int:position>")
@guard.require(rights.STOCK)
def show(position: int) -> Response:
    """Show what a count found against the books of its moment, and what came of it."""
    return _report(counting.one(context.ledger(), position), {})


def _report(found: Value, wrong: Value, status: int = 200) -> Response:
    names = context.names()
    lines = [_line(one, found) for one in found["lines"]]
    told: Value = {
        "count": {**found, "event": present.event(found["entry"], names, found["raised"])},
        "note": found["entry"]["event"].get("note") or "",
        "lines": lines,
        "differing": [one for one in lines if one["state"] in ("short", "over")],
        "agree": found["expected"] == found["found"],
        "acts": [_act(one) for one in found["acts"]],
        "later": _row(found["later"]) if found["later"] else None,
        "wrong": wrong,
    }
    return render.page("counts/show.html", status=status, **told)


TONES_OF_LINES = {"short": "bad", "over": "bad", "moved": "info", "agrees": "good"}


def _line(one: Value, found: Value) -> Value:
    moves = [{**move, **_move(move, found)} for move in one["moves"]]
    return {
        **one,
        "moves": moves,
        "tone": TONES_OF_LINES[one["state"]],
        "links": _links(one, found),
    }


def _move(move: Value, found: Value) -> Value:
    event = present.event(move["entry"], context.names())
    late = move["entry"]["position"] > found["entry"]["position"]
    return {"event": event, "late": late}


def _links(one: Value, found: Value) -> Value:
    """Where a line's report and adjustment are filled in, with what the count says filled in."""
    if one["state"] not in ("short", "over") or not one["code"]:
        return {}
    told = {"kind": found["kind"], "items": one["code"], "back": request.path}
    count = found["entry"]["id"]
    back = {"to": found["place"]} if one["state"] == "over" else {}
    report = {
        "with.form": "count",
        "with.discovered_by": found["entry"]["event"]["by"][0]["person"],
    }
    return {
        "report": url_for("steps.show", step="report", **told, **report),
        "adjust": url_for("steps.show", step="adjust", **told, **back, **{"with.count": count}),
    }


def _act(entry: Value) -> Value:
    fields = (entry["event"].get("with") or {}).get("reason")
    return {**present.event(entry, context.names()), "reason": fields or ""}


@blueprint.post("/<int:position>/recount")
@guard.require(rights.RECORD)
def recount(position: int) -> Response:
    """Count single lines again; all others stand as they were counted and have moved since."""
    found = counting.one(context.ledger(), position)
    by, wrong = signing.signers()
    lines = {line["code"]: line for line in found["lines"] if line["code"]}
    again, mistaken = _again(lines)
    wrong = wrong | mistaken
    if wrong:
        return _report(found, wrong, 422)
    draft = {
        **{"step": "count", "kind": found["kind"], "where": found["place"], "items": []},
        "with": {"found": {**found["now"], **again}, "blind": True},
        "note": words("counts.recount_note", position=position, codes=", ".join(again)),
    }
    draft["with"]["found"] = {code: n for code, n in draft["with"]["found"].items() if n}
    try:
        entry = desk.record_at_desk(context.ledger(), draft, by)
    except Refused as error:
        return _report(found, {"reasons": [sentences.reason(one) for one in error.reasons]}, 422)
    flash(words("counts.recorded"), "good")
    return render.see_other("counts.show", position=entry.position)


def _again(lines: Value) -> tuple[dict[str, int], dict[str, str]]:
    """Return the lines that were counted again, with their numbers, and what is wrong."""
    again: dict[str, int] = {}
    for code in lines:
        typed = request.form.get(f"again.{code}", "").strip()
        if typed and not (typed.isascii() and typed.isdigit() and len(typed) < 10):
            return {}, {"again": words("steps.whole", typed=typed)}
        if typed:
            again[code] = int(typed)
    return (again, {}) if again else ({}, {"again": words("counts.again_missing")})
