"""Badges and labels of the demonstration, to print and scan."""

from __future__ import annotations

from pathlib import Path

from custody.demo import story
from custody.demo.cast import PLACE_IDS, PLACES
from custody.demo.signons import SignOn
from custody.documents import labels
from custody.documents.label_spec import Label
from custody.rules import codes

FOLDER = "print"
CARD = "76x51"


def write(data: Path, signons: list[SignOn]) -> None:
    """Write ``print/badges.pdf``, ``places.pdf`` and ``sticks.pdf``, many labels to a sheet."""
    folder = data / FOLDER
    folder.mkdir(mode=0o700)
    for name, some in (
        ("badges", [Label(one.badge, CARD, one.name, (_words(one.job),)) for one in signons]),
        ("places", [_place(handle) for handle in PLACES]),
        ("sticks", [Label(code, "51x25", details=("dice 5 craps red",)) for code in _sticks()]),
    ):
        (folder / f"{name}.pdf").write_bytes(labels.render(some, "pdf", sheet="letter"))


def _place(handle: str) -> Label:
    entry = PLACES[handle]
    what = " ".join([_words(entry["type"]), _words(entry.get("game", ""))]).strip()
    return Label(PLACE_IDS[handle], CARD, entry["name"], (what,))


def _sticks() -> list[str]:
    return [codes.make("DS", number) for number in story.SPARE]


def _words(word: str) -> str:
    return word.replace("_", " ")
