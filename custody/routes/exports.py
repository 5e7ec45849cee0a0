"""A table as a file: CSV, XLSX or JSON Lines, all of it and not only the page in sight."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import IO

from flask import Response

from custody.documents import csv_table, jsonl_table, xlsx_table
from custody.documents.errors import TooManyRowsError
from custody.documents.spool import spooled
from custody.routes import errors, sentences
from custody.routes.missing import Missing
from custody.routes.tables import TABLES, Table, Wrong
from custody.routes.tables.table import Row
from custody.routes.words import words

CSV, XLSX, JSONL = "csv", "xlsx", "jsonl"
FORMATS = f"any({CSV}, {XLSX})"
MEDIA = {CSV: csv_table.MEDIA, XLSX: xlsx_table.MEDIA}
WRITERS = {CSV: csv_table.write, XLSX: xlsx_table.write, JSONL: jsonl_table.write}
PIECE = 1 << 16  # bytes


def write(
    out: IO[bytes],
    table: Table,
    form: str,
    given: Mapping[str, str],
    progress: Callable[[int], None] = lambda rows: None,
) -> int:
    """Write a table to a binary file in one of the formats; return how many rows it has.

    `progress` is told how many were read so far. Raises Wrong for what makes no sense to ask, and
    TooManyRowsError.
    """
    asked = table.asked(given)
    with spooled(_counted(table.rows(asked), progress)) as (count, rows):
        header = table.columns if form == JSONL else table.header()
        WRITERS[form](out, table.about(asked, count), header, rows)
    return count


def _counted(rows: Iterable[Row], progress: Callable[[int], None]) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        progress(number)
        yield row


def answer(name: str, form: str, given: Mapping[str, str]) -> Response:
    """Answer with a table as a file of its name; 404 for what makes no sense to ask of it, 422 for
    more rows than a sheet holds.
    """
    with ExitStack() as stack:
        out = stack.enter_context(tempfile.TemporaryFile())
        try:
            write(out, TABLES[name], form, given)
        except Wrong as error:
            raise Missing(str(error)) from error
        except TooManyRowsError as error:
            return errors.problem(422, words(TABLES[name].title), sentences.document(error))
        stack.pop_all()  # closed once it is sent
    made = Response(_pieces(out), content_type=MEDIA[form])
    made.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    made.headers["Content-Length"] = str(out.tell())
    made.headers["Cache-Control"] = "no-store"
    return made


def _pieces(out: IO[bytes]) -> Iterator[bytes]:
    with out:
        out.seek(0)
        while piece := out.read(PIECE):
            yield piece
