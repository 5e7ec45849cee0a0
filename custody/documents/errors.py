"""What can be wrong with a label or a photo. Each message says what would be right.

Each error also has the `code` of its sentence in the catalogue and the `values` that fill it in, so
that a page can say the same in Spanish.
"""

from __future__ import annotations

from typing import Any


class DocumentError(Exception):
    """A document cannot be made or read; the message is a sentence for the person who asked."""

    code = "document.wrong"

    def __init__(self, message: str, code: str = "", **values: Any) -> None:
        super().__init__(message)
        self.code = code or type(self).code
        self.values = values or {"text": message}


class LabelError(DocumentError):
    """A label cannot be printed as asked."""

    code = "label.wrong"


class LabelTooLongError(LabelError):
    """A code's bars do not fit the size; `fits` names the sizes that they fit, smallest first."""

    def __init__(self, code: str, size: str, needed: float, fits: list[str]) -> None:
        self.fits = fits
        way = f"It fits {' or '.join(fits)}." if fits else "It fits no label; use a shorter code."
        width = f"{needed:.1f}"
        message = f"{code} needs bars of {width} mm with quiet zones, too wide for {size}. {way}"
        name = "label.too_long" if fits else "label.too_long_for_all"
        super().__init__(message, name, text=code, width=width, size=size, fits=fits)


class LabelTextError(LabelError):
    """A text does not fit the label at a legible size, or the font lacks one of its characters."""


class SealOnLabelError(LabelError):
    """A text has the number of the envelope's own seal in it, which a label never prints."""

    code = "label.seal"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text} has the number of the envelope's seal in it, and a label never prints that. "
            "Give the envelope a code of its own and leave the seal's number out.",
            text=text,
        )


class PhotoError(DocumentError):
    """A photo of a label cannot be read."""


class NotAPictureError(PhotoError):
    """The upload is no picture in a format that is read."""

    code = "photo.not_a_picture"


class PictureTooLargeError(PhotoError):
    """The upload has too many bytes or pixels."""

    code = "photo.too_large"


class NoCodeFoundError(PhotoError):
    """The picture shows no code that can be read."""

    code = "photo.none_found"


class ZbarMissingError(PhotoError):
    """The library that reads codes in pictures is not installed on the server."""

    code = "photo.zbar_missing"


class TooManyRowsError(DocumentError):
    """A table has more rows than a sheet of a spreadsheet holds."""

    code = "table.too_many"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"A sheet holds {most} rows, and there are more. Ask for CSV, or for less.", most=most
        )
