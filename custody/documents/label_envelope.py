"""The 102x76 and 102x152 mm labels of an envelope or container: what it holds, the code, the lines
that the clause asks for and a box for each signature."""

from __future__ import annotations

from custody.documents import fonts
from custody.documents.drawing import POINT, Bars, Drawing, Line, Squares, Text
from custody.documents.errors import LabelTextError
from custody.documents.label_spec import DRIFT, Label, bars_width, room_for_bars
from custody.documents.symbols import QR_QUIET, QUIET, squares

_TITLE = tuple(points * POINT for points in (16, 14, 12, 10, 9))
_TEXT = tuple(points * POINT for points in (10, 9, 8, 7, 6))
_CODE = 10 * POINT
_EDGE = DRIFT + 2
_LARGE = 100.0
"""Height from which a label has room for taller bars and lines."""


def draw(label: Label, drawing: Drawing) -> None:
    """Lay the label out from the top down. Raises LabelTooLongError or LabelTextError."""
    top = _title(label, drawing, 3.0)
    top = _symbols(label, drawing, top)
    top = _details(label, drawing, top)
    top = _fields(label, drawing, top)
    bottom = drawing.height - 5.5
    _signers(label, drawing, top, bottom)
    drawing.ruler(_EDGE, drawing.height - 2.8)
    _clauses(label, drawing)


def _title(label: Label, drawing: Drawing, top: float) -> float:
    if not label.title:
        return top
    size, lines = fonts.fit(label.title, drawing.width - 2 * _EDGE, 2, _TITLE)
    for line in lines:
        top += size * 1.1
        drawing.add(Text(_EDGE, top - size * 0.2, line, size))
    return top + 1.0


def _symbols(label: Label, drawing: Drawing, top: float) -> float:
    module = drawing.snap(0.375)
    modules = room_for_bars(label, module)
    left = DRIFT + QUIET * module
    high = 11.0 if drawing.height < _LARGE else 20.0
    drawing.add(Bars(left, top, high, modules, module))
    drawing.add(Text(left, top + high + 3.6, label.code, _CODE))
    _matrix(label, drawing, top, DRIFT + bars_width(modules, module), high + 5.4)
    return top + high + 5.4


def _matrix(label: Label, drawing: Drawing, top: float, used: float, high: float) -> None:
    """The QR code at the right of the bars, where there is room for one that can be read."""
    rows = squares(label.code)
    for wanted in (1.0, 0.75, 0.6, 0.5):
        module = drawing.snap(wanted)
        quiet = QR_QUIET * module
        side = len(rows) * module + 2 * quiet
        if side <= drawing.width - DRIFT - used and side <= high:
            left = drawing.width - DRIFT - side
            drawing.add(Squares(left + quiet, top + quiet, rows, module))
            return


def _details(label: Label, drawing: Drawing, top: float) -> float:
    if not label.details:
        return top
    lines = 1 if drawing.height < _LARGE else 6
    text = " · ".join(label.details)
    size, found = fonts.fit(text, drawing.width - 2 * _EDGE, lines, _TEXT)
    for line in found:
        top += size * 1.2
        drawing.add(Text(_EDGE, top - size * 0.25, line, size))
    return top + 0.6


def _fields(label: Label, drawing: Drawing, top: float) -> float:
    """Two fields in a row: a small caption, and its value or a line to write it on."""
    room = (drawing.width - 2 * _EDGE - 4.0) / 2
    high = 8.2 if drawing.height < _LARGE else 12.0
    for index, (caption, value) in enumerate(label.fields):
        left = _EDGE + (index % 2) * (room + 4.0)
        y = top + (index // 2) * high
        _captioned(drawing, left, y, room, caption)
        if value:
            size, lines = fonts.fit(value, room, 1, _TEXT)
            drawing.add(Text(left, y + high - 1.9, lines[0], size))
        drawing.add(Line(left, y + high - 0.9, left + room, y + high - 0.9, 0.2))
    return top + (len(label.fields) + 1) // 2 * high


def _captioned(drawing: Drawing, left: float, top: float, room: float, caption: str) -> None:
    size, lines = fonts.fit(caption, room, 1, (7 * POINT, fonts.SMALLEST))
    drawing.add(Text(left, top + 2.2, lines[0], size))


def _signers(label: Label, drawing: Drawing, top: float, bottom: float) -> None:
    """A box for each signature, at least 9 mm high, in rows of up to three."""
    if not label.signers:
        return
    rows = (len(label.signers) + 2) // 3
    columns = (len(label.signers) + rows - 1) // rows
    high = min((bottom - top - 1.0) / rows, 40.0)
    if high < 10.0:
        raise LabelTextError(
            f"{len(label.signers)} signatures do not fit {label.size} below the other lines. "
            "Take 102x152.",
            "label.too_many_signatures",
            count=len(label.signers),
            size=label.size,
        )
    room = (drawing.width - 2 * _EDGE - 2.0 * (columns - 1)) / columns
    for index, (caption, value) in enumerate(label.signers):
        left = _EDGE + index % columns * (room + 2.0)
        y = top + 1.0 + index // columns * high
        drawing.box(left, y, room, high - 1.5)
        _captioned(drawing, left + 0.8, y, room - 1.6, caption)
        _signed(drawing, left + 0.8, y + high - 1.5, room - 1.6, value)


def _signed(drawing: Drawing, left: float, bottom: float, room: float, value: str) -> None:
    """A signature given electronically, as text; nothing where it is to be signed by hand."""
    if value:
        size, lines = fonts.fit(value, room, 2, _TEXT)
        for index, line in enumerate(reversed(lines)):
            drawing.add(Text(left, bottom - 1.0 - index * size * 1.1, line, size))


def _clauses(label: Label, drawing: Drawing) -> None:
    if label.clauses:
        text = ", ".join(label.clauses)
        room = drawing.width - 2 * _EDGE - 34.0
        size, lines = fonts.fit(text, room, 2, (fonts.SMALLEST,))
        for index, line in enumerate(reversed(lines)):
            x = drawing.width - _EDGE - fonts.width(line, size)
            drawing.add(Text(x, drawing.height - 1.8 - index * 2.1, line, size))
