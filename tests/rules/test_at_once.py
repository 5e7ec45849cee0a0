"""What New York wants done at once is on people's lists from then on, and in no answer to `due`,
which has only deadlines with a period.
"""

from __future__ import annotations

import pytest

from custody.rulebooks import loader
from custody.rules import clock_text, clocks, core, rehearsal, script
from tests.rules.stories import files

NY = "NY-5322."


def at_once(story: str, item: str) -> set[str]:
    """Return the clauses that wanted something done with an item at once, while a story went on."""
    (path,) = files(story)
    lines = script.lines(path.read_text("utf-8"))
    scene = script.setting(lines)
    book = core.load(loader.rulebook(scene["regime"]), loader.site(scene))
    stage = rehearsal._stage(book, script.cast(book, scene))
    found: set[str] = set()
    for number, line in lines[1:]:
        rehearsal._line(stage, number, line)
        if "at" in line:
            now = clock_text.parse(book, line["at"]) + 1
            entries = clocks.due(book, stage["server"], [item], now)
            found |= {entry["clause"] for entry in entries if entry["at"] == entry["start"]}
    return found


@pytest.mark.parametrize(
    ("story", "item", "clause"),
    [
        ("ny-cards-examined", "NK-03", NY + "15-l.8"),
        ("ny-cards-examined", "NK-03", NY + "15-n-p2"),
        ("ny-cards-damaged", "NK-01", NY + "15-f-p3"),
        ("ny-cards-unsuitable", "NK-01", NY + "15-c.1"),
        ("ny-dice-tampering", "N5-01", NY + "13-e-p2"),
    ],
)
def test_what_is_to_be_done_at_once_stands_on_the_list(story: str, item: str, clause: str) -> None:
    assert clause in at_once(story, item)
