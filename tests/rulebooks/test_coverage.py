"""Every core clause has an entry of a rulebook and something that tries it; tables are fresh."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from custody.cli import main
from custody.rulebooks import coverage, coverage_table
from custody.rulebooks.citing import citations, ways
from custody.rulebooks.loader import REGIMES, parts

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
REGIME_OF = {"MD": "MD", "NY": "NY", "US542": "US-542", "US543": "US-543"}
WAYS = {"gate", "role", "evidence", "clock", "count", "report", "setting", "checklist"}
FRESH = "run `python -m custody.rulebooks.coverage` and commit what it writes"


@pytest.fixture(scope="module")
def tried() -> coverage.Exercised:
    return coverage.read_tests(TESTS)


def test_no_core_clause_is_without_an_entry_or_without_what_tries_it(
    tried: coverage.Exercised,
) -> None:
    core = coverage.rows(coverage.CORE, tried)
    assert len(core) == 433
    unmet = {row.clause["id"]: row.status for row in core if row.status != "met"}
    assert unmet == {}


def test_every_gate_role_deadline_and_count_is_tried(tried: coverage.Exercised) -> None:
    wanted = [
        row
        for row in coverage.rows(coverage.CORE, tried)
        if row.clause["check"] in ("gate", "role", "deadline", "count")
    ]
    assert len(wanted) == 231
    assert [row.clause["id"] for row in wanted if not row.tests and not row.scenarios] == []


def test_a_clause_is_cited_by_the_rulebook_of_its_own_regime() -> None:
    files = {regime: parts(regime) for regime in REGIMES}
    for clause, found in citations().items():
        regime = coverage.clauses()[clause]["regime"]
        assert {one.file for one in found} <= set(files[regime]), clause


def test_every_clause_that_a_scenario_names_is_one_of_its_own_regime() -> None:
    for path in sorted((TESTS / "scenarios").rglob("*.jsonl")):
        lines = path.read_text("utf-8").splitlines()
        setting = json.loads(next(line for line in lines if line.startswith("{")))
        for line in lines:
            if line.startswith("# about "):
                for clause in coverage.ID.findall(line):
                    assert clause in coverage.clauses(), f"{path.name}: {clause}"
                    assert clause.startswith(REGIME_OF[setting["regime"]]), f"{path.name}: {clause}"


def test_what_is_out_of_scope_or_not_covered_yet_says_so() -> None:
    rows = {row.clause["id"]: row for row in coverage.rows()}
    assert rows["MD-01.01-A"].status == "out of scope"
    beside = [row for row in rows.values() if row.clause["scope"] == coverage.ADJACENT]
    assert {row.status for row in beside if not row.entries} == {"not covered yet"}
    assert all(row.ways and set(row.ways) <= WAYS for row in rows.values() if row.entries)


def test_the_bundled_table_and_the_one_in_the_docs_are_fresh(tried: coverage.Exercised) -> None:
    bundled = Path(coverage.__file__).with_name("coverage.json").read_text("utf-8")
    assert bundled == coverage.tell(tried), FRESH
    docs = (ROOT / "docs" / "clauses.md").read_text("utf-8")
    assert docs == coverage_table.markdown(coverage.rows(tried=tried)), FRESH


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("# about MD-02.13-A.4 NY-5322.13-a", ["MD-02.13-A.4", "NY-5322.13-a"]),
        ("# in the manner of MD-02.13-A.4", []),
        ('{"step":"play","expect":"refused","clause":"MD-02.13-O.1"}', ["MD-02.13-O.1"]),
        ('{"ask":"due","expect":["US-542.12-f.3"]}', ["US-542.12-f.3"]),
        ('{"ask":"exceptions","expect":["concurrent-claim"]}', []),
        ("", []),
    ],
)
def test_a_scenario_tries_what_its_verdicts_and_about_lines_name(
    line: str, named: list[str]
) -> None:
    assert coverage._tried(line) == named


def test_a_test_tries_what_it_names_and_data_of_a_module_counts_for_its_file(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "tests"
    (folder / "rules").mkdir(parents=True)
    (folder / "scenarios").mkdir()
    text = 'CASES = ["MD-02.13-O.1"]\n\n\ndef test_it_rests() -> None:\n    """MD-02.13-A.4"""\n'
    (folder / "rules" / "test_one.py").write_text(text, "utf-8")
    (folder / "rules" / "test_rulebooks.py").write_text('X = "MD-02.13-A.3"\n', "utf-8")
    (folder / "rules" / "helper.py").write_text('X = "MD-02.13-A.3"\n', "utf-8")
    assert coverage.read_tests(folder) == {
        "MD-02.13-A.4": {"tests": ["tests/rules/test_one.py::test_it_rests"]},
        "MD-02.13-O.1": {"tests": ["tests/rules/test_one.py"]},
    }


def test_how_a_clause_is_met_follows_from_the_part_that_names_it() -> None:
    known = citations()
    assert ways("deadline", known["MD-02.13-O.1"]) == ["clock"]
    assert "role" in ways("role", known["MD-02.13-A.4"])
    assert ways("count", known["MD-02.13-M.2"]) == ["count", "gate"]
    assert ways("report", known["MD-03.11-O"]) == ["report"]


def test_the_command_prints_every_core_clause_in_each_format() -> None:
    run = CliRunner()
    table = run.invoke(main, ["clauses"])
    assert table.exit_code == 0, table.stderr
    assert len(table.stdout.splitlines()) == 433
    assert "433 of 433 core clauses met" in table.stderr
    rows = list(
        csv.DictReader(io.StringIO(run.invoke(main, ["clauses", "--format", "csv"]).stdout))
    )
    told = json.loads(run.invoke(main, ["clauses", "--format", "json"]).stdout)
    assert [row["clause"] for row in rows] == [one["clause"] for one in told]
    rotation = next(one for one in told if one["clause"] == "MD-02.13-O.1")
    assert rotation["met by"] == ["clock"]
    assert any(entry.startswith("md.toml: [[clock]]") for entry in rotation["entries"])
    assert "md-dice-rotation" in rotation["scenarios"]


def test_the_command_tells_all_clauses_when_asked() -> None:
    told = json.loads(CliRunner().invoke(main, ["clauses", "--all", "--format", "json"]).stdout)
    assert len(told) == 584


def test_the_command_ends_with_1_where_nothing_tries_a_clause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coverage, "exercised", dict)
    done = CliRunner().invoke(main, ["clauses"])
    assert done.exit_code == 1
    assert "0 of 433 core clauses met" in done.stderr
    assert "untried" in done.stdout
