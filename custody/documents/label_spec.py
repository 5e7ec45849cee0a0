"""What a label says and how large it is, before it is laid out."""

from __future__ import annotations

from dataclasses import dataclass

from custody.documents.errors import LabelError, LabelTooLongError
from custody.documents.symbols import QUIET, bars

DRIFT = 1.0
"""Millimetres at each side that a printer may be out by; no quiet zone counts on them."""


@dataclass(frozen=True)
class Size:
    """A label stock: width and height in mm and the width of its narrowest bar in mm."""

    name: str
    width: float
    height: float
    bar: float


SIZES = {
    size.name: size
    for size in (
        Size("51x25", 51.0, 25.0, 0.25),
        Size("76x51", 76.0, 51.0, 0.25),
        Size("102x76", 102.0, 76.0, 0.375),
        Size("102x152", 102.0, 152.0, 0.375),
    )
}
DPI = (203, 300)


@dataclass(frozen=True)
class Label:
    """The contents of one label; the number of a seal has no place in it.

    `title` is a place's name or what an envelope holds; `details` are lines of text; `fields` and
    `signers` are pairs of caption and value, an empty value being left to be written by hand;
    `clauses` are the clause ids that ask for the label.
    """

    code: str
    size: str
    title: str = ""
    details: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    signers: tuple[tuple[str, str], ...] = ()
    clauses: tuple[str, ...] = ()


def size_of(label: Label) -> Size:
    """The size that the label names; raises LabelError for a name that is none."""
    if label.size not in SIZES:
        raise LabelError(f"There is no label size {label.size}; take {', '.join(SIZES)}.")
    return SIZES[label.size]


def bars_width(modules: str, module: float) -> float:
    """Millimetres that the bars take with a quiet zone on both sides."""
    return (len(modules) + 2 * QUIET) * module


def room_for_bars(label: Label, module: float) -> str:
    """The bars of the label's code, known to fit its size at this width of the narrowest bar.

    Raises LabelTooLongError with the sizes that would fit; bars are never cut or narrowed.
    """
    size = size_of(label)
    modules = bars(label.code)
    needed = bars_width(modules, module)
    if needed > size.width - 2 * DRIFT:
        raise LabelTooLongError(label.code, size.name, needed, _fitting(modules))
    return modules


def _fitting(modules: str) -> list[str]:
    return [
        size.name
        for size in SIZES.values()
        if bars_width(modules, size.bar) <= size.width - 2 * DRIFT
    ]
