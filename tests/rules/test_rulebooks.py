"""Rulebooks: what the check refuses, with file and line, and what the shipped ones hold to."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from custody.rulebooks import loader, words
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.zones import UnknownZoneError, zone_table
from custody.rules import book as books
from custody.rules import conditions

GOOD = """\
id = "xx"
regime = "MD"
version = "2026.1"
in_force = 2026-01-01

[control.dice_inspection]
clause = ["MD-02.13-F"]
words = ["alternative_1", "alternative_2"]
absent = "alternative_1"

[[step]]
step = "store"
when.kind = "dice"
clause = ["MD-02.13-A.4"]
signers = [{ need = "floorperson+", clause = "MD-02.13-A.4" }]
needs = [{ is = "state", any = ["received"], clause = "MD-02.13-A.4" }]

[[clock]]
when.kind = "dice"
clause = ["MD-02.13-O.1"]
start = ["play"]
period = { hours = 24 }
"""


def read(tmp_path: Path, text: str) -> dict[str, object]:
    (tmp_path / "xx.toml").write_text(text, "utf-8")
    return loader.read("xx.toml", tmp_path)


def test_a_good_rulebook_is_read_with_its_id_and_version(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD)["id"] == "xx@2026.1"


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ('step = "store"', 'step = "stow"', 12, "step cannot be 'stow'; what may stand there is"),
        (
            'when.kind = "dice"\nclause = ["MD-02.13-A.4"]',
            'when.kin = "dice"\nclause = []',
            13,
            "kin",
        ),
        ("floorperson+", "floorman+", 15, "need cannot be 'floorman+'"),
        ('is = "state"', 'is = "stat"', 16, "is cannot be 'stat'"),
        ('any = ["received"]', 'any = ["recieved"]', 16, "any cannot be 'recieved'"),
        ('any = ["received"]', 'all = ["received"]', 16, "the condition state has no 'all'"),
        ('"MD-02.13-O.1"', '"MD-02.13-O.9"', 20, "there is no clause 'MD-02.13-O.9'"),
        ("hours = 24", "hour = 24", 22, "a period has no 'hour'"),
        ('start = ["play"]', 'start = ["ply"]', 21, "start cannot be 'ply'"),
        ("period = { hours = 24 }", "", 18, "a clock has a period"),
        ('absent = "alternative_1"', 'absen = "x"', 9, "control dice_inspection has no 'absen'"),
        ('regime = "MD"', 'regine = "MD"', 2, "the rulebook has no 'regine'"),
    ],
)
def test_an_unknown_word_is_refused_with_file_line_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, line: int, told: str
) -> None:
    assert old in GOOD
    with pytest.raises(RulebookError) as error:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert error.value.file == "xx.toml"
    assert error.value.line == line, str(error.value)
    assert told in error.value.problem


def test_two_entries_that_apply_alike_are_refused(tmp_path: Path) -> None:
    entry = '[[step]]\nstep = "store"\nwhen.kind = ["dice"]\nclause = []\n'
    with pytest.raises(RulebookError, match=r"line 24: .* just as the entry of line 11"):
        read(tmp_path, GOOD + "\n" + entry)


def test_what_is_not_toml_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"xx\.toml, line 1: It is not TOML: "):
        read(tmp_path, "id = \n")


def test_a_regime_without_a_rulebook_names_those_that_have_one() -> None:
    with pytest.raises(RulebookError, match="There is no regime 'NV'; there are MD, NY"):
        loader.rulebook("NV")


def test_every_condition_has_its_code_its_arguments_and_its_line_in_the_readme() -> None:
    readme = Path(loader.__file__).with_name("README.md").read_text("utf-8")
    assert set(conditions.CHECKS) == set(conditions.CODES) == set(words.NEEDS)
    for name in conditions.CHECKS:
        assert f"`{name}`" in readme, name


def test_the_most_specific_entry_speaks_and_of_equals_the_first() -> None:
    made = {
        "in_force": "2026-01-01",
        "controls": {},
        "needs": {},
        "words": {"steps": {"store": {}}},
    }
    whens = [
        {"kind": "dice"},
        {"kind": "dice", "to": "pit_stand"},
        {"kind": "dice", "form": "stick"},
    ]
    entries = [{"step": "store", "when": when, "clause": [str(n)]} for n, when in enumerate(whens)]
    made["steps"] = books._entries(made, entries, {"store": {}})
    for traits, clause in (
        ({"kind": "dice", "to": "storage"}, "0"),
        ({"kind": "dice", "to": "pit_stand"}, "1"),
        ({"kind": "dice", "to": "pit_stand", "form": "stick"}, "1"),
        ({"kind": "dice", "to": "storage", "form": "stick"}, "2"),
    ):
        assert books.select(made, "store", traits)["clause"] == [clause]
    assert books.select(made, "store", {"kind": "cards"}) is None


def test_an_entry_speaks_only_on_the_days_on_which_it_is_in_force() -> None:
    made = {
        "in_force": "2026-01-01",
        "controls": {},
        "needs": {},
        "words": {"steps": {"store": {}}},
    }
    old = {
        "step": "store",
        "when": {"kind": "dice", "to": "cage"},
        "until": "2026-07-01",
        "clause": [],
    }
    new = {"step": "store", "when": {"kind": "dice"}, "in_force": "2026-07-01", "clause": []}
    made["steps"] = books._entries(made, [old, new], {"store": {}})
    traits = {"kind": "dice", "to": "cage"}
    assert books.select(made, "store", traits, "2026-06-30")["until"] == "2026-07-01"
    assert books.select(made, "store", traits, "2026-07-01")["since"] == "2026-07-01"


@pytest.mark.parametrize("name", ["America/New_York", "America/Chicago", "Europe/London", "UTC"])
def test_the_zone_table_gives_the_offset_of_every_hour_of_twenty_years(name: str) -> None:
    table = [list(entry) for entry in zone_table(name)]
    from custody.rules import days

    here = {"zone": table}
    zone = ZoneInfo(name)
    start = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())
    for hour in range(0, 20 * 366 * 24, 5):
        moment = start + hour * 3600
        offset = datetime.fromtimestamp(moment, zone).utcoffset()
        assert offset is not None
        assert days.offset(here, moment * 1000) == offset.total_seconds() // 60
    for change, _ in table[1:]:
        assert days.offset(here, change) != days.offset(here, change - 1)


def test_a_zone_that_is_none_is_named() -> None:
    with pytest.raises(UnknownZoneError, match="There is no time zone 'Mars/Base'"):
        zone_table("Mars/Base")
