"""What can be wrong with a label or a photo. Each message says what would be right."""

from __future__ import annotations


class DocumentError(Exception):
    """A document cannot be made or read; the message is a sentence for the person who asked."""


class LabelError(DocumentError):
    """A label cannot be printed as asked."""


class LabelTooLongError(LabelError):
    """A code's bars do not fit the size; `fits` names the sizes that they fit, smallest first."""

    def __init__(self, code: str, size: str, needed: float, fits: list[str]) -> None:
        self.code, self.size, self.needed, self.fits = code, size, needed, fits
        way = f"It fits {' or '.join(fits)}." if fits else "It fits no label; use a shorter code."
        super().__init__(
            f"{code} needs bars of {needed:.1f} mm with quiet zones, too wide for {size}. {way}"
        )


class LabelTextError(LabelError):
    """A text does not fit the label at a legible size, or the font lacks one of its characters."""


class SealOnLabelError(LabelError):
    """The code is the number of the envelope's own seal, which a label never prints."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(
            f"{code} is the number of the envelope's seal, and a label never prints it. "
            "Give the envelope a code of its own and print that."
        )


class PhotoError(DocumentError):
    """A photo of a label cannot be read."""


class NotAPictureError(PhotoError):
    """The upload is no picture in a format that is read."""


class PictureTooLargeError(PhotoError):
    """The upload has too many bytes or pixels."""


class NoCodeFoundError(PhotoError):
    """The picture shows no code that can be read."""


class ZbarMissingError(PhotoError):
    """The library that reads codes in pictures is not installed on the server."""
