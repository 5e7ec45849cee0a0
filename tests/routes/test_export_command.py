"""`custody export`: every subject in every format, as the desk has it, or a refusal that helps."""

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from selectolax.lexbor import LexborHTMLParser

from custody import config
from custody.app import create_app
from custody.cli import main
from custody.commands import export
from custody.ledger import desk as signing
from custody.ledger import devices
from custody.ledger.core import open_ledger
from custody.ledger.reading import records
from custody.routes.spreadsheets import LISTS
from custody.routes.tables import TABLES
from tests.documents.epcis import entries as epcis
from tests.routes import cast, lots
from tests.routes.conftest import Desk
from tests.support.device import Device, FlaskHttp

DRILLED = {"method": "drilled", "hole": "0.25"}
COUNTED = {"found": ["D5-003..D5-010"], "blind": True}
OPENED = {"seal": "S-0001", "seal_state": "intact"}
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def house(founded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The casino's folder with coupons, a handheld, an end by the drill, a note like a formula and
    a count; the command's clock is the story's.
    """
    folder = tmp_path_factory.mktemp("house") / "data"
    shutil.copytree(founded, folder)
    clock = cast.Clock(cast.instant(cast.NOW))
    ledger = open_ledger(config.load(folder), clock)
    lots.play(ledger, clock, lots.COUPONS)
    device = Device(FlaskHttp(create_app(ledger.config, ledger)), clock)
    device.enrol(devices.new_code(ledger), "Pit 1 tablet")
    clock.now = cast.instant("2026-12-02T14:00")
    for step, by, fields in (
        ("collect", "sam", {"items": ["EV-001"]}),
        ("deliver", "sam", {"items": ["EV-001"], "to": "sec"}),
        ("open", "sam", {"items": ["EV-001"], "with": OPENED}),
        (
            *("cancel", "sam sue"),
            {"items": ["D5-001"], "where": "shred", "note": "=1+1", "with": DRILLED},
        ),
        ("count", "bea", {"kind": "dice", "where": "vault", "with": COUNTED}),
    ):
        take(ledger, step, by, **fields)
    ledger.close()
    patch = pytest.MonkeyPatch()
    patch.setattr(export, "open_ledger", lambda made: open_ledger(made, clock))
    yield folder
    patch.undo()


def take(ledger: object, step: str, by: str, **fields: object) -> str:
    signers = [{"person": id_} for id_ in by.split()]
    return signing.record_at_desk(ledger, {"step": step, **fields}, signers).id  # type: ignore[arg-type]


@pytest.fixture
def run(house: Path, tmp_path: Path) -> Run:
    """Run `custody export ... --out FILE`; the file is `tmp_path / "out"`."""

    def told(*arguments: str) -> Result:
        given = ["export", *arguments, "--data", str(house), "--out", str(tmp_path / "out")]
        return CliRunner().invoke(main, given)

    return told


def cells(path: Path) -> list[list[str]]:
    """The rows of an XLSX file's sheet, as texts."""
    with zipfile.ZipFile(path) as book:
        sheet = LexborHTMLParser(book.read("xl/worksheets/sheet1.xml").decode())
    return [[cell.text() for cell in row.css("c")] for row in sheet.css("row")]


def sheet_of(path: Path) -> list[list[str]]:
    """The lines of a CSV file: two about it, its header, its rows."""
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def by_header(path: Path) -> list[dict[str, str]]:
    _, _, header, *rows = sheet_of(path)
    return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.parametrize("what", TABLES)
def test_each_table_holds_the_same_rows_in_every_format(
    run: Run, tmp_path: Path, what: str
) -> None:
    out, asked = tmp_path / "out", {"changes": ["--period", "2026-12"]}.get(what, [])
    made = run(what, "--format", "csv", *asked)
    assert made.exit_code == 0, made.output
    sheet = sheet_of(out)
    rows = sheet[3:]
    assert rows
    assert f"{len(rows)} line" in sheet[1][0]
    assert {len(row) for row in rows} == {len(TABLES[what].columns)}
    out.unlink()
    assert run(what, "--format", "xlsx", *asked).exit_code == 0
    same = [[cell.removeprefix("'") for cell in row] for row in sheet]
    assert cells(out)[3:] == same[3:]
    out.unlink()
    if what == "events":
        return  # as JSON Lines they are the log itself
    assert run(what, *asked).exit_code == 0
    told = [json.loads(line) for line in out.read_text().splitlines()]
    written = [["" if one is None else str(one) for one in row.values()] for row in told]
    assert written == same[3:]
    assert {tuple(row) for row in told} == {TABLES[what].columns}


@pytest.mark.parametrize("what", LISTS)
def test_the_desk_hands_out_the_very_same_table(
    run: Run, house: Path, tmp_path: Path, what: str
) -> None:
    clock = cast.Clock(cast.instant("2026-12-02T14:00"))
    ledger = open_ledger(config.load(house), clock)
    try:
        app = create_app(ledger.config, ledger)
        app.testing = True
        answer = Desk(app, "bea").get(f"/spreadsheets/{what}.csv")
    finally:
        ledger.close()
    assert run(what, "--format", "csv").exit_code == 0
    assert (tmp_path / "out").read_bytes() == answer.data


def test_a_file_is_what_its_name_ends_in_where_no_format_is_said(
    house: Path, tmp_path: Path
) -> None:
    begins = {"a.csv": b"\xef\xbb\xbf", "a.xlsx": b"PK", "a.jsonl": b'{"place', "a": b'{"place'}
    for name, beginning in begins.items():
        out = tmp_path / name
        given = ["export", "on-hand", "--data", str(house), "--out", str(out)]
        assert CliRunner().invoke(main, given).exit_code == 0
        assert out.read_bytes().startswith(beginning)
    given = ["export", "items", "--data", str(house), "--out", str(tmp_path / "b.jsonld")]
    assert "EPCIS is of events" in CliRunner().invoke(main, given).stderr


def test_events_read_as_a_row_each_with_what_came_of_them(run: Run, tmp_path: Path) -> None:
    assert run("events", "--format", "csv").exit_code == 0
    rows = by_header(tmp_path / "out")
    assert [int(row["Log position"]) for row in rows] == list(range(len(rows)))
    found = next(row for row in rows if row["Note"] == "'=1+1")
    assert (found["Items"], found["Place"], found["Who"]) == (
        "D5-001",
        "shred",
        "Sam Reed, Sue Hart",
    )
    fact = next(row for row in rows if "D5-003" in row["Items"] and "08:45" in row["Time"])
    assert fact["Exceptions raised"]
    founded = rows[0]["Fields"]
    assert re.search(r"After: [0-9a-f]{64};", founded), "a hash is no word to begin with a capital"


def test_a_filter_leaves_what_was_asked_for_and_stands_in_the_file(
    run: Run, tmp_path: Path
) -> None:
    assert run("items", "--kind", "dice", "--place", "vault", "--format", "csv").exit_code == 0
    rows = sheet_of(tmp_path / "out")
    assert rows[1][0].endswith("asked for: kind=dice; place=vault")
    assert {(row[1], row[4]) for row in rows[3:]} == {("Dice", "vault")}
    (tmp_path / "out").unlink()
    assert run("on-hand", "--at", "2026-11-30T12:00").exit_code == 0
    assert (tmp_path / "out").read_text() == ""


def test_nothing_secret_of_people_is_in_a_table(run: Run, house: Path, tmp_path: Path) -> None:
    ledger = open_ledger(config.load(house))
    known = records.every(ledger, "person")
    ledger.close()
    assert run("people").exit_code == 0
    rows = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert {row["person"] for row in rows} == set(known)
    assert {row["pin"] for row in rows} | {row["badge"] for row in rows} <= {"yes", "no"}


def test_epcis_is_valid_and_tells_what_it_leaves_out(run: Run, tmp_path: Path) -> None:
    made = run("events", "--format", "epcis")
    assert made.exit_code == 0
    assert "are about no object and left out" in made.stderr
    document = json.loads((tmp_path / "out").read_text())
    assert epcis.faults(document) == []
    told = document["epcisBody"]["eventList"]
    steps = {one["custody:step"] for one in told}
    assert {"receive", "issue", "pack", "open", "cancel", "distribute"} <= steps
    places = document["epcisHeader"]["epcisMasterData"]["vocabularyList"][0]
    ids = {one["id"] for one in places["vocabularyElementList"]}
    assert "urn:custody:harbor:loc:vault" in ids
    assert {one["readPoint"]["id"] for one in told if "readPoint" in one} <= ids


def test_a_corrected_event_says_so_in_the_table_and_in_epcis(
    run: Run, house: Path, tmp_path: Path
) -> None:
    ledger = open_ledger(config.load(house), cast.Clock(cast.instant("2026-12-02T14:00")))
    wrong = take(ledger, "issue", "fay sam pam", items=["D5-004"], to="pit1")
    reason = {"event": wrong, "reason": "another stick"}
    undo = take(ledger, "correct", "pam", items=["D5-004"], **{"with": reason})
    ledger.close()
    assert run("events", "--format", "csv").exit_code == 0
    rows = {row["Event"]: row for row in by_header(tmp_path / "out")}
    assert rows[wrong]["Corrected by event"] == undo
    assert {row["Corrected by event"] for id_, row in rows.items() if id_ != wrong} == {""}
    (tmp_path / "out").unlink()
    assert run("events", "--format", "epcis").exit_code == 0
    told = json.loads((tmp_path / "out").read_text())["epcisBody"]["eventList"]
    declared = [one for one in told if "errorDeclaration" in one]
    assert [one["eventID"] for one in declared] == [f"urn:custody:harbor:event:{wrong}"]
    assert declared[0]["errorDeclaration"]["custody:correction"].endswith(undo)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["items", "--format", "epcis"], "EPCIS is of events: ask for items as csv, xlsx, jsonl"),
        (["nothing"], "'nothing' is not one of 'events', 'items'"),
        (["events", "--kind", "dice"], "the whole log; leave out the filters"),
        (["events", "--format", "epcis", "--day", "2026-12-01"], "leave out the filters"),
        (
            ["coupons", "--kind", "dice"],
            "coupons cannot be asked for by --kind; it takes no such options",
        ),
        (["items", "--kind", "dise"], "dise is no kind here; known are: cards"),
        (["counts", "--from", "2026-12-01"], "asked for by --from; it takes --kind."),
        (["exceptions", "--state", "opne"], "opne is no state here; known are: all, open"),
        (["coupon-ledger", "--day", "2026-12-01"], "by --day; it takes --from, --to."),
        (["reconcile", "--day", "yesterday"], "yesterday"),
        (["reconcile", "--place", "moon"], "moon is no place here"),
        (["destruction-log", "--from", "2026-12-02", "--to", "2026-12-01"], "after the last"),
        (["changes", "--period", "2026-13"], "2026-13"),
        (["on-hand", "--known", "later"], "later is no known here; known are: now, then"),
        (["reconcile", "--design", "00012345678905"], "is no design here; known are:"),
        (["on-hand", "--at", "2099-01-01T00:00"], "That time is still to come"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(
    run: Run, tmp_path: Path, arguments: list[str], told: str
) -> None:
    made = run(*arguments)
    assert (made.exit_code, made.stdout) == (2, ""), made.output
    assert told in " ".join(made.stderr.split())
    assert [*tmp_path.iterdir()] == []


def test_the_help_names_every_table() -> None:
    named = (export.command.help or "").partition("WHAT is one of ")[2].partition(".")[0]
    assert set(re.findall(r"[a-z-]+", named)) - {"and"} == set(TABLES)


def test_more_rows_than_a_sheet_holds_are_an_error_and_no_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custody.documents.xlsx_table.MOST_ROWS", 5)
    made = run("events", "--format", "xlsx")
    assert (made.exit_code, "Ask for CSV" in made.stderr) == (1, True)
    assert [*tmp_path.iterdir()] == []
