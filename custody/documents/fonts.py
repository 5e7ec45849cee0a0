"""The font of labels and forms: Noto Sans, for names in Latin, Greek and Cyrillic letters.

It comes as a package of its own under the SIL Open Font License. CUSTODY_FONT names another
TrueType file for a house whose people write in other scripts.
"""

from __future__ import annotations

import os
import unicodedata
from functools import cache
from pathlib import Path

import fontpkg_noto_sans
from PIL import ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from custody.documents.drawing import POINT
from custody.documents.errors import LabelTextError

NAME = "CustodyLabel"
SMALLEST = 6 * POINT
"""The smallest text on a label, in mm: six points, what a person reads at arm's length."""


def path() -> Path:
    """The TrueType file that labels are set in."""
    own = os.environ.get("CUSTODY_FONT")
    return Path(own) if own else fontpkg_noto_sans.ROOT / "files" / "NotoSans[wdth,wght].ttf"


@cache
def registered(file: Path) -> TTFont:
    """The font as reportlab knows it, once for each file."""
    try:
        font = TTFont(NAME, str(file))
    except (TTFError, OSError) as error:
        raise LabelTextError(f"{file} is no TrueType font that can be used: {error}") from error
    pdfmetrics.registerFont(font)
    return font


@cache
def raster(file: Path, pixels: int) -> ImageFont.FreeTypeFont:
    """The font for pictures at a size in pixels."""
    return ImageFont.truetype(str(file), pixels)


def clean(text: str) -> str:
    """The text as it is printed: composed letters, single blanks.

    Raises LabelTextError for a character that the font has no sign for.
    """
    text = " ".join(unicodedata.normalize("NFC", text).split())
    known = registered(path()).face.charToGlyph
    missing = [character for character in text if ord(character) not in known]
    if missing:
        raise LabelTextError(
            f"The label font has no sign for '{missing[0]}' in '{text}'. "
            "Name a TrueType font that has it in CUSTODY_FONT.",
            "label.no_sign",
            sign=missing[0],
            text=text,
        )
    return text


def width(text: str, size: float) -> float:
    """The width in mm of a text set at `size` mm."""
    registered(path())
    return float(pdfmetrics.stringWidth(text, NAME, size))


def wrap(text: str, size: float, room: float) -> list[str]:
    """The text in lines of at most `room` mm; a word longer than a line is broken."""
    lines: list[str] = []
    line = ""
    for word in clean(text).split(" "):
        longer = f"{line} {word}".strip()
        if width(longer, size) <= room:
            line = longer
            continue
        lines += [line] if line else []
        line = word
        while width(line, size) > room:
            cut = _longest(line, size, room)
            lines.append(line[:cut])
            line = line[cut:]
    return lines + ([line] if line else [])


def fit(text: str, room: float, lines: int, sizes: tuple[float, ...]) -> tuple[float, list[str]]:
    """The largest of `sizes` (mm, falling) at which the text takes no more than `lines` lines.

    Raises LabelTextError when even the smallest does not hold it: no text is cut.
    """
    for size in sizes:
        found = wrap(text, size, room)
        if len(found) <= lines:
            return size, found
    raise LabelTextError(
        f"'{text}' does not fit the label in {lines} lines of {room:.0f} mm at a legible size. "
        "Shorten it, or take a larger label.",
        "label.text_too_long",
        text=text,
    )


def _longest(text: str, size: float, room: float) -> int:
    cut = 1
    while cut < len(text) and width(text[: cut + 1], size) <= room:
        cut += 1
    return cut
