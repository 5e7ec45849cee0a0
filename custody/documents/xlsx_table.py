"""Tables as XLSX: text is text and numbers are numbers, so that no code loses a digit."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import xlsxwriter

from custody.documents.csv_table import Cell

LONGEST = 32_767  # characters in a cell; a longer text ends in an ellipsis, and the CSV has it all
WIDEST = 60
NEVER = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def write(about: Sequence[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return an XLSX file of one sheet: the lines of `about`, the header, the rows.

    Text is written as text, never as a formula, a link or a number; whole numbers are numbers.
    """
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, **NEVER}) as book:
        sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
        text = book.add_format({"num_format": "@"})
        for number, line in enumerate(about):
            sheet.write_string(number, 0, _fitting(line))
        top = len(about)
        widths = [len(name) for name in header]
        for column, name in enumerate(header):
            sheet.write_string(top, column, _fitting(name), bold)
        for number, row in enumerate(rows, top + 1):
            for column, cell in enumerate(row):
                if isinstance(cell, int):
                    sheet.write_number(number, column, cell)
                else:
                    sheet.write_string(number, column, _fitting(cell or ""), text)
                widths[column] = max(widths[column], min(WIDEST, len(str(cell or ""))))
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width + 2)
        sheet.freeze_panes(top + 1, 0)
    return out.getvalue()


def _fitting(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
