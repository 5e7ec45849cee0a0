"""An operator's overlay: it chooses and tightens, never loosens, never half-loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from custody.cli import main
from custody.ledger import overlays, people, rebuilding
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.judging import book_of, reasons_against, rulebook_id
from custody.ledger.overlays import OverlayRefused
from custody.ledger.reading import approving
from custody.rulebooks import loader, overlay
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.overlay_merge import merge
from custody.rules import clocks
from tests.routes import cast
from tests.support.overlays import HARBOR

BY = [{"person": "ada", "how": "password"}]
GOOD = (
    HARBOR
    + """
[control]
collector_signature = "waived"

[[job]]
name = "night_floorperson"
department = "table_games"
with = "floorperson"

[[job]]
name = "duty_manager"
department = "table_games"
above = "shift_manager"

[[clock]]
clause = "MD-02.13-O.1"
period = { hours = 12 }

[[count]]
clause = "MD-02.13-M.3"
period = { months = 1 }

[[rule]]
step = "return"
when.kind = "dice"
house = "A pit manager signs whatever goes back."
signers = [{ need = "pit_manager+" }]

[[plan]]
id = "bj-1"
games = ["blackjack"]
share = "1 in 10"

[place.annex2]
type = "storage"
use = "secondary"

[design.09501101530003]
kind = "dice"
form = "stick"
"""
)
RETURN: dict[str, Any] = {
    "step": "return",
    "items": ["D5-003"],
    "from": None,
    "to": "vault",
    "into": None,
    "where": None,
    "with": {},
    "by": ["fay", "sam"],
}
BEFORE, AFTER = cast.instant("2026-12-04T12:00"), cast.instant("2026-12-05T12:00")


def read(text: str) -> overlay.Overlay:
    return overlay.read("operator.toml", text, loader.rulebook("MD"))


def test_an_overlay_is_read_with_its_id_and_the_hash_of_its_text() -> None:
    made = read(GOOD)
    assert made.id == "harbor@3"
    assert len(made.document) == 64


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ('regime = "MD"', 'regime = "NV"', 3, "regime cannot be 'NV'; .* MD, NY, US542, US543"),
        ('regime = "MD"', 'regime = "NY"', 3, "regime is 'NY', the site's is MD"),
        ('reference = "IC-2026-014"', "", 0, "An overlay needs 'reference'"),
        ("in_force = 2026-12-05", "in_force = 2025-12-05", 5, "lies before 2026-01-01"),
        ("in_force = 2026-12-05", 'in_force = "soon"', 5, "write a date such as 2026-12-01"),
        ("collector_signature =", "colector_signature =", 10, "there is no control 'colector"),
        ('"waived"', '"optional"', 10, r"required, waived \(MD-02.13-K.2\)"),
        ('name = "night_floorperson"', 'name = "floorperson"', 13, "rank is not an overlay's"),
        ('department = "table_games"', 'department = "commission"', 14, "department cannot be"),
        (
            'with = "floorperson"',
            'with = "florperson"',
            15,
            "with cannot be 'florperson'; .*dealer",
        ),
        (
            "hours = 12",
            "hours = 30",
            24,
            "30 hours would loosen MD-02.13-O.1, which allows 24 hours",
        ),
        ("hours = 12", "days = 1", 24, "1 days would loosen MD-02.13-O.1"),
        ("hours = 12", "hour = 12", 24, "a period has no 'hour'; .*hours, days, months"),
        ('"MD-02.13-O.1"', '"MD-02.13-A.4"', 23, "clause cannot be 'MD-02.13-A.4'; .*MD-02.13-N.1"),
        (
            "[[count]]",
            '[[clock]]\nclause = "MD-02.13-O.1"\nperiod = { hours = 9 }\n[[count]]',
            27,
            "the clock of MD-02.13-O.1 is here already",
        ),
        ("months = 1", "months = 4", 28, "4 months would loosen MD-02.13-M.3"),
        ('step = "return"', 'step = "retrun"', 31, "step cannot be 'retrun'"),
        ('need = "pit_manager+"', 'need = "pit_boss+"', 34, "need cannot be 'pit_boss"),
        ('house = "A pit manager signs whatever goes back."', "", 30, "names its clause, or says"),
        ('games = ["blackjack"]', 'games = ["poker"]', 38, "games cannot be 'poker'"),
        ('share = "1 in 10"', "", 36, "a plan needs 'share'"),
        ('form = "stick"', 'form = "deck"', 47, "form cannot be 'deck'; .*stick"),
        ("[place.annex2]", "[palce.annex2]", 41, "an overlay has no 'palce'"),
    ],
)
def test_a_mistake_names_file_line_key_and_what_may_stand_there(
    old: str, new: str, line: int, told: str
) -> None:
    assert old in GOOD
    with pytest.raises(RulebookError, match=told) as error:
        read(GOOD.replace(old, new, 1))
    assert (error.value.file, error.value.line) == ("operator.toml", line), str(error.value)


def test_an_added_job_stands_on_its_ladder_and_signs_as_its_rank() -> None:
    made = merge(loader.rulebook("MD"), [("harbor@3", read(GOOD).said)])
    needs = load(made)["needs"]
    assert "night_floorperson" in needs["floorperson+"]
    assert "night_floorperson" not in needs["pit_manager+"]
    assert needs["shift_manager+"] == ["shift_manager", "duty_manager"]


def load(rulebook: dict[str, Any]) -> dict[str, Any]:
    from custody.rules import core

    site = loader.site({"regime": "MD", "zone": "America/New_York", "day_starts": "06:00"})
    return dict(core.load(rulebook, site))


def test_the_shipped_rulebook_is_not_changed_by_an_overlay() -> None:
    before = loader.rulebook("MD")["id"], len(loader.rulebook("MD")["rule"])
    merge(loader.rulebook("MD"), [("harbor@3", read(GOOD).said)])
    assert (loader.rulebook("MD")["id"], len(loader.rulebook("MD")["rule"])) == before


def codes(ledger: Ledger, draft: dict[str, Any], at: int) -> list[Any]:
    with ledger.database.reading() as connection:
        return [
            [reason["code"], reason["values"].get("need")]
            for reason in reasons_against(Cache(connection), {**draft, "at": at})
        ]


def test_a_loaded_overlay_judges_events_of_its_own_days_and_no_others(ledger: Ledger) -> None:
    before = codes(ledger, RETURN, AFTER)
    overlays.load(ledger, "operator.toml", GOOD, BY)
    wanted = ["signer-missing", ["pit_manager+"]]
    assert codes(ledger, RETURN, BEFORE) == before
    assert wanted in codes(ledger, RETURN, AFTER)
    assert wanted not in codes(ledger, {**RETURN, "by": ["fay", "sam", "pam"]}, AFTER)


def test_a_shortened_clock_runs_out_sooner_from_its_day_on(ledger: Ledger) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = book_of(facts)
        played = cast.instant("2026-12-01T08:20")
        at = {
            day: clocks.due(book, facts, ["D5-002"], cast.instant(f"{day}T12:00"))
            for day in ("2026-12-04", "2026-12-05")
        }
    hours = {
        day: next(one["at"] - played for one in found if one["clause"] == "MD-02.13-O.1")
        for day, found in at.items()
    }
    assert hours == {"2026-12-04": 24 * 3_600_000, "2026-12-05": 12 * 3_600_000}


def test_its_choices_are_entries_of_the_register_with_its_reference(ledger: Ledger) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    rows = {row["subject"]: row for row in approving.standing(ledger)["controls"]}
    row = rows["collector_signature"]
    assert (row["runs"], row["basis"], row["entry"]) == ("required", "text", None)
    assert (row["next"]["reference"], row["next"]["in_force"]) == ("IC-2026-014", "2026-12-05")
    assert rows["sampling"]["next"]["value"] == ["blackjack"]


def test_places_designs_and_people_of_its_jobs_come_with_it(ledger: Ledger) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    people.save_person(ledger, "nia", {"job": "night_floorperson", "name": "Nia Dale"}, BY)
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        assert (facts.get("place", "annex2") or {})["use"] == "secondary"
        assert (facts.get("design", "09501101530003") or {})["kind"] == "dice"
        assert rulebook_id(facts) == "md@2026.1+harbor@3"


def test_the_next_version_ends_the_one_before_it(ledger: Ledger, clock: cast.Clock) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    later = GOOD.replace('version = "3"', 'version = "4"').replace("2026-12-05", "2026-12-10")
    later = later.replace('[control]\ncollector_signature = "waived"\n', "")
    later = later.replace("[[rule]]", '[[rule]]\nneeds = [{ is = "not_suspect" }]')
    overlays.load(ledger, "operator.toml", later, BY)
    clock.now = cast.instant("2026-12-10T12:00")
    rows = {row["subject"]: row for row in approving.standing(ledger)["controls"]}
    row = rows["collector_signature"]
    assert (row["runs"], row["basis"], row["entry"]["expires"]) == (
        "required",
        "lapsed",
        "2026-12-09",
    )
    with ledger.database.reading() as connection:
        book = book_of(Cache(connection))
    added = [rule for rule in book["rules"]["return"] if "pit manager" in rule.get("house", "")]
    spans = [(rule["since"], rule["until"]) for rule in added]
    assert spans == [("2026-12-05", "2026-12-10"), ("2026-12-10", "9999-12-31")]


def test_a_rebuilt_ledger_judges_as_before(ledger: Ledger) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    with ledger.database.reading() as connection:
        digest = rebuilding.digest(connection)
    assert rebuilding.rebuild(ledger) == digest


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("hours = 12", "hours = 30", "operator.toml, line 24: .*MD-02.13-O.1"),
        ('use = "secondary"', 'pit = "vault"', "operator.toml, line 43: its pit 'vault'"),
        ('type = "storage"', 'type = "stor"', "operator.toml, line 41: .*'storage'"),
    ],
)
def test_what_is_refused_changes_nothing(ledger: Ledger, old: str, new: str, told: str) -> None:
    size = ledger.size()
    with pytest.raises(OverlayRefused, match=told):
        overlays.load(ledger, "operator.toml", GOOD.replace(old, new, 1), BY)
    assert ledger.size() == size


def test_the_same_version_is_not_loaded_twice(ledger: Ledger) -> None:
    overlays.load(ledger, "operator.toml", GOOD, BY)
    with pytest.raises(OverlayRefused, match="line 4: harbor@3 is loaded already"):
        overlays.load(ledger, "operator.toml", GOOD, BY)


def test_the_command_checks_loads_and_shows(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "operator.toml"
    path.write_text(GOOD, "utf-8")
    run, data = CliRunner(), str(ledger.config.data)
    assert (
        "harbor@3: in force from 2026-12-05"
        in run.invoke(main, ["rulebook", "check", str(path)]).output
    )
    assert run.invoke(main, ["rulebook", "load", "--data", data, str(path)]).exit_code == 0
    shown = run.invoke(main, ["rulebook", "show", "--data", data])
    assert shown.stdout == "md@2026.1+harbor@3\n"
    path.write_text(GOOD.replace("hours = 12", "hours = 30"), "utf-8")
    wrong = run.invoke(main, ["rulebook", "check", str(path)])
    assert wrong.exit_code == 1
    assert "operator.toml, line 24: 30 hours would loosen MD-02.13-O.1" in wrong.stderr


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('use = "secondary"', 'uze = "secondary"', "line 41: place 'annex2': 'uze' is not known"),
        ("09501101530003", "9501101530003", "not '9501101530003': write 09501101530003"),
        ("09501101530003", "09501101530004", "its check digit does not fit"),
        ('regime = "MD"', 'regime = "XX"', "line 3: there is no regime 'XX'"),
        ("[control]", "[control", "It is not TOML"),
    ],
)
def test_checking_says_what_loading_would(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "operator.toml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1), "utf-8")
    wrong = CliRunner().invoke(main, ["rulebook", "check", str(path)])
    assert wrong.exit_code == 1
    assert told in wrong.stderr
    assert "operator.toml, line " in wrong.stderr


@pytest.mark.parametrize("under", ["cpython", "micropython"])
def test_a_scenario_is_rehearsed_under_an_overlay(tmp_path: Path, under: str) -> None:
    path, scene = tmp_path / "operator.toml", cast.SETTING
    path.write_text(GOOD.replace('step = "return"', 'step = "store"'), "utf-8")
    receive = {**cast.STEPS[0], "at": "2026-12-06T07:00", "expect": "ok"}
    store = {**cast.STEPS[1], "at": "2026-12-06T07:10", "expect": "refused"}
    lines = [
        {**{k: v for k, v in scene.items() if k not in ("site", "name")}, "scenario": "Stores"},
        receive,
        store,
    ]
    story = tmp_path / "stores.jsonl"
    story.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    arguments = ["rehearse", "--under", under, "--overlay", str(path), str(story)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    without = CliRunner().invoke(main, ["rehearse", "--under", under, str(story)])
    assert without.exit_code == 1, without.output
    path.write_text(GOOD.replace("hours = 12", "hours = 30"), "utf-8")
    wrong = CliRunner().invoke(main, arguments)
    assert wrong.exit_code == 2
    assert "operator.toml, line 24: 30 hours would loosen MD-02.13-O.1" in wrong.stderr
