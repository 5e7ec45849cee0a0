"""Rows kept on disk between being read and being written, so that a file can begin with how many
there are and memory does not grow with them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import orjson

from custody.documents.csv_table import Cell

MEMORY = 1 << 20  # bytes that are kept without a file


@contextmanager
def spooled(rows: Iterable[Sequence[Cell]]) -> Iterator[tuple[int, Iterator[list[Cell]]]]:
    """Read all rows, and yield how many there are and the rows themselves, in their order."""
    with tempfile.SpooledTemporaryFile(MEMORY) as file:
        count = 0
        for count, row in enumerate(rows, 1):  # noqa: B007  # the last one is how many there are
            file.write(orjson.dumps(row) + b"\n")
        file.seek(0)
        yield count, map(orjson.loads, file)
