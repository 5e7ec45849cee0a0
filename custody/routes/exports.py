"""A report as a file: CSV or XLSX, all of it and not only the page in sight."""

from collections.abc import Iterable, Sequence

from flask import Response

from custody.documents import csv_table, xlsx_table
from custody.documents.csv_table import Cell

CSV, XLSX = "csv", "xlsx"
FORMATS = f"any({CSV}, {XLSX})"
WRITERS = {
    CSV: (csv_table.write, "text/csv; charset=utf-8"),
    XLSX: (xlsx_table.write, xlsx_table.MEDIA),
}


def answer(
    name: str,
    form: str,
    about: Sequence[str],
    header: Sequence[str],
    rows: Iterable[Sequence[Cell]],
) -> Response:
    """Answer with a table as a file called `name`, in one of the formats."""
    write, media = WRITERS[form]
    made = Response(write(about, header, rows), content_type=media)
    made.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    made.headers["Cache-Control"] = "no-store"
    return made
