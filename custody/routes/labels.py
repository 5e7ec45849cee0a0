"""Labels: new codes for a delivery, and labels for what is known, as PDF, PNG or ZPL."""

from typing import Any

from flask import Response, request

from custody.documents import envelopes, labels
from custody.documents.errors import LabelError
from custody.documents.label_spec import SIZES, Label
from custody.ledger import reserving
from custody.ledger.reading import finding
from custody.ledger.upstream.blocks import OutOfCodes
from custody.routes import context, guard, label_facts, present, render, rights, sentences
from custody.routes.words import language, words
from custody.rules import codes

blueprint = guard.desk_blueprint("labels", __name__, "/labels")
KINDS = (
    *(("dice", "stick"), ("cards", "deck"), ("tiles", "set"), ("coupons", "lot")),
    *(("envelope", "envelope"), ("envelope", "container"), ("form", "original")),
)
AUTOMATIC = ""
START = {"count": "24", "format": "pdf", "dpi": "203", "size": AUTOMATIC}


@blueprint.get("")
@guard.require(rights.LABELS)
def show() -> Response:
    """Show both forms; `codes` in the address fills the second one."""
    named = request.args.getlist("codes") + request.args.getlist("places")
    return _page({**START, "codes": "\n".join(named)}, {})


@blueprint.post("/reserve")
@guard.require(rights.LABELS)
def reserve() -> Response:
    """Reserve new codes and answer with their labels."""
    form = _form()
    prefix, count = form["prefix"], form["count"]
    if not count.isascii() or not count.isdigit() or not 1 <= int(count) <= reserving.MOST:
        return _page(form, {"count": words("labels.count_wrong")}, 422)
    wrong = _wrong(form)
    if wrong or prefix not in dict(_prefixes()):
        return _page(form, wrong or {"reserve": words("labels.prefix_wrong")}, 422)
    try:
        made = reserving.reserve(context.ledger(), prefix, int(count), context.by_me())
        return _document([Label(code, _size(form, code)) for code in made], form)
    except LabelError as error:
        return _page(form, {"reserve": sentences.document(error)}, 422)
    except OutOfCodes as error:
        told = words("upstream.out_of_codes", prefix=error.prefix, left=error.left)
        return _page(form, {"reserve": told}, 409)
    except reserving.LostCount:
        return _page(form, {"reserve": words("upstream.lost_count")}, 409)


@blueprint.post("/print")
@guard.require(rights.LABELS)
def print() -> Response:
    """Answer with the labels of codes that are known: items, envelopes, places."""
    form = _form()
    try:
        named = codes.expand_all(form["codes"].split())
        wrong = _wrong(form) or _wrong_codes(named)
        if wrong:
            return _page(form, wrong, 422)
        return _document([_label(code, form) for code in named], form)
    except codes.CodeError as error:
        return _page(form, {"codes": sentences.sentence(error.code, error.values)}, 422)
    except LabelError as error:
        return _page(form, {"codes": sentences.document(error)}, 422)


def _form() -> dict[str, str]:
    names = ("prefix", "count", "codes", "size", "format", "dpi")
    return {**START, **{name: request.form.get(name, "").strip() for name in names}}


def _wrong(form: dict[str, str]) -> dict[str, str]:
    if form["size"] not in ("", *SIZES):
        return {"size": words("labels.size_wrong")}
    if form["format"] not in labels.FORMATS:
        return {"format": words("labels.format_wrong")}
    return {} if form["dpi"] in ("203", "300") else {"dpi": words("labels.dpi_wrong")}


def _wrong_codes(named: list[str]) -> dict[str, str]:
    if not named:
        return {"codes": words("labels.none")}
    ledger = context.ledger()
    missing = [
        code for code in named if _find(code) is None and not reserving.is_reserved(ledger, code)
    ]
    return {"codes": words("labels.unknown", codes=", ".join(missing[:10]))} if missing else {}


def _find(code: str) -> dict[str, Any] | None:
    found = finding.exact(context.ledger(), code)
    return found if found and found["of"] != "seal" else None


def _label(code: str, form: dict[str, str]) -> Label:
    found = _find(code)
    value = found["value"] if found else {}
    if found and found["of"] == "place":
        return Label(
            code,
            form["size"] or "76x51",
            str(value.get("name") or code),
            (present.place_words(value, context.names()),),
        )
    if value.get("kind") == "envelope":
        return _envelope(code, value, form)
    details = (present.kind_words(value),) if value else ()  # reserved, and not received yet
    return Label(code, _size(form, code), details=details)


def _envelope(code: str, value: dict[str, Any], form: dict[str, str]) -> Label:
    """Make the label that the regime asks for; what is not known is left to be written by hand."""
    told = label_facts.of(value)
    return envelopes.label_for(
        {**value, "code": code, "kind_inside": told["kind_inside"]},
        str(context.site()["setting"].get("regime", "")),
        fields=told["fields"],
        signatures=told["signatures"],
        details=tuple(codes.compress(value.get("contents") or [])),
        language=language(),
        size=form["size"] or label_facts.SIZE,
    )


def _size(form: dict[str, str], code: str) -> str:
    return form["size"] or labels.default_size(code)


def _document(made: list[Label], form: dict[str, str]) -> Response:
    body = labels.render(made, form["format"], int(form["dpi"]))
    answer = Response(body, content_type=labels.FORMATS[form["format"]])
    answer.headers["Content-Disposition"] = f'attachment; filename="labels.{form["format"]}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _prefixes() -> list[tuple[str, str]]:
    """Return the prefixes of codes with the word of what they stand for."""
    named = [(codes.prefix_for(kind, form), kind, form) for kind, form in KINDS]
    return [
        (prefix, present.kind_words({"kind": kind, "form": form})) for prefix, kind, form in named
    ]


def _page(form: dict[str, str], wrong: dict[str, str], status: int = 200) -> Response:
    sizes = [(AUTOMATIC, words("labels.size_auto")), *((name, f"{name} mm") for name in SIZES)]
    formats = [(name, name.upper()) for name in labels.FORMATS]
    told: dict[str, Any] = {"form": form, "wrong": wrong, "prefixes": _prefixes()}
    told["left"] = reserving.left(context.ledger())
    return render.page("labels/show.html", status=status, sizes=sizes, formats=formats, **told)
