"""What scanners put around a code: control characters, blanks, affixes, the symbology."""

try:
    from typing import Any
except ImportError:  # MicroPython has no typing and reads no annotations
    Any = object  # type: ignore[assignment,misc]

from .gs1 import GS

_ALNUM = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BLANKS = " \xa0\ufeff\u200b"


def clean(raw: str, layout: dict[str, Any]) -> str:
    """The text without control characters and blanks at its ends and what the reader adds.

    `layout` is as for `codes.parse`. The reader's stand-in for the GS1 separator becomes the
    separator again; one at the start, the symbol's first FNC1, becomes `]C1`. Zeros stay.
    """
    text = _trim(raw)
    for affix in layout.get("prefix", []):
        if affix and text.startswith(affix):
            text = _trim(text[len(affix) :])
    for affix in layout.get("suffix", []):
        if affix and text.endswith(affix):
            text = _trim(text[: -len(affix)])
    if layout.get("gs"):
        text = text.replace(layout["gs"], GS)
    text = text.rstrip(GS)
    if text.startswith(GS):
        return "]C1" + text.lstrip(GS)
    return text


def symbology_of(text: str) -> tuple[str, str]:
    """The AIM symbology identifier (ISO/IEC 15424) without its bracket, and the text after it.

    `]C1010001234567890` is `("C1", "010001234567890")`; without an identifier, `("", text)`.
    """
    if len(text) > 2 and text[0] == "]" and text[1] in _ALNUM[10:] and text[2] in _ALNUM:
        return text[1:3], text[3:].lstrip(GS)
    return "", text


def words(text: str) -> list[str]:
    """The text cut at blanks and control characters (the GS1 separator is none of them)."""
    out = [""]
    for character in text:
        if _is_filler(character):
            out.append("")
        else:
            out[-1] += character
    return [word for word in out if word]


def _trim(text: str) -> str:
    start = 0
    end = len(text)
    while start < end and _is_filler(text[start]):
        start += 1
    while end > start and _is_filler(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_filler(character: str) -> bool:
    return character in _BLANKS or (character != GS and (character < " " or character == "\x7f"))
