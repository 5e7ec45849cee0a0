"""How the tests read what was printed: zbar for codes, a small ZPL reader, PDF as a picture."""

from __future__ import annotations

import io
import re

import pypdfium2
from PIL import Image, ImageOps
from pyzbar import pyzbar

KINDS = [pyzbar.ZBarSymbol.CODE128, pyzbar.ZBarSymbol.QRCODE]


def codes_in(image: Image.Image) -> list[tuple[str, str]]:
    """Each code in the picture, as a camera sees it with white around the label."""
    framed = ImageOps.expand(image.convert("L"), 40, 255)
    return sorted({(one.type, one.data.decode()) for one in pyzbar.decode(framed, KINDS)})


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("L")


def pages(pdf: bytes, dpi: float) -> list[Image.Image]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.render(scale=dpi / 72).to_pil().convert("L") for page in document]
    finally:
        document.close()


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in mm."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [tuple(side * 25.4 / 72 for side in page.get_size()) for page in document]
    finally:
        document.close()


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def runs(line: list[bool]) -> list[tuple[int, int, bool]]:
    """A row of pixels as (start, length, dark) runs."""
    out = []
    start = 0
    for index in range(1, len(line) + 1):
        if index == len(line) or line[index] != line[start]:
            out.append((start, index - start, line[start]))
            start = index
    return out


def row(image: Image.Image, y: int) -> list[bool]:
    return [image.getpixel((x, y)) < 128 for x in range(image.width)]


def zpl_pictures(data: bytes) -> list[Image.Image]:
    """What a printer would print of ZPL that uses ^PW, ^LL, ^FO and ^GFA only."""
    return [_label(text) for text in re.findall(r"\^XA(.*?)\^XZ", data.decode("ascii"), re.S)]


def _label(text: str) -> Image.Image:
    width = int(re.search(r"\^PW(\d+)", text)[1])
    height = int(re.search(r"\^LL(\d+)", text)[1])
    paper = Image.new("L", (width, height), 255)
    pattern = r"\^FO(\d+),(\d+)\^GFA,(\d+),(\d+),(\d+),([^^]*)\^FS"
    for x, y, size, total, stride, graphic in re.findall(pattern, text):
        assert int(size) == int(total) <= 99_999
        rows = _graphic(graphic, int(stride))
        assert len(rows) * int(stride) == int(size)
        bits = Image.frombytes("1", (int(stride) * 8, len(rows)), b"".join(rows))
        paper.paste(0, (int(x), int(y)), bits.convert("L"))
    return paper


def _graphic(text: str, stride: int) -> list[bytes]:
    """Rows of the graphic; see "Alternative Data Compression Scheme" in the ZPL II guide."""
    rows: list[bytes] = []
    line, times = "", 0
    for character in text:
        if "G" <= character <= "Y":
            times += ord(character) - ord("G") + 1
        elif "g" <= character <= "z":
            times += (ord(character) - ord("g") + 1) * 20
        elif character == ":":
            rows.append(rows[-1])
        else:
            line += {",": "0", "!": "F"}.get(character, character) * (
                stride * 2 - len(line) if character in ",!" else times or 1
            )
            times = 0
            if len(line) >= stride * 2:
                rows.append(bytes.fromhex(line[: stride * 2]))
                line = line[stride * 2 :]
    assert line == ""
    return rows
