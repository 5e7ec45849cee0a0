"""Tables as XLSX: what is text stays text, what is a number is one."""

import io
import zipfile

import pytest
from selectolax.lexbor import LexborHTMLParser

from custody.documents import xlsx_table
from custody.documents.csv_table import Cell
from custody.documents.errors import TooManyRowsError


def made(about: list[str], header: list[str], rows: list[list[Cell]]) -> bytes:
    out = io.BytesIO()
    xlsx_table.write(out, about, header, rows)
    return out.getvalue()


def cells(data: bytes) -> dict[str, tuple[str, str]]:
    """Return type and value of each cell: `inlineStr` for text, "" for a number."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
    found = LexborHTMLParser(sheet).css("c")
    return {
        str(cell.attributes["r"]): (cell.attributes.get("t") or "", cell.text()) for cell in found
    }


@pytest.mark.parametrize(
    "text", ["004217", "8939010102358478435", '=HYPERLINK("http://x")', "@ops", "https://a.example"]
)
def test_text_is_never_a_number_a_formula_or_a_link(text: str) -> None:
    data = made([], ["Code"], [[text]])
    assert cells(data)["A2"] == ("inlineStr", text)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")
        assert not any("rels" in name and "sheet1" in name for name in parts.namelist())


def test_whole_numbers_are_numbers_negative_ones_too() -> None:
    assert cells(made([], ["Variance"], [[-3]]))["A2"] == ("", "-3")


def test_what_was_asked_for_stands_above_the_header() -> None:
    found = cells(made(["Log", "2 lines"], ["Code", "N"], [["D5-1", 1], [None, 2]]))
    assert [found[name][1] for name in ("A1", "A2", "A3", "B3", "A4", "B5")] == [
        *("Log", "2 lines", "Code", "N", "D5-1", "2"),
    ]


def test_a_text_too_long_for_a_cell_says_that_it_goes_on() -> None:
    found = cells(made([], ["Codes"], [["x" * 40_000]]))["A2"][1]
    assert (len(found), found[-1]) == (xlsx_table.LONGEST, "…")


def test_more_rows_than_a_sheet_holds_are_refused_and_not_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xlsx_table, "MOST_ROWS", 4)
    made(["Log"], ["N"], [[1], [2]])
    with pytest.raises(TooManyRowsError, match="Ask for CSV"):
        made(["Log"], ["N"], [[1], [2], [3]])
