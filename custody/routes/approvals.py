"""The register of approvals: what runs against what the regulator approved."""

import hashlib
from typing import Any

from flask import Response, flash, request, url_for

from custody.ledger import approvals, editions, overlays
from custody.ledger.approvals import ApprovalError
from custody.ledger.cache import Cache
from custody.ledger.overlays import OverlayRefused
from custody.ledger.reading import approving, records
from custody.ledger.upstream import joining
from custody.routes import context, guard, render, rights, vocabulary
from custody.routes.missing import Missing
from custody.routes.words import words
from custody.rulebooks.choices import open_words

blueprint = guard.desk_blueprint("approvals", __name__, "/approvals")
PARTS = (
    ("controls", approvals.CONTROL),
    ("places", approvals.PLACE),
    ("rules", approvals.RULE),
)
FORM = ("clause", "reference", "approved_on", "in_force", "expires", "document", "note")


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show every choice, area and procedure that a regulator approves, and on what each rests."""
    return _index()


@blueprint.post("/overlay")
@guard.require(rights.APPROVALS)
def overlay() -> Response:
    """Load the operator's overlay; a mistake is 422 and changes nothing."""
    file = request.files.get("file")
    if file is None or not file.filename:
        return _index(words("approvals.overlay_missing"), 422)
    try:
        text = file.read().decode("utf-8")
        overlays.load(context.ledger(), file.filename, text, context.by_me())
    except (OverlayRefused, UnicodeDecodeError) as error:
        return _index(str(error), 422)
    flash(words("approvals.overlay_loaded", book=_book()), "good")
    return render.see_other("approvals.index")


@blueprint.get("/<of>/<path:subject>")
@guard.require(rights.LOOK)
def show(of: str, subject: str) -> Response:
    """Show one subject with its entries, and the form for another one."""
    return _show(of, subject, {}, {})


@blueprint.post("/<of>/<path:subject>")
@guard.require(rights.APPROVALS)
def enter(of: str, subject: str) -> Response:
    """Enter an approval, or end one; a mistake is 422 and keeps what was typed."""
    row = _known(of, subject)
    form = {name: request.form.get(name, "").strip() for name in (*FORM, "value")}
    try:
        if request.form.get("end"):
            last = request.form.get("last", "")
            approvals.end(context.ledger(), request.form["end"], last, context.by_me())
        else:
            given = {**form, "of": of, "subject": subject, "value": _value(row, form["value"])}
            given["document"] = _hash() or form["document"]
            approvals.enter(context.ledger(), given, context.by_me())
    except ApprovalError as error:
        return _show(of, subject, form, {error.field: str(error)}, 422)
    flash(words("approvals.ended" if request.form.get("end") else "approvals.saved"), "good")
    return render.see_other("approvals.show", of=of, subject=subject)


def _hash() -> str:
    """Return the SHA-256 of the document that came with the form; "" for none."""
    file = request.files.get("file")
    content = file.read() if file is not None and file.filename else b""
    return hashlib.sha256(content).hexdigest() if content else ""


def _value(row: dict[str, Any], typed: str) -> Any:
    """Return a control's value as the rulebook types it: a word, a list, a whole number."""
    control = row.get("control")
    if control is None:
        return None
    if "words" in control:
        return typed
    if isinstance(control.get("absent"), list):
        return [one.strip() for one in typed.split(",") if one.strip()]
    return int(typed) if typed.isascii() and typed.isdigit() else typed


def _index(wrong: str = "", status: int = 200) -> Response:
    standing = approving.standing(context.ledger())
    parts = [(name, [_row(of, row) for row in standing[name]]) for name, of in PARTS]
    loaded = [
        words("approvals.in_use", id=id_, day=one["said"]["in_force"])
        for id_, one in records.every(context.ledger(), overlays.OVERLAY).items()
    ]
    told: dict[str, Any] = {"parts_": parts, "book": _book(), "loaded": loaded, "wrong": wrong}
    told["edition"] = _edition()
    return render.page("approvals/index.html", status=status, **told)


