"""What is numbered beforehand, seals and forms: lots, what each number was used for, gaps, and
seals used twice.
"""

from typing import Any

from flask import Response, request

from custody.ledger.reading import seal_log, serial_lots
from custody.routes import context, guard, paging, present, render, rights, sentences, vocabulary

blueprint = guard.desk_blueprint("seals", __name__, "/seals")
Value = dict[str, Any]
KINDS = ("seals", "form")


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show the lots, what is wrong, and the seals applied, filtered by a part of the number."""
    opened, find = context.ledger(), request.args.get("find", "").strip()
    found = seal_log.applied(opened, paging.cut(), find)
    pages = paging.of(found, seal_log.count(opened, find))
    rows = [_applied(one) for one in found.rows]
    told: Value = {"rows": rows, "paging": pages, "find": find, "lots": [], "wrong": [], "gaps": 0}
    if not render.wants_part():
        told |= _lots()
        told["wrong"] = [_wrong(one) for one in seal_log.wrong(opened)]
    return render.page("seals/index.html", "seals/_applied.html", **told)


def _lots() -> Value:
    """Return the lots with their gaps, and how many gaps there are."""
    found = [one for kind in KINDS for one in serial_lots.every(context.ledger(), kind)]
    gaps = serial_lots.gaps(context.ledger(), [one["lot"]["code"] for one in found])
    made = [_lot(one, gaps[one["lot"]["code"]]) for one in found]
    return {"lots": made, "gaps": sum(map(len, gaps.values()))}


def _lot(one: Value, gaps: list[str]) -> Value:
    lot = one["lot"]
    states = {vocabulary.word("state", state): n for state, n in sorted(one["states"].items())}
    return {
        "code": lot["code"],
        "kind": lot["kind"],
        "kind_word": vocabulary.word("kind", lot["kind"]),
        "attributes": lot["attributes"],
        "states": states,
        "size": sum(one["states"].values()),
        "gaps": gaps,
        "ranges": [_range(part) for part in one["ranges"]],
        "disputed": lot.get("disputed") or any(part.get("disputed") for part in one["ranges"]),
    }


def _range(part: Value) -> Value:
    void = part.get("void") or {}
    state = vocabulary.word("state", part["state"])
    used = {"seals": part.get("on"), "form": f"{part['code']}/original"}[part["kind"]]
    reason = void.get("reason") or ""
    return {
        **part,
        "state_word": state,
        "reason": reason,
        "used": used if part.get("on") else None,
    }


def _applied(one: Value) -> Value:
    envelopes = [{**value, "words": present.kind_words(value)} for value in one["envelopes"]]
    return {**one, "envelopes": envelopes}


def _wrong(one: Value) -> Value:
    return {**present.exception(one, context.names()), "text": sentences.exception(one)}


@blueprint.get("/lots/<code>")
@guard.require(rights.LOOK)
def lot(code: str) -> Response:
    """Show one lot: its ranges as they are now, and what each number was used for."""
    found = serial_lots.one(context.ledger(), KINDS, code)
    gaps = serial_lots.gaps(context.ledger(), [code])[code]
    return render.page("seals/lot.html", lot=_lot(found, gaps))
