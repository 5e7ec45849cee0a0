"""The server's door to `codes.parse`: the same function as on the handheld, with biip behind it.

biip knows the GS1 General Specifications and cannot run under MicroPython, so the handheld splits
element strings with `rules.gs1.split`. A test holds the two to the same answers.
"""

from typing import Any

from biip import ParseError
from biip.gs1_messages import GS1Message

from custody.rules import codes, gs1


def read(raw: str, layout: dict[str, Any] | None = None) -> dict[str, Any]:
    """What was scanned, typed, imported or decoded; see `codes.parse` for the result."""
    return codes.parse(raw, layout, biip_split)


def biip_split(message: str) -> list[tuple[str, str]]:
    """A GS1 element string as `(application identifier, value)` pairs, split by biip.

    Raises Gs1Error for what biip cannot read and for a value that runs on past its greatest length:
    biip reads on there as if a separator had stood in the middle of it.
    """
    try:
        parts = [GS1Message.parse(part) for part in message.split(gs1.GS) if part]
    except ParseError as error:
        raise gs1.Gs1Error("scan.gs1_unreadable", str(error)) from error
    pairs = [_pairs(part) for part in parts]
    return [pair for part in pairs for pair in part]


def _pairs(part: GS1Message) -> list[tuple[str, str]]:
    pairs = [(element.ai.ai, element.value) for element in part.element_strings]
    if any(element.ai.separator_required for element in part.element_strings[:-1]):
        raise gs1.Gs1Error("scan.gs1_unreadable", "a value is longer than its identifier allows")
    return pairs
