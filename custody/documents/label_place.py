"""The 76x51 mm label of a place: its name, the code as bars and as QR for a scan from afar."""

from __future__ import annotations

from custody.documents import fonts
from custody.documents.drawing import POINT, Bars, Drawing, Squares, Text
from custody.documents.label_spec import DRIFT, Label, bars_width, room_for_bars
from custody.documents.symbols import QR_QUIET, QUIET, squares

_TITLE = tuple(points * POINT for points in (20, 18, 16, 14, 12, 10, 9, 8))
_TEXT = tuple(points * POINT for points in (9, 8, 7, 6))
_CODE = 9 * POINT
_MATRIX = (1.0, 0.75, 0.5)
_EDGE = DRIFT + 2


def draw(label: Label, drawing: Drawing) -> None:
    """Lay the label out. Raises LabelTooLongError or LabelTextError when something does not fit."""
    module = drawing.snap(0.25)
    modules = room_for_bars(label, module)
    _title(label, drawing)
    drawing.add(Bars(DRIFT + QUIET * module, 20.0, 15.0, modules, module))
    drawing.add(Text(DRIFT + QUIET * module, 38.8, label.code, _CODE))
    used = DRIFT + bars_width(modules, module)
    right = _matrix(label, drawing, used)
    _details(label, drawing, right)
    drawing.ruler(_EDGE, drawing.height - 2.6)


def _title(label: Label, drawing: Drawing) -> None:
    if not label.title:
        return
    size, lines = fonts.fit(label.title, drawing.width - 2 * _EDGE, 2, _TITLE)
    size, lines = _tall_enough(label, drawing, size, lines)
    pitch = size * 1.15
    first = 2.0 + (15.0 - pitch * len(lines)) / 2 + size * 0.85
    for index, line in enumerate(lines):
        drawing.add(Text(_EDGE, first + index * pitch, line, size))


def _tall_enough(
    label: Label, drawing: Drawing, size: float, lines: list[str]
) -> tuple[float, list[str]]:
    """The same title small enough that its lines take no more than 15 mm."""
    if len(lines) * size * 1.15 <= 15.0:
        return size, lines
    smaller = tuple(other for other in _TITLE if other * 2.3 <= 15.0)
    return fonts.fit(label.title, drawing.width - 2 * _EDGE, 2, smaller)


def _matrix(label: Label, drawing: Drawing, used: float) -> float:
    """Draw the QR code at the right as large as there is room; the left end of what it takes."""
    rows = squares(label.code)
    for wanted in _MATRIX:
        module = drawing.snap(wanted)
        side = (len(rows) + 2 * QR_QUIET) * module
        if side <= drawing.width - DRIFT - used and side <= 32.0:
            left = drawing.width - DRIFT - side
            inner = QR_QUIET * module
            drawing.add(Squares(left + inner, 17.5 + inner, rows, module))
            return left
    return drawing.width - DRIFT


def _details(label: Label, drawing: Drawing, right: float) -> None:
    if label.details:
        room = right - _EDGE
        size, lines = fonts.fit(" · ".join(label.details), room, 2, _TEXT)
        for index, line in enumerate(lines):
            drawing.add(Text(_EDGE, 42.4 + index * size * 1.15, line, size))
