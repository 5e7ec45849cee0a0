"""The daily reconciliation.

Every term, the remainder, and the events behind each term (MD-02.13-M.2); and the day's sign-off.
"""

from typing import Any

from flask import Response, flash, request, url_for
from werkzeug.exceptions import Forbidden

from custody.ledger.reading import reconciling, records, today
from custody.routes import context, day_signing, guard, present, render, rights, vocabulary
from custody.routes.missing import Missing
from custody.routes.tables import Wrong, table
from custody.routes.tables.stock import kinds as kinds_counted
from custody.routes.words import words
from custody.rules import clocks, counts

blueprint = guard.desk_blueprint("reconcile", __name__, "/reconcile")
COUNTED = ("opening", "closing", "remainder")


@blueprint.get("")
@guard.require(rights.STOCK)
def show() -> Response:
    """Show a gaming day's terms for the site or one place, and whether it was signed off."""
    return _page({})


@blueprint.post("/sign-off")
@guard.require(rights.STOCK)
def sign_off() -> Response:
    """Sign off a gaming day that is over; the rulebook says who does."""
    if not context.may(rights.RECORD):
        raise Forbidden
    day, kind, _, _ = _asked()
    note = request.form.get("note", "").strip()
    wrong = [] if _wrong(day) else day_signing.sign(day, note)
    if wrong or _wrong(day):
        return _page({"reasons": wrong, "note": note})
    flash(words("signoff.done", day=day), "good")
    return render.see_other("reconcile.show", day=day, kind=kind)


def _page(refused: dict[str, Any]) -> Response:
    day, kind, place, design = _asked()
    told: dict[str, Any] = {"day": day, "kind": kind, "place": place or "", **_choices(kind)}
    told["design"] = design or ""
    told["unsigned"] = day_signing.unsigned()
    wrong = _wrong(day)
    if wrong:
        return render.page(
            "reconcile/show.html", "reconcile/_sums.html", status=422, wrong=wrong, **told
        )
    found = reconciling.of_day(context.ledger(), kind, day, place, design)
    waiting = [one for one in today.devices(context.ledger()) if one["silent"]]
    left = counts.unexplained(found["terms"])
    told |= day_signing.shown(day, kind, refused)
    before = day_signing.terms(told["signed"], (kind, day), (place, design))
    return render.page(
        "reconcile/show.html",
        "reconcile/_sums.html",
        status=422 if refused else 200,
        waiting=waiting,
        remainder=present.amount(left) if any(left.values()) else "",
        units=found["units"],
        terms=[_term(term, found, told, before) for term in counts.terms_of(kind)],
        **told,
    )


@blueprint.get("/<term>")
@guard.require(rights.STOCK)
def term(term: str) -> Response:
    """Show the events behind a term of a gaming day."""
    day, kind, place, design = _asked()
    if term not in counts.terms_of(kind) or term in COUNTED or _wrong(day):
        raise Missing(words("reconcile.no_term", term=term))
    found = reconciling.behind(context.ledger(), kind, day, term, place, design)
    rows = [_behind(row) for row in found]
    units = counts.kind_units(context.site()["book"], kind)
    asked: dict[str, Any] = {"day": day, "kind": kind, "place": place, "design": design}
    return render.page("reconcile/term.html", term=term, rows=rows, units=units, **asked)


def _asked() -> tuple[str, str, str | None, str | None]:
    now = clocks.gaming_day(context.site()["book"], context.ledger().clock())
    kinds = kinds_counted()
    kind = request.args.get("kind", "")
    return (
        request.args.get("day") or now,
        kind if kind in kinds else kinds[0],
        request.args.get("place") or None,
        request.args.get("design") or None,
    )


def _wrong(given: str) -> str:
    try:
        table.day(given)
    except Wrong as error:
        return str(error)
    return ""


def _term(
    term: str,
    found: dict[str, dict[str, dict[str, int]]],
    told: dict[str, Any],
    before: dict[str, dict[str, int]],
) -> dict[str, object]:
    href = None
    if term not in COUNTED:
        href = url_for(
            "reconcile.term",
            term=term,
            day=told["day"],
            kind=told["kind"],
            place=told["place"] or None,
            design=told["design"] or None,
        )
    units, was = found["terms"][term], before.get(term, {})
    return {"term": term, "units": units, "href": href, "was": {} if was == units else was}


def _behind(row: dict[str, object]) -> dict[str, object]:
    entry: dict[str, object] = row["entry"]  # type: ignore[assignment]  # as reconciling.behind says
    shown = present.event(entry, context.names())
    return {
        **row,
        "position": entry["position"],
        "step_word": shown["step_word"],
        "items": shown["items"],
    }


def _choices(kind: str) -> dict[str, list[tuple[str, str]]]:
    places = records.every(context.ledger(), "place")
    return {
        "kinds": [(kind, vocabulary.word("kind", kind)) for kind in kinds_counted()],
        "designs": [(one, one) for one in reconciling.designs(context.ledger(), kind)],
        "places": [(id_, one.get("name") or id_) for id_, one in places.items()],
    }
