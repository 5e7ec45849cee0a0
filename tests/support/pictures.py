"""Small pictures, made when asked for."""

from __future__ import annotations

import io
import zlib
from hashlib import sha256
from struct import pack

from PIL import Image


def picture(kind: str = "JPEG", size: tuple[int, int] = (60, 40), **how: object) -> bytes:
    """Return a picture of one colour with a darker half."""
    image = Image.new("RGB", size, (200, 180, 40))
    image.paste((20, 20, 90), (0, 0, size[0] // 2, size[1]))
    file = io.BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


def name_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def huge_png(width: int, height: int) -> bytes:
    """Return a PNG of few bytes that says it has these many pixels."""
    chunks = [(b"IHDR", pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))]
    chunks += [(b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    found = b"\x89PNG\r\n\x1a\n"
    for word, data in chunks:
        found += pack(">I", len(data)) + word + data + pack(">I", zlib.crc32(word + data))
    return found
