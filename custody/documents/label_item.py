"""The 51x25 mm label of an item: the code twice, with a die cut between, so that the lower half can
be peeled off for the form or the log."""

from __future__ import annotations

from custody.documents import fonts
from custody.documents.drawing import POINT, Bars, Drawing, Line, Text
from custody.documents.label_spec import DRIFT, Label, bars_width, room_for_bars
from custody.documents.symbols import QUIET

_CODE = 7.5 * POINT
_SMALL = (6.5 * POINT, fonts.SMALLEST)
_HIGH = 6.2
_LOW = 4.6
"""Height of the bars above one line of details, and above two."""


def draw(label: Label, drawing: Drawing) -> None:
    """Lay the label out. Raises LabelTooLongError or LabelTextError when something does not fit."""
    half = drawing.height / 2
    size, lines = _details(label, drawing)
    _half(label, drawing, 0.8, _LOW if len(lines) > 1 else _HIGH)
    for index, line in enumerate(reversed(lines)):
        drawing.add(Text(DRIFT + 2, half - 0.75 - index * 2.15, line, size))
    drawing.add(Line(0, half, drawing.width, half, 0.15, dashed=True))
    _half(label, drawing, half + 1.0, _HIGH)
    drawing.ruler(DRIFT + 2, drawing.height - 1.6)


def _details(label: Label, drawing: Drawing) -> tuple[float, list[str]]:
    if not label.details:
        return fonts.SMALLEST, []
    text = " · ".join(label.details)
    room = drawing.width - 2 * (DRIFT + 2)
    if fonts.width(fonts.clean(text), fonts.SMALLEST) <= room:
        return fonts.fit(text, room, 1, _SMALL)
    return fonts.fit(text, room, 2, (fonts.SMALLEST,))


def _half(label: Label, drawing: Drawing, top: float, height: float) -> None:
    module = drawing.snap(0.25)
    modules = room_for_bars(label, module)
    left = (drawing.width - bars_width(modules, module)) / 2 + QUIET * module
    drawing.add(Bars(left, top, height, modules, module))
    start = (drawing.width - fonts.width(label.code, _CODE)) / 2
    drawing.add(Text(start, top + height + 2.15, label.code, _CODE))
