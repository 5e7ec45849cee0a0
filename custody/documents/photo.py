"""Codes in an uploaded photo of a label, read by zbar through pyzbar."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image, ImageFilter, ImageOps, UnidentifiedImageError

from custody.documents import scans
from custody.documents.errors import (
    NoCodeFoundError,
    NotAPictureError,
    PictureTooLargeError,
    ZbarMissingError,
)

MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 50_000_000
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
_EDGE = 2_200
"""Pixels of the longer edge at which a picture is first read; larger ones only cost time."""
# The symbols that are looked for, with the AIM identifier that says what their text is.
_SYMBOLS = {
    "CODE128": "",
    "CODE39": "",
    "QRCODE": "",
    "I25": "",
    "EAN13": "]E0",
    "UPCA": "]E0",
    "EAN8": "]E4",
    "DATABAR": "]e0",
    "DATABAR_EXP": "]e0",
}
_HEIC = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1", b"ftypheim", b"ftypavif")

Decoder = Callable[[Image.Image], list[tuple[str, str]]]


def read(data: bytes) -> list[dict[str, Any]]:
    """Every code in the picture, each as `codes.parse` reads it, from the top left on.

    Turned, large, dim and slightly blurred pictures are tried in several ways. Raises
    PictureTooLargeError, NotAPictureError, NoCodeFoundError or ZbarMissingError, each with a
    sentence that says what to do.
    """
    find = zbar()
    image = _fitted(_open(data), _EDGE)
    found = [code for attempt in _plain(image) for code in find(attempt)]
    if not found:
        found = next(filter(None, map(find, _harder(image))), [])
    if found:
        return _unique([scans.read(symbol + text, {"sends_gs": True}) for symbol, text in found])
    raise NoCodeFoundError(
        "No code was found in the picture. Hold the camera straight above the label, fill most of "
        "the picture with it, avoid glare, keep the white edge around the code in sight, and try "
        "again. Or type the code that is printed under the bars."
    )


def zbar() -> Decoder:
    """The reader, loaded at first use so that everything else works without its library."""
    try:
        from pyzbar import pyzbar
    except (ImportError, OSError) as error:
        raise ZbarMissingError(
            "This server cannot read photos yet: the zbar library is missing. Install the package "
            "libzbar0 (Debian, Ubuntu), zbar (brew on macOS; Fedora) or the Visual C++ runtime "
            "vcredist2013 (choco on Windows), then try again. Scanning and typing work as before."
        ) from error

    def find(image: Image.Image) -> list[tuple[str, str]]:
        symbols = [kind for kind in pyzbar.ZBarSymbol if kind.name in _SYMBOLS]
        found = pyzbar.decode(image, symbols=symbols)
        found.sort(key=lambda one: (one.rect.top // 40, one.rect.left))
        return [(_SYMBOLS[one.type], one.data.decode("utf-8", "replace")) for one in found]

    return find


def _open(data: bytes) -> Image.Image:
    """The picture in grey, upright as its camera says, its size checked before it is unpacked."""
    if len(data) > MOST_BYTES:
        raise PictureTooLargeError(
            f"The picture has {len(data) / 1048576:.1f} MB; {MOST_BYTES // 1048576} MB at most are "
            "read. Take it at a lower resolution.",
            "photo.too_many_bytes",
            most=MOST_BYTES // 1048576,
        )
    if data[4:12] in _HEIC:
        raise NotAPictureError(
            "HEIC and AVIF pictures are not read. On an iPhone choose Settings, Camera, Formats, "
            "Most Compatible, then take the picture again; or save it as JPEG.",
            "photo.heic",
        )
    try:
        return _load(data)
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError) as error:
        raise NotAPictureError(
            "This file is no picture that can be read. Take a photo of the label, or choose a JPEG "
            "or PNG file."
        ) from error


def _load(data: bytes) -> Image.Image:
    with warnings.catch_warnings():  # the limit below is lower than the one that Pillow warns of
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        image: Image.Image = Image.open(io.BytesIO(data), formats=FORMATS)
    if image.width * image.height > MOST_PIXELS:
        raise _too_many_pixels()
    image.draft("L", (_EDGE, _EDGE))
    upright = ImageOps.exif_transpose(image)
    return ImageOps.grayscale(_on_white(upright))


def _too_many_pixels() -> PictureTooLargeError:
    return PictureTooLargeError(
        f"The picture has more than {MOST_PIXELS // 1_000_000} million pixels. "
        "Take it at a lower resolution.",
        "photo.too_many_pixels",
        most=MOST_PIXELS // 1_000_000,
    )


def _on_white(image: Image.Image) -> Image.Image:
    """The picture without transparency, which stands for white paper."""
    if "A" not in image.getbands() and "transparency" not in image.info:
        return image.convert("RGB") if image.mode == "P" else image
    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image.convert("RGBA"))
    return paper


def _plain(image: Image.Image) -> Iterator[Image.Image]:
    """The picture as it is, and framed in white with more contrast; all of these are read."""
    yield image
    yield _strong(image)


def _harder(image: Image.Image) -> Iterator[Image.Image]:
    """The picture sharper, larger, smaller, inverted and turned, until one of them is read.

    Low bars are read over a few degrees only, and both along and across the picture, so that turns
    of 15 degrees cover the circle.
    """
    strong = _strong(image)
    yield strong.filter(ImageFilter.UnsharpMask(2, 200, 2))
    if max(image.size) < 1_500:
        yield strong.resize((strong.width * 2, strong.height * 2), Image.Resampling.BICUBIC)
    yield _fitted(strong, 1_000)
    yield ImageOps.invert(strong)
    for angle in (15, -15, 30, -30, 45):
        yield strong.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def _strong(image: Image.Image) -> Image.Image:
    return ImageOps.autocontrast(ImageOps.expand(image, 40, 255), cutoff=2)


def _fitted(image: Image.Image, edge: int) -> Image.Image:
    smaller = image.copy()
    smaller.thumbnail((edge, edge), Image.Resampling.LANCZOS)
    return smaller


def _unique(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each code once: a label carries its code as bars and as QR."""
    seen: set[tuple[str, str, str]] = set()
    kept = []
    for result in results:
        key = (result["kind"], result["code"] or result["text"], result["gtin"])
        if key not in seen:
            seen.add(key)
            kept.append(result)
    return kept
