"""Discrepancy reports in two parts, as PDF: the original for the Commission, the duplicate for the
pit and then security (COMAR 36.05.02.13 H(1)-(2), K(3))."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from custody.documents import fonts, label_pdf
from custody.documents.drawing import POINT, Bars, Drawing, Line, Text
from custody.documents.errors import DocumentError
from custody.documents.symbols import bars

_EDGE = 18.0
_LINE = 5.2
_TEXT = 11 * POINT
_SMALL = 8 * POINT
_BOX = 20.0
_BAR = 0.25
_HEAD = 46.0
_FOOT = 16.0


@dataclass(frozen=True)
class Report:
    """What a discrepancy report says.

    `form` is dice, cards or tiles; `original` and `duplicate` are the codes of the two parts, which
    are items of their own. `lines` maps the names of reports.toml (`place`, `discovered_at`,
    `discovered_by`, `why`, `evidence`, `envelope`, `findings`, `told`, `reference`) to texts, times
    already in the site's own; a line without text is left to be written by hand. `signatures` maps
    its signers to name and time where they were given electronically.
    """

    form: str
    original: str
    duplicate: str
    site: str
    lines: dict[str, str] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)


LINES = (
    "place",
    "discovered_at",
    "discovered_by",
    "why",
    "evidence",
    "envelope",
    "findings",
    "told",
    "reference",
)


def pdf(report: Report, language: str = "en", paper: str = "letter") -> bytes:
    """Both parts, each on pages of its own, none of them to be scaled by the printer.

    Raises DocumentError for a form or paper that is none; a long text goes on over the page.
    """
    if report.form not in _book()["form"]:
        raise DocumentError(
            f"There is no discrepancy report of {report.form}.", "report.form", form=report.form
        )
    if paper not in label_pdf.SHEETS:
        raise DocumentError(
            f"Reports are printed on {', '.join(label_pdf.SHEETS)}.",
            "report.paper",
            papers=list(label_pdf.SHEETS),
        )
    title = _book()["form"][report.form]["title"][language]
    drawings = []
    for part, code in (("original", report.original), ("duplicate", report.duplicate)):
        drawings += _Part(report, part, code, language, paper).pages()
    return label_pdf.pages(drawings, f"{title} {report.original}")


@cache
def _book() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("reports.toml").read_text("utf-8"))


class _Part:
    """One part of a report, laid out from the top down over as many pages as it takes."""

    def __init__(self, report: Report, part: str, code: str, language: str, paper: str) -> None:
        self.report, self.part, self.code, self.language = report, part, code, language
        self.width, self.height = label_pdf.SHEETS[paper]
        self.made: list[Drawing] = []
        self.y = 0.0

    def pages(self) -> list[Drawing]:
        self._turn()
        for name in LINES:
            self._line(name)
        self._signers()
        for number, page in enumerate(self.made, 1):
            self._foot(page, number)
        return self.made

    def _say(self, table: str, name: str) -> str:
        return str(_book()[table][name][self.language])

    def _turn(self) -> None:
        """Begin a page with the title, the part and the code of the form."""
        page = Drawing(self.width, self.height)
        self.made.append(page)
        title = _book()["form"][self.report.form]["title"][self.language]
        page.add(Text(_EDGE, 22.0, title, 18 * POINT))
        page.add(Text(_EDGE, 29.0, self._say("part", self.part), _TEXT))
        page.add(Text(_EDGE, 36.0, fonts.clean(self.report.site), _TEXT))
        modules = bars(self.code)
        left = self.width - _EDGE - len(modules) * _BAR
        page.add(Bars(left, 14.0, 11.0, modules, _BAR))
        page.add(Text(left, 29.5, self.code, _TEXT))
        page.add(Line(_EDGE, 40.0, self.width - _EDGE, 40.0))
        self.y = _HEAD

    def _room(self, needed: float) -> None:
        if self.y + needed > self.height - _FOOT:
            self._turn()

    def _line(self, name: str) -> None:
        """A caption and its text, or an empty line to write on."""
        self._room(2 * _LINE + 2.0)
        self.made[-1].add(Text(_EDGE, self.y, self._say("line", name), _SMALL))
        wrapped = fonts.wrap(self.report.lines.get(name, ""), _TEXT, self.width - 2 * _EDGE) or [""]
        for text in wrapped:
            self._room(_LINE)
            self.y += _LINE
            if text:
                self.made[-1].add(Text(_EDGE, self.y, text, _TEXT))
        self.made[-1].add(Line(_EDGE, self.y + 1.6, self.width - _EDGE, self.y + 1.6, 0.15))
        self.y += 6.6

    def _signers(self) -> None:
        """Boxes two in a row, kept together on one page."""
        names = list(_book()["signer"])
        rows = (len(names) + 1) // 2
        self._room(rows * _BOX)
        room = (self.width - 2 * _EDGE - 4.0) / 2
        for index, name in enumerate(names):
            left = _EDGE + index % 2 * (room + 4.0)
            top = self.y + index // 2 * _BOX
            self._box(name, left, top, room)
        self.y += rows * _BOX

    def _box(self, name: str, left: float, top: float, room: float) -> None:
        page = self.made[-1]
        page.box(left, top, room, _BOX - 3.0)
        page.add(Text(left + 1.5, top + 3.6, self._say("signer", name), _SMALL))
        signed = self.report.signatures.get(name, "")
        size, lines = fonts.fit(signed, room - 3.0, 2, (_TEXT, _SMALL))
        for index, text in enumerate(reversed(lines)):
            page.add(Text(left + 1.5, top + _BOX - 4.6 - index * 4.6, text, size))

    def _foot(self, page: Drawing, number: int) -> None:
        words = {"page": number, "pages": len(self.made)}
        page.add(Text(_EDGE, self.height - 8.0, self._say("words", "page").format(**words), _SMALL))
        for clause in self._clauses():
            page.add(clause)

    def _clauses(self) -> Iterator[Text]:
        text = ", ".join(_book()["form"][self.report.form]["clauses"])
        if text:
            x = self.width - _EDGE - fonts.width(text, _SMALL)
            yield Text(x, self.height - 8.0, text, _SMALL)