def _edition() -> str:
    """Say that this server brings another edition of the rulebook; "" where it does not, and at a
    site node, which takes its upstream's.
    """
    with context.ledger().database.reading() as connection:
        is_node = joining.read(connection) is not None
        stands = editions.standing(Cache(connection))
    if stands.is_same or is_node:
        return ""
    return words("approvals.edition_text", kept=stands.kept, brought=stands.brought)


def _book() -> str:
    with context.ledger().database.reading() as connection:
        site = records.get(connection, "setting", "site") or {}
    return str(site.get("rulebook"))


def _show(
    of: str, subject: str, form: dict[str, Any], wrong: dict[str, str], status: int = 200
) -> Response:
    row = _known(of, subject)
    entries = [
        {"id": id_, **one, "said": _said(of, one["value"])}
        for id_, one in records.every(context.ledger(), "approval").items()
        if (one["of"], one["subject"]) == (of, subject)
    ]
    other = next((text for field, text in wrong.items() if field not in (*FORM, "value")), "")
    told: dict[str, Any] = {
        "clauses": [(one, one) for one in row["clauses"]],
        "row": row,
        "entries": entries,
        "form": form,
        "wrong": {**wrong, "all": other},
    }
    told["endable"] = [(one["id"], f"{one['reference']}, {one['in_force']}") for one in entries]
    action = url_for("approvals.enter", of=of, subject=subject)
    return render.page("approvals/show.html", status=status, action=action, **told)


def _known(of: str, subject: str) -> dict[str, Any]:
    """Return one row of the register. Raises Missing."""
    standing = approving.standing(context.ledger())
    names = [name for name, one in PARTS if one == of]
    rows = [row for name in names for row in standing[name] if row["subject"] == subject]
    if not rows:
        raise Missing(words("approvals.unknown", id=subject))
    return {**_row(of, rows[0]), **_choice(of, subject)}


def _choice(of: str, subject: str) -> dict[str, Any]:
    """Return a control with what may be chosen; {} for what has no value."""
    if of != approvals.CONTROL:
        return {}
    with context.ledger().database.reading() as connection:
        rulebook = records.get(connection, "rulebook", _book()) or {}
    control = rulebook["control"][subject]
    if "words" in control:
        choices = [(one, _said(of, one)) for one in control["words"]]
        return {"control": control, "choices": choices}
    if isinstance(control.get("absent"), list):
        hint = words("approvals.values_hint", words=", ".join(open_words(rulebook, subject)))
    elif "most" in control:
        hint = words("approvals.number_most", most=control["most"])
    else:
        hint = words("approvals.number_hint")
    return {"control": control, "hint": hint}


def _row(of: str, row: dict[str, Any]) -> dict[str, Any]:
    group = {approvals.CONTROL: "control", approvals.RULE: "approval"}.get(of)
    name = (
        vocabulary.word(group, row["subject"]) if group else context.names().place(row["subject"])
    )
    tone = {approving.APPROVED: "good", approving.LAPSED: "bad"}.get(row["basis"], "")
    return {**row, "of": of, "name": name, "said": _said(of, row["runs"]), "tone": tone,
            "why": _why(row)}  # fmt: skip


def _said(of: str, value: Any) -> str:
    """Return a value in words."""
    if of == approvals.PLACE and value is not None:
        return words("approvals.approve" if value else "approvals.not_approved")
    if of == approvals.RULE or value is None:
        return words("approvals.as_written")
    if isinstance(value, list):
        named = [vocabulary.word("word", one) for one in value] or [words("words.none")]
        return ", ".join(named).capitalize()
    return vocabulary.word("choice", value)


def _why(row: dict[str, Any]) -> str:
    """Return on what a row rests, in a sentence."""
    entry = row["entry"]
    if entry is None:
        return words(f"approvals.{row['basis']}_text")
    if row["basis"] == approving.LAPSED:
        return words("approvals.lapsed_text", reference=entry["reference"], until=entry["expires"])
    told = words("approvals.approved_text", reference=entry["reference"],
                 approved=entry["approved_on"], since=entry["in_force"])  # fmt: skip
    last = entry.get("expires")
    return f"{told}, {words('approvals.until', day=last)}" if last else told
