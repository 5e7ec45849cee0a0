"""Rows kept on disk between being read and being written, so that a file can begin with how many
there are and memory does not grow with them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType

import orjson

from custody.documents.csv_table import Cell

MEMORY = 1 << 20  # bytes that are kept without a file


class Spool:
    """Rows in the order in which they came; `count` says how many."""

    def __init__(self, rows: Iterable[Sequence[Cell]]) -> None:
        self._file = tempfile.SpooledTemporaryFile(MEMORY)
        self.count = 0
        try:
            for row in rows:
                self._file.write(orjson.dumps(row) + b"\n")
                self.count += 1
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[list[Cell]]:
        self._file.seek(0)
        for line in self._file:
            yield orjson.loads(line)
