"""Labels in ZPL II. Each is sent as its dots (`^GFA`), so that the printer prints exactly what the
PNG shows: no font of the printer's is needed, and names in any script come out the same."""

from __future__ import annotations

import itertools

from custody.documents.drawing import Drawing
from custody.documents.label_png import bitmap

_MOST = 60_000
"""Bytes of one field; ^GF takes 99,999 at most."""


def zpl(drawings: list[Drawing]) -> bytes:
    """One ^XA...^XZ for each label."""
    return "".join(_label(drawing) for drawing in drawings).encode("ascii")


def _label(drawing: Drawing) -> str:
    image = bitmap(drawing)
    stride = (image.width + 7) // 8
    rows = _rows(image.tobytes(), stride)
    deep = _MOST // stride
    fields = [_field(top, stride, rows[top : top + deep]) for top in range(0, image.height, deep)]
    head = f"^XA\n^PW{image.width}\n^LL{image.height}\n^LH0,0\n"
    return head + "".join(fields) + "^XZ\n"


def _rows(data: bytes, stride: int) -> list[bytes]:
    """The rows with ink as 1; Pillow has paper as 1 and pads with 0."""
    rows = [data[start : start + stride] for start in range(0, len(data), stride)]
    return [bytes(byte ^ 0xFF for byte in row) for row in rows]


def _field(top: int, stride: int, rows: list[bytes]) -> str:
    size = stride * len(rows)
    data = []
    before = ""
    for row in rows:
        text = row.hex().upper()
        data.append(":" if text == before else _squeeze(text))
        before = text
    return f"^FO0,{top}^GFA,{size},{size},{stride},{''.join(data)}^FS\n"


def _squeeze(text: str) -> str:
    """A row in ZPL's run lengths: G to Y for 1 to 19, g to z for 20 to 400, a comma for zeros."""
    body = text.rstrip("0")
    if len(body) < len(text):
        return "".join(_run(digit, len(list(run))) for digit, run in itertools.groupby(body)) + ","
    return "".join(_run(digit, len(list(run))) for digit, run in itertools.groupby(text))


def _run(digit: str, length: int) -> str:
    out = ""
    while length > 400:
        out += "z" + digit
        length -= 400
    if length < 3:
        return out + digit * length
    tens, units = divmod(length, 20)
    out += chr(ord("g") + tens - 1) if tens else ""
    out += chr(ord("G") + units - 1) if units else ""
    return out + digit
