"""What an overlay adds to the forms: checklist lines, fields, and who counts as management."""

from __future__ import annotations

import re
from typing import Any

import pytest

from custody.rulebooks import loader, overlay
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.overlay_merge import choices, merge
from custody.rules import core, memory

HEAD = """\
id = "harbor"
regime = "{regime}"
version = "1"
in_force = 2026-12-05
reference = "IC-2026-014"
approved_on = 2026-11-20
"""
ADDS = (
    HEAD.format(regime="MD")
    + """
[[field]]
step = "inspect"
name = "lamp_used"
type = "word"
words = ["desk", "hand"]
label = { en = "Lamp used", es = "Lámpara usada" }

[[rule]]
step = "inspect"
when.kind = "dice"
house = "Dice are looked at under a lamp, and what was seen is written down."
fields = [{ name = "lamp_used", required = true }, { name = "findings", required = true }]
checklist = [{ line = "Each die was held against the lamp" }]
"""
)
BEFORE, AFTER = 1796400000000, 1796490000000  # 2026-12-04 and 2026-12-05, in the afternoon


def read(text: str, regime: str = "MD") -> overlay.Overlay:
    return overlay.read("operator.toml", text, loader.rulebook(regime))


def book_of(text: str, regime: str = "MD", **controls: Any) -> dict[str, Any]:
    said = read(text, regime).said
    rulebook = merge(loader.rulebook(regime), [("harbor@1", said)])
    site = loader.site(
        {
            "regime": regime,
            "zone": "America/New_York",
            "day_starts": "06:00",
            "controls": {**choices(said), **controls},
        }
    )
    return dict(core.load(rulebook, site))


def look(book: dict[str, Any], at: int, **fields: Any) -> tuple[Any, dict[str, Any]]:
    """Return the facts of one stick at a table, and the draft of its inspection."""
    facts = memory.new(book)
    facts.put("person", "fay", {"job": "floorperson"})
    facts.put("person", "dee", {"job": "dealer"})
    facts.put("place", "CR1", {"type": "table", "game": "craps", "pit": "pit1"})
    stick: dict[str, Any] = {"code": "D5-1", "kind": "dice", "form": "stick", "state": "issued"}
    stick |= {"place": "CR1", "in": None, "holder": None, "pieces": 5, "times": {}}
    facts.put("item", "D5-1", {**stick, "attributes": {"size": 5, "games": ["craps"]}})
    four = ["micrometer", "balancing_caliper", "steel_square", "magnet"]
    said = {"when": "before_play", "instruments": four, "result": "pass", **fields}
    draft = {"step": "inspect", "items": ["D5-1"], "by": ["fay", "dee"], "at": at, "with": said}
    return facts, draft


def missing(book: dict[str, Any], at: int, **fields: Any) -> list[str]:
    facts, draft = look(book, at, **fields)
    reasons = core.judge(book, facts, draft)["reasons"]
    return [one["values"]["field"] for one in reasons if one["code"] == "field-missing"]


def test_a_field_of_an_overlay_is_asked_for_from_its_first_day_on() -> None:
    book = book_of(ADDS, dice_inspection="alternative_1")
    assert missing(book, BEFORE) == []
    assert missing(book, AFTER) == ["findings", "lamp_used"]
    assert missing(book, AFTER, findings="none", lamp_used="desk") == []
    facts, draft = look(book, AFTER, findings="none", lamp_used="torch")
    (wrong,) = core.judge(book, facts, draft)["reasons"]
    assert (wrong["code"], wrong["values"]["allowed"]) == ("field-word", ["desk", "hand"])


def test_its_fields_and_lines_stand_on_the_form_in_the_operators_words() -> None:
    book = book_of(ADDS, dice_inspection="alternative_1")
    facts, draft = look(book, AFTER)
    form = core.form(book, facts, draft)
    fields = {one["name"]: one for one in form["fields"]}
    assert fields["lamp_used"]["options"] == ["desk", "hand"]
    assert fields["lamp_used"]["label"] == {"en": "Lamp used", "es": "Lámpara usada"}
    assert fields["findings"]["required"]
    lines = [one["line"] for one in form["clauses"]]
    assert "Each die was held against the lamp" in lines
    facts, draft = look(book, BEFORE)
    before = core.form(book, facts, draft)
    assert "Each die was held against the lamp" not in [one["line"] for one in before["clauses"]]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('step = "inspect"\nname', 'step = "inspekt"\nname', "step cannot be 'inspekt'"),
        ('"lamp_used"\ntype', '"findings"\ntype', "inspect has the field 'findings' already"),
        ('"lamp_used"\ntype', '"Lamp used"\ntype', "a field's name is like lamp_used"),
        ('type = "word"', 'type = "colour"', "type cannot be 'colour'; .*text, word"),
        ('words = ["desk", "hand"]\n', "", "'lamp_used' needs its words"),
        (', es = "Lámpara usada"', "", "'lamp_used' needs a label, en and es"),
        ('{ name = "findings"', '{ name = "finding"', "a field of inspect cannot be 'finding'"),
        ('"Each die was held against the lamp"', '""', "a text of at most 200 characters"),
    ],
)
def test_a_mistake_in_what_it_adds_is_refused_with_the_line(old: str, new: str, told: str) -> None:
    assert old in ADDS
    with pytest.raises(RulebookError, match=told) as error:
        read(ADDS.replace(old, new, 1))
    assert error.value.line


def management(*jobs: str) -> str:
    named = ", ".join(f'"{job}"' for job in jobs)
    return (
        HEAD.format(regime="NY")
        + f"""
[control]
management = [{named}]

[[job]]
name = "night_manager"
department = "table_games"
with = "pit_manager"
"""
    )


def test_management_is_the_assistant_shift_manager_and_above_unless_an_overlay_says_otherwise() -> (
    None
):
    site = {"regime": "NY", "zone": "America/New_York", "day_starts": "06:00"}
    plain = core.load(loader.rulebook("NY"), loader.site(site))
    assert plain["needs"]["management"] == ["assistant_shift_manager", "shift_manager"]
    wider = book_of(management("pit_manager", "shift_manager"), "NY")
    assert wider["needs"]["management"] == ["pit_manager", "shift_manager", "night_manager"]
    narrower = book_of(management("shift_manager"), "NY")
    assert narrower["needs"]["management"] == ["shift_manager"]


@pytest.mark.parametrize("job", ["floorperson", "security_supervisor", "night_manager"])
def test_nobody_below_the_clause_counts_as_management(job: str) -> None:
    told = rf"management cannot be '{job}'; .*pit_manager.* \({re.escape('NY-5322.13-f')}\)"
    with pytest.raises(RulebookError, match=told):
        read(management("shift_manager", job), "NY")


def test_management_is_somebody() -> None:
    with pytest.raises(RulebookError, match=r"names nobody \(NY-5322.13-f\)"):
        read(management(), "NY")
