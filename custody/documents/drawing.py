"""A label as marks in millimetres from its top left corner, before it becomes PDF, PNG or ZPL."""

from __future__ import annotations

from dataclasses import dataclass, field

POINT = 25.4 / 72


@dataclass(frozen=True)
class Bars:
    """Bars of a linear code: `modules` is a text of 1 (bar) and 0, each `module` mm wide."""

    x: float
    y: float
    height: float
    modules: str
    module: float


@dataclass(frozen=True)
class Squares:
    """A matrix code: rows of dark and light squares, `module` mm on a side."""

    x: float
    y: float
    rows: tuple[tuple[bool, ...], ...]
    module: float


@dataclass(frozen=True)
class Text:
    """One line of text from x on its baseline y; `size` is the font's size in mm."""

    x: float
    y: float
    text: str
    size: float


@dataclass(frozen=True)
class Line:
    """A straight line, level or upright; dashed for a die cut."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.25
    dashed: bool = False


Mark = Bars | Squares | Text | Line


@dataclass
class Drawing:
    """A label of `width` by `height` mm for `dpi` dots an inch or, for None, exact measures."""

    width: float
    height: float
    dpi: int | None = None
    marks: list[Mark] = field(default_factory=list)

    def add(self, mark: Mark) -> None:
        self.marks.append(mark)

    def snap(self, module: float) -> float:
        """A bar's width in mm once it is whole dots: 0.25 mm is 3 dots, 0.254 mm, at 300 dpi."""
        if self.dpi is None:
            return module
        return max(1, round(module * self.dpi / 25.4)) * 25.4 / self.dpi

    def box(self, x: float, y: float, width: float, height: float) -> None:
        for x1, y1, x2, y2 in (
            (x, y, x + width, y),
            (x, y + height, x + width, y + height),
            (x, y, x, y + height),
            (x + width, y, x + width, y + height),
        ):
            self.add(Line(x1, y1, x2, y2))

    def ruler(self, x: float, y: float, length: float = 20.0) -> None:
        """A mark to lay a ruler on: `length` mm from end tick to end tick, and what it measures."""
        self.add(Line(x, y, x + length, y))
        for end in (x, x + length):
            self.add(Line(end, y - 0.8, end, y + 0.8))
        self.add(Text(x + length + 0.8, y + 0.7, f"{length:.0f} mm", 6 * POINT))
