"""Tables for spreadsheets: codes stay text, numbers stay numbers, nothing runs."""

import csv
import io

import pytest

from custody.documents import csv_table


def made(about: list[str], header: list[str], rows: list[list[csv_table.Cell]]) -> bytes:
    out = io.BytesIO()
    csv_table.write(out, about, header, rows)
    return out.getvalue()


def read(body: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def test_a_table_begins_with_a_mark_and_what_it_is_about() -> None:
    body = made(["Log", "2 lines"], ["Code", "Pieces"], [["D5-001", 5], ["", 0]])
    assert body.startswith(b"\xef\xbb\xbf")
    assert read(body) == [["Log"], ["2 lines"], ["Code", "Pieces"], ["D5-001", "5"], ["", "0"]]


def test_a_code_of_digits_is_quoted_and_a_number_is_bare() -> None:
    body = made([], ["Code", "n"], [["004217", -3], ["8939010102358478435", 12]])
    assert b'"004217",-3\r\n' in body
    assert b'"8939010102358478435",12\r\n' in body


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http://x")', "@ops", "+1", "-1+2", "\t=1", " =1", "\uff1d1", "\r=1"]
)
def test_text_that_looks_like_a_formula_is_made_harmless(text: str) -> None:
    assert read(made([text], [text], [[text]])) == [[f"'{text}"]] * 3


def test_text_with_quotes_commas_and_line_breaks_comes_back_as_it_was() -> None:
    text = 'two "words",\nand more; ñ'
    assert read(made([], ["a"], [[text]]))[1] == [text]
