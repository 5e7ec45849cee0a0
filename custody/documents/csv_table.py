"""Tables as CSV, for spreadsheets that guess: text stays text, numbers stay numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import IO

BOM = "\ufeff"
FORMULA = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")  # the wide forms count as well
MEDIA = "text/csv; charset=utf-8"
Cell = str | int | None


def write(
    out: IO[bytes], about: Sequence[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> None:
    """Write a CSV file in UTF-8 with a byte order mark, and CRLF at the ends of lines, row by row.

    `about` are lines above the header: what was asked for and how many rows follow. Whole numbers
    are written bare, negative ones too; text is quoted, so that a leading zero is kept by whoever
    reads types, and text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    text.write(BOM)
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([_safe(line)] for line in about)
    writer.writerow([_safe(name) for name in header])
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    text.detach()


def _safe(cell: Cell) -> str | int:
    if isinstance(cell, int):
        return cell
    text = cell or ""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
