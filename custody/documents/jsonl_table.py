"""Tables as JSON Lines: an object a row, by the ids of its columns, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import IO

from custody.documents.csv_table import Cell


def write(
    out: IO[bytes], about: Sequence[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> None:
    """Write one JSON object a line, in UTF-8, row by row; `header` are the names of its values.

    Text is text and whole numbers are numbers; what is not known is null. There is no line of
    `about`, which would be no row.
    """
    for row in rows:
        told = dict(zip(header, row, strict=True))
        line = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        out.write(line.encode() + b"\n")
