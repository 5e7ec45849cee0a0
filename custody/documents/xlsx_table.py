"""Tables as XLSX: text is text and numbers are numbers, so that no code loses a digit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any

import xlsxwriter

from custody.documents.csv_table import Cell
from custody.documents.errors import TooManyRowsError

LONGEST = 32_767  # characters in a cell; a longer text ends in an ellipsis, and the CSV has it all
MOST_ROWS = 1_048_576  # in a sheet
WIDEST = 60
HOW = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "constant_memory": True,  # a row is in a file once the next one begins
}
MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def write(
    out: IO[bytes], about: Sequence[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> None:
    """Write an XLSX file of one sheet, row by row: the lines of `about`, the header, the rows.

    Text is written as text, never as a formula, a link or a number; whole numbers are numbers.
    Raises TooManyRowsError for more rows than a sheet holds.
    """
    with xlsxwriter.Workbook(out, HOW) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        text = book.add_format({"num_format": "@"})
        for number, line in enumerate(about):
            sheet.write_string(number, 0, _fitting(line))
        top = len(about)
        for column, name in enumerate(header):
            sheet.write_string(top, column, _fitting(name), bold)
        widths = [len(name) for name in header]
        for number, row in enumerate(rows, top + 1):
            _write_row(sheet, number, row, text, widths)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width + 2)
        sheet.freeze_panes(top + 1, 0)


def _write_row(sheet: Any, number: int, row: Sequence[Cell], text: Any, widths: list[int]) -> None:
    if number >= MOST_ROWS:
        raise TooManyRowsError(MOST_ROWS)
    for column, cell in enumerate(row):
        if isinstance(cell, int):
            sheet.write_number(number, column, cell)
        else:
            sheet.write_string(number, column, _fitting(cell or ""), text)
        widths[column] = max(widths[column], min(WIDEST, len(str(cell or ""))))


def _fitting(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
