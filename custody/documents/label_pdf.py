"""Labels as PDF in true millimetres: one to a page for label printers, or many on a sheet."""

from __future__ import annotations

import io

from reportlab.pdfgen.canvas import Canvas

from custody.documents import fonts
from custody.documents.drawing import POINT, Bars, Drawing, Line, Squares, Text
from custody.documents.errors import LabelError

SHEETS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
_EDGE = 8.0
_GAP = 4.0


def pages(drawings: list[Drawing], title: str) -> bytes:
    """One page for each label, of exactly the label's size."""
    out = io.BytesIO()
    canvas = _canvas(out, title)
    for drawing in drawings:
        canvas.setPageSize((drawing.width / POINT, drawing.height / POINT))
        _draw(canvas, drawing, 0, drawing.height)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def sheets(drawings: list[Drawing], title: str, sheet: str) -> bytes:
    """As many labels on each sheet of paper as fit, with marks to cut along."""
    width, height = SHEETS[sheet]
    spots = _spots(drawings[0], width, height)
    if not spots:
        raise LabelError(f"A label of this size does not fit on {sheet}.")
    out = io.BytesIO()
    canvas = _canvas(out, title)
    for start in range(0, len(drawings), len(spots)):
        canvas.setPageSize((width / POINT, height / POINT))
        for (left, top), drawing in zip(spots, drawings[start : start + len(spots)], strict=False):
            _draw(canvas, drawing, left, height - top)
            _corners(canvas, drawing, left, height - top)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _canvas(out: io.BytesIO, title: str) -> Canvas:
    """A canvas that viewers are asked not to scale when they print."""
    fonts.registered(fonts.path())
    canvas = Canvas(out, invariant=1)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setTitle(title)
    return canvas


def _spots(drawing: Drawing, width: float, height: float) -> list[tuple[float, float]]:
    columns = int((width - 2 * _EDGE + _GAP) // (drawing.width + _GAP))
    rows = int((height - 2 * _EDGE + _GAP) // (drawing.height + _GAP))
    return [
        (_EDGE + column * (drawing.width + _GAP), _EDGE + row * (drawing.height + _GAP))
        for row in range(rows)
        for column in range(columns)
    ]


def _draw(canvas: Canvas, drawing: Drawing, left: float, top: float) -> None:
    """Draw with the label's top left corner at (left, top) mm; top counts from below."""
    canvas.saveState()
    canvas.scale(1 / POINT, 1 / POINT)
    canvas.translate(left, top)
    for mark in drawing.marks:
        if isinstance(mark, Bars):
            _bars(canvas, mark)
        elif isinstance(mark, Squares):
            _squares(canvas, mark)
        elif isinstance(mark, Text):
            canvas.setFont(fonts.NAME, mark.size)
            canvas.drawString(mark.x, -mark.y, mark.text)
        else:
            _line(canvas, mark)
    canvas.restoreState()


def _bars(canvas: Canvas, mark: Bars) -> None:
    """Neighbouring modules are drawn as one bar, so that no viewer shows a gap between them."""
    start = 0
    for index in range(1, len(mark.modules) + 1):
        if index == len(mark.modules) or mark.modules[index] != mark.modules[start]:
            if mark.modules[start] == "1":
                x, width = mark.x + start * mark.module, (index - start) * mark.module
                canvas.rect(x, -mark.y - mark.height, width, mark.height, stroke=0, fill=1)
            start = index


def _squares(canvas: Canvas, mark: Squares) -> None:
    for row, line in enumerate(mark.rows):
        for column, dark in enumerate(line):
            if dark:
                x, y = mark.x + column * mark.module, mark.y + (row + 1) * mark.module
                canvas.rect(x, -y, mark.module, mark.module, stroke=0, fill=1)


def _line(canvas: Canvas, mark: Line) -> None:
    canvas.setLineWidth(mark.width)
    canvas.setDash(2.0 if mark.dashed else [], 2.0 if mark.dashed else 0)
    canvas.line(mark.x1, -mark.y1, mark.x2, -mark.y2)


def _corners(canvas: Canvas, drawing: Drawing, left: float, top: float) -> None:
    canvas.saveState()
    canvas.scale(1 / POINT, 1 / POINT)
    canvas.setLineWidth(0.1)
    for x, away in ((left, -1), (left + drawing.width, 1)):
        for y, up in ((top, 1), (top - drawing.height, -1)):
            canvas.line(x + away * 0.5, y, x + away * 1.5, y)
            canvas.line(x, y + up * 0.5, x, y + up * 1.5)
    canvas.restoreState()
