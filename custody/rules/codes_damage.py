"""Whether a text that is no code is one that a keyboard has garbled."""

try:
    from typing import Any
except ImportError:  # MicroPython has no typing and reads no annotations
    Any = object  # type: ignore[assignment,misc]

from .codes_issue import DIGITS, LENGTHS, check, resembles
from .codes_layout import explanations
from .codes_range import valid


def likely_layouts(text: str, plausible: bool, typed: Any) -> list[tuple[str, str, str, str]]:
    """What keyboards would explain the text, best first.

    A code of ours with its check letter always does. Where the text is no code as it stands, any
    code does, unless a person typed it, who may well type an accent in a search.
    """
    if plausible and len(text) not in LENGTHS:
        return []
    tried = explanations(text)
    found = [entry for entry in tried if check(entry[3])]
    if plausible:
        return found
    found.extend([entry for entry in tried if resembles(entry[3])])
    if not typed:
        found.extend([entry for entry in tried if valid(entry[3]) and _has_digit(entry[3])])
    return found


def _has_digit(text: str) -> bool:
    return any(character in DIGITS for character in text)
