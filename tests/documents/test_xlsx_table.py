"""Tables as XLSX: what is text stays text, what is a number is one."""

import io
import zipfile

import pytest
from selectolax.lexbor import LexborHTMLParser

from custody.documents import xlsx_table


def cells(data: bytes) -> dict[str, tuple[str, str]]:
    """Return type and value of each cell: `s` for text (looked up), "" for a number."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        shared = parts.read("xl/sharedStrings.xml").decode()
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
    texts = [node.text() for node in LexborHTMLParser(shared).css("si")]
    found = {}
    for cell in LexborHTMLParser(sheet).css("c"):
        kind, value = cell.attributes.get("t") or "", cell.text()
        found[str(cell.attributes["r"])] = (kind, texts[int(value)] if kind == "s" else value)
    return found


@pytest.mark.parametrize(
    "text", ["004217", "8939010102358478435", '=HYPERLINK("http://x")', "@ops", "https://a.example"]
)
def test_text_is_never_a_number_a_formula_or_a_link(text: str) -> None:
    data = xlsx_table.write([], ["Code"], [[text]])
    assert cells(data)["A2"] == ("s", text)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")
        assert not any("rels" in name and "sheet1" in name for name in parts.namelist())


def test_whole_numbers_are_numbers_negative_ones_too() -> None:
    assert cells(xlsx_table.write([], ["Variance"], [[-3]]))["A2"] == ("", "-3")


def test_what_was_asked_for_stands_above_the_header() -> None:
    found = cells(xlsx_table.write(["Log", "2 lines"], ["Code", "N"], [["D5-1", 1], [None, 2]]))
    assert [found[name][1] for name in ("A1", "A2", "A3", "B3", "A4", "B5")] == [
        *("Log", "2 lines", "Code", "N", "D5-1", "2"),
    ]


def test_a_text_too_long_for_a_cell_says_that_it_goes_on() -> None:
    found = cells(xlsx_table.write([], ["Codes"], [["x" * 40_000]]))["A2"][1]
    assert (len(found), found[-1]) == (xlsx_table.LONGEST, "…")
