"""Text can be read: WCAG 2.2 AA, 1.4.3 and 1.4.11.

Computed from the very tokens that the pages use.
"""

import re
from pathlib import Path

import pytest

import custody

TOKENS = Path(custody.__file__).parent / "static" / "css" / "tokens.css"
PAIRS = [
    *[
        (ink, ground)
        for ink in ("ink", "ink-soft", "accent")
        for ground in ("paper", "surface", "sunken")
    ],
    *[(tone, f"{tone}-wash") for tone in ("bad", "warn", "good", "info", "accent")],
    *[
        (tone, ground)
        for tone in ("bad", "warn", "good", "info")
        for ground in ("paper", "surface")
    ],
    *[("ink", f"{tone}-wash") for tone in ("bad", "warn", "good", "info", "accent")],
    *[("ink-soft", f"{tone}-wash") for tone in ("bad", "accent")],
    *[
        (link, f"{tone}-wash")
        for link in ("accent", "accent-hover")
        for tone in ("bad", "warn", "good", "info")
    ],
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
]
EDGES = [(edge, ground) for edge in ("line-strong", "focus") for ground in ("paper", "surface")]


def _schemes() -> dict[str, dict[str, str]]:
    light, dark = TOKENS.read_text().split("@media (prefers-color-scheme: dark)")
    found = [dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6});", part)) for part in (light, dark)]
    return {"light": found[0], "dark": found[0] | found[1]}


def _luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_contrast_of_black_on_white_is_twenty_one() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21.0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(scheme: str, ink: str, ground: str) -> None:
    colours = _schemes()[scheme]
    assert contrast(colours[ink], colours[ground]) >= 4.5, f"{ink} on {ground} in {scheme}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("edge", "ground"), EDGES)
def test_edges_of_fields_and_focus_stand_out(scheme: str, edge: str, ground: str) -> None:
    colours = _schemes()[scheme]
    assert contrast(colours[edge], colours[ground]) >= 3, f"{edge} on {ground} in {scheme}"
