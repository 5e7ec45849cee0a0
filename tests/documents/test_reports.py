"""The Dice Discrepancy Report comes in two parts that say the same."""

from __future__ import annotations

import csv
import tomllib
from importlib.resources import files

import pypdfium2
import pytest

from custody.documents import reports
from custody.documents.errors import DocumentError
from custody.rules import codes
from tests.documents import reading

ORIGINAL, DUPLICATE = codes.make("FR", 11), codes.make("FR", 12)
LINES = {
    "place": "Craps 1, pit 1",
    "discovered_at": "Dec 2 2026, 04:10",
    "discovered_by": "Gus Ødegård, floorperson",
    "why": "Signs of tampering",
    "evidence": "DS-0000031K, 5 dice",
    "envelope": "EV-0004217C",
    "findings": "One die is shaved on the six.",
}


def report(**changes):
    given = {
        "form": "dice",
        "original": ORIGINAL,
        "duplicate": DUPLICATE,
        "site": "Harbor Light Casino",
        "lines": LINES,
        "signatures": {"prepared": "Gus Ødegård, Dec 2 2026, 04:15"},
    }
    return reports.Report(**{**given, **changes})


def page_texts(pdf):
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def test_the_report_has_an_original_and_a_duplicate_that_say_the_same():
    original, duplicate = page_texts(reports.pdf(report()))
    assert "Original" in original
    assert "Duplicate: back to the pit" in duplicate
    for text in (original, duplicate):
        assert "Dice Discrepancy Report" in text
        assert all(line in text for line in LINES.values())
        assert "Gus Ødegård, Dec 2 2026, 04:15" in text
        assert "Compliance representative" in text
        assert "MD-02.13-H.2.c" in text


def test_each_part_carries_the_code_of_its_own_form_and_is_read():
    pages = reading.pages(reports.pdf(report()), 300)
    assert [reading.codes_in(page) for page in pages] == [
        [("CODE128", ORIGINAL)],
        [("CODE128", DUPLICATE)],
    ]


def test_a_long_finding_goes_on_over_the_page_and_loses_no_word():
    words = [f"word{number}" for number in range(500)]
    texts = page_texts(reports.pdf(report(lines={**LINES, "findings": " ".join(words)})))
    assert len(texts) == 4
    assert "Page 1 of 2" in texts[0]
    assert "Page 2 of 2" in texts[1]
    both = " ".join(texts[:2])
    assert all(word in both for word in words)
    assert "Prepared by" in texts[1]
    assert "Prepared by" not in texts[0]


def test_what_is_not_known_is_left_to_be_written_by_hand():
    (text, _) = page_texts(reports.pdf(report(lines={}, signatures={})))
    assert "Discovered by" in text
    assert "None" not in text


def test_the_report_is_printed_in_spanish_and_on_a4():
    pdf = reports.pdf(report(), "es", "a4")
    assert "Informe de discrepancia de dados" in page_texts(pdf)[0]
    assert [round(side) for side in reading.page_sizes(pdf)[0]] == [210, 297]
    assert b"/PrintScaling /None" in pdf


def test_every_title_line_and_signer_has_both_languages_and_every_clause_exists():
    book = tomllib.loads(files("custody.documents").joinpath("reports.toml").read_text("utf-8"))
    lines = files("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8").splitlines()
    clauses = {line["id"] for line in csv.DictReader(lines)}
    for form in book["form"].values():
        assert set(form["title"]) == {"en", "es"}
        assert set(form["clauses"]) <= clauses
    for table in ("part", "line", "signer", "words"):
        assert all(set(text) == {"en", "es"} for text in book[table].values())


def test_a_form_or_paper_that_is_none_is_refused():
    with pytest.raises(DocumentError, match="no discrepancy report of money"):
        reports.pdf(report(form="money"))
    with pytest.raises(DocumentError, match="a4"):
        reports.pdf(report(), paper="a5")
