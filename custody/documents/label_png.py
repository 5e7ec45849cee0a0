"""A label as dots: what a label printer puts on paper, each bar a whole number of dots."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

from custody.documents import fonts
from custody.documents.drawing import Bars, Drawing, Line, Squares, Text


def bitmap(drawing: Drawing) -> Image.Image:
    """The drawing in black and white at its own dots an inch."""
    assert drawing.dpi is not None, "a picture needs its dots an inch"
    dots = _Dots(drawing.dpi)
    image = Image.new("1", (dots.of(drawing.width), dots.of(drawing.height)), 1)
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    for mark in drawing.marks:
        if isinstance(mark, Bars):
            _bars(pen, mark, dots)
        elif isinstance(mark, Squares):
            _squares(pen, mark, dots)
        elif isinstance(mark, Text):
            _text(pen, mark, dots)
        else:
            _line(pen, mark, dots)
    return image


def png(drawings: list[Drawing]) -> bytes:
    """The labels one below the other as a PNG that carries its dots an inch."""
    images = [bitmap(drawing) for drawing in drawings]
    strip = Image.new("1", (max(i.width for i in images), sum(i.height for i in images)), 1)
    top = 0
    for image in images:
        strip.paste(image, (0, top))
        top += image.height
    out = io.BytesIO()
    strip.save(out, "PNG", dpi=(drawings[0].dpi, drawings[0].dpi))
    return out.getvalue()


class _Dots:
    """Millimetres in dots."""

    def __init__(self, dpi: int) -> None:
        self.per_mm = dpi / 25.4

    def of(self, millimetres: float) -> int:
        return round(millimetres * self.per_mm)

    def pen(self, millimetres: float) -> int:
        return max(1, self.of(millimetres))


def _bars(pen: ImageDraw.ImageDraw, mark: Bars, dots: _Dots) -> None:
    step = dots.of(mark.module)
    left, top, bottom = dots.of(mark.x), dots.of(mark.y), dots.of(mark.y + mark.height) - 1
    for index, module in enumerate(mark.modules):
        if module == "1":
            x = left + index * step
            pen.rectangle((x, top, x + step - 1, bottom), fill=0)


def _squares(pen: ImageDraw.ImageDraw, mark: Squares, dots: _Dots) -> None:
    step = dots.of(mark.module)
    left, top = dots.of(mark.x), dots.of(mark.y)
    for row, line in enumerate(mark.rows):
        for column, dark in enumerate(line):
            if dark:
                x, y = left + column * step, top + row * step
                pen.rectangle((x, y, x + step - 1, y + step - 1), fill=0)


def _text(pen: ImageDraw.ImageDraw, mark: Text, dots: _Dots) -> None:
    font = fonts.raster(fonts.path(), dots.of(mark.size))
    pen.text((dots.of(mark.x), dots.of(mark.y)), mark.text, font=font, fill=0, anchor="ls")


def _line(pen: ImageDraw.ImageDraw, mark: Line, dots: _Dots) -> None:
    thick = dots.pen(mark.width)
    x1, y1 = dots.of(mark.x1) - thick // 2, dots.of(mark.y1) - thick // 2
    x2, y2 = dots.of(mark.x2) - thick // 2, dots.of(mark.y2) - thick // 2
    if not mark.dashed:
        pen.rectangle((x1, y1, x2 + thick - 1, y2 + thick - 1), fill=0)
        return
    dash = dots.of(2.0)
    for x in range(x1, x2, 2 * dash):
        pen.rectangle((x, y1, min(x + dash, x2) - 1, y1 + thick - 1), fill=0)
