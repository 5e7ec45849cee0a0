"""Pictures that events name: what a file really is, and a safe copy of it to look at.

The original is evidence: an event holds its SHA-256, so its bytes are kept as they came. No browser
gets them to show: a page shows a copy that was decoded and encoded again, without its metadata.
"""

from __future__ import annotations

import io
import warnings
from typing import NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

from custody.documents.errors import NotAPictureError, PictureTooLargeError

MOST_PIXELS = 50_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
QUALITY = 82
BROKEN = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError)


class Facts(NamedTuple):
    """`media` is the media type by content; the size is in pixels."""

    media: str
    width: int
    height: int


def check(data: bytes) -> Facts:
    """Say what a file is, after all of it was decoded once.

    Raises NotAPictureError, or PictureTooLargeError before anything too large is unpacked.
    """
    image = _open(data)
    _decoded(image)
    return Facts(Image.MIME[str(image.format)], image.width, image.height)


def rendition(data: bytes, edge: int) -> bytes:
    """Return a JPEG copy, upright, its longer edge at most `edge` pixels, with no metadata.

    Raises as `check` does.
    """
    image = _open(data)
    image.draft("RGB", (edge, edge))
    upright = ImageOps.exif_transpose(_decoded(image))
    small = _on_white(upright)
    small.thumbnail((edge, edge), Image.Resampling.LANCZOS)
    copy = io.BytesIO()
    small.save(copy, "JPEG", quality=QUALITY)
    return copy.getvalue()


def _open(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():  # the limit below is lower than the one Pillow warns of
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image: Image.Image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except BROKEN as error:
        raise _no_picture() from error
    if image.width * image.height > MOST_PIXELS:
        raise _too_large()
    return image


def _decoded(image: Image.Image) -> Image.Image:
    try:
        image.load()
    except BROKEN as error:
        raise _no_picture() from error
    return image


def _on_white(image: Image.Image) -> Image.Image:
    """The picture in colours and without transparency, which stands for white paper."""
    if image.has_transparency_data:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
        return paper.convert("RGB")
    return image.convert("RGB")


def _too_large() -> PictureTooLargeError:
    most = MOST_PIXELS // 1_000_000
    return PictureTooLargeError(
        f"The picture has more than {most} million pixels. Take it at a lower resolution.",
        "photo.too_many_pixels",
        most=most,
    )


def _no_picture() -> NotAPictureError:
    return NotAPictureError("This file is no JPEG, PNG or WebP picture that can be read.")
