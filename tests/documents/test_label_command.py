"""`custody label` prints labels, or says why not."""

from __future__ import annotations

import errno
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from custody.cli import main
from custody.rules import codes
from tests.documents import reading

STICK = codes.make("DS", 31)


def run(*arguments):
    return CliRunner().invoke(main, ["label", *map(str, arguments)])


@pytest.mark.parametrize("form", ["pdf", "png", "zpl"])
def test_a_label_is_written_in_each_form_and_is_read(tmp_path, form):
    out = tmp_path / f"label.{form}"
    result = run(STICK, "--out", out, "--dpi", 300)
    assert result.exit_code == 0, result.output
    assert "1 label in" in result.stderr
    data = out.read_bytes()
    read = {"pdf": lambda: reading.pages(data, 300)[0], "png": lambda: reading.picture(data)}
    image = read.get(form, lambda: reading.zpl_pictures(data)[0])()
    assert reading.codes_in(image) == [("CODE128", STICK)]


def test_a_run_of_codes_gives_a_page_each(tmp_path):
    out = tmp_path / "labels.pdf"
    result = run(f"{STICK}..{codes.make('DS', 40)}", "EV-001", "--out", out)
    assert result.exit_code == 0, result.output
    assert "11 labels" in result.stderr
    assert len(reading.page_sizes(out.read_bytes())) == 11


def test_a_place_gets_its_name_and_the_size_of_places(tmp_path):
    out = tmp_path / "place.pdf"
    run(codes.make("PL", 3), "--title", "Craps 1", "--line", "pit 1", "--out", out)
    assert [round(side) for side in reading.page_sizes(out.read_bytes())[0]] == [76, 51]
    assert "Craps 1" in reading.text_of(out.read_bytes())


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("D5-001..D5-000", "--out", "x.pdf"), 1, "runs backwards"),
        ((STICK[:-1] + "B", "--out", "x.pdf"), 1, "check letter does not fit"),
        (("A" * 30, "--out", "x.pdf"), 1, "too wide for 51x25"),
        (("D5-001", "--out", "x.docx"), 2, ".pdf, .png or .zpl"),
        (("D5-001", "--out", "x.png", "--sheet", "a4"), 1, "Sheets are a PDF"),
        (("D5-001", "--out", "missing/x.png"), 1, "cannot be written"),
        (("D5-001",), 2, "--out"),
        (("--out", "x.pdf"), 2, "CODE"),
    ],
)
def test_what_cannot_be_printed_is_said_and_no_file_is_left(
    tmp_path, monkeypatch, arguments, status, said
):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == status
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


def documented():
    text = (Path(__file__).parents[2] / "docs" / "scanners-and-labels.md").read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.startswith("    custody label")]


@pytest.mark.parametrize("line", documented())
def test_every_documented_command_works(tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
    assert len(list(tmp_path.iterdir())) == 1


def test_the_documentation_shows_commands():
    assert len(documented()) >= 3


def test_a_full_disk_leaves_the_labels_of_before_and_no_half_ones(tmp_path, monkeypatch):
    out = tmp_path / "labels.zpl"
    out.write_bytes(b"of before")

    def write_half(path, data):
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)
    result = run(STICK, "--out", out)
    assert (result.exit_code, "No space left on device" in result.output) == (1, True)
    assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == [(out, b"of before")]
