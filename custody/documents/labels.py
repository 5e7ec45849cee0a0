"""Labels for items, places and envelopes, as PDF, PNG and ZPL in true millimetres."""

from __future__ import annotations

from collections.abc import Callable

from custody.documents import (
    label_envelope,
    label_item,
    label_pdf,
    label_place,
    label_png,
    label_zpl,
)
from custody.documents.drawing import Drawing
from custody.documents.errors import LabelError
from custody.documents.label_spec import DPI, Label, size_of
from custody.rules import codes

MOST = 5_000
"""Labels in one document."""
FORMATS = {"pdf": "application/pdf", "png": "image/png", "zpl": "text/plain; charset=us-ascii"}

MOST_IN_PICTURE = 100
"""Labels in one PNG, which is unpacked as a whole."""
_SIZES = {
    "PL": "76x51",
    "BD": "76x51",
    "EV": "102x76",
    "CN": "102x76",
    "BX": "102x76",
    "CS": "102x76",
}

_LAYOUTS: dict[str, Callable[[Label, Drawing], None]] = {
    "51x25": label_item.draw,
    "76x51": label_place.draw,
    "102x76": label_envelope.draw,
    "102x152": label_envelope.draw,
}


def draw(label: Label, dpi: int | None = None) -> Drawing:
    """The label laid out, its bars whole dots at `dpi` or, for None, exact millimetres.

    Raises LabelTooLongError for a code whose bars do not fit, LabelTextError for a text that does
    not, LabelError for a size or code that is none. Nothing is ever cut off.
    """
    if not codes.valid(label.code):
        raise LabelError(f"{label.code!r} is no code: 1 to 64 printable characters, no blanks.")
    size = size_of(label)
    drawing = Drawing(size.width, size.height, dpi)
    _LAYOUTS[size.name](label, drawing)
    return drawing


def render(labels: list[Label], form: str, dpi: int = 203, sheet: str | None = None) -> bytes:
    """The labels as one document: `form` is pdf, png or zpl.

    A PDF has a page of its own size for each label or, with `sheet` a4 or letter, as many to a page
    as fit. A PNG has them one below the other. `dpi` is 203 or 300 and counts for PNG and ZPL.
    """
    _require(labels, form, dpi, sheet)
    drawings = [draw(label, None if form == "pdf" else dpi) for label in labels]
    if form == "png":
        return label_png.png(drawings)
    if form == "zpl":
        return label_zpl.zpl(drawings)
    title = labels[0].code if len(labels) == 1 else f"{labels[0].code} - {labels[-1].code}"
    if sheet:
        return label_pdf.sheets(drawings, title, sheet)
    return label_pdf.pages(drawings, title)


def default_size(code: str) -> str:
    """The size for a code of ours by its prefix; 51x25 for any other."""
    return _SIZES.get(code[:2], "51x25") if code[2:3] == "-" else "51x25"


def _require(labels: list[Label], form: str, dpi: int, sheet: str | None) -> None:
    if not labels:
        raise LabelError("There is no code to print; name at least one.", "label.none")
    if form not in FORMATS:
        raise LabelError(f"Labels are made as {', '.join(FORMATS)}, not as {form}.")
    most = MOST_IN_PICTURE if form == "png" else MOST
    if len(labels) > most:
        raise LabelError(
            f"{len(labels)} labels are too many for one {form.upper()}; take {most} at most.",
            "label.too_many",
            count=len(labels),
            most=most,
        )
    if dpi not in DPI:
        raise LabelError(f"Labels are made for {' or '.join(map(str, DPI))} dpi, not {dpi}.")
    if sheet:
        _require_sheet(labels, form, sheet)


def _require_sheet(labels: list[Label], form: str, sheet: str) -> None:
    if form != "pdf" or sheet not in label_pdf.SHEETS:
        raise LabelError("Sheets are a PDF of a4 or letter.")
    if len({label.size for label in labels}) > 1:
        raise LabelError(
            "A sheet takes labels of one size. Print the sizes one after the other.",
            "label.mixed_sizes",
        )
