"""Tables for programs, and rows that wait on disk."""

import io
import json
from collections.abc import Iterator

import pytest

from custody.documents import jsonl_table, spool
from custody.documents.csv_table import Cell


def test_a_row_is_an_object_by_the_ids_of_its_columns() -> None:
    out = io.BytesIO()
    rows: list[list[Cell]] = [["004217", -3, None], ["=1+1", 0, "ñ\n"]]
    jsonl_table.write(out, ["about"], ("code", "pieces", "note"), rows)
    assert [json.loads(line) for line in out.getvalue().decode().splitlines()] == [
        {"code": "004217", "pieces": -3, "note": None},
        {"code": "=1+1", "pieces": 0, "note": "ñ\n"},
    ]


def test_a_row_of_another_width_is_an_error_and_no_row() -> None:
    with pytest.raises(ValueError, match="shorter"):
        jsonl_table.write(io.BytesIO(), [], ("code", "pieces"), [["004217"]])


def test_rows_come_back_as_they_were_with_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spool, "MEMORY", 16)
    rows: list[list[Cell]] = [["a\nb", n, None] for n in range(20)]
    with spool.spooled(iter(rows)) as (count, found):
        assert (count, list(found)) == (20, rows)
    with spool.spooled([]) as (count, found):
        assert (count, list(found)) == (0, [])


def test_what_fails_while_rows_are_read_is_not_swallowed() -> None:
    def failing() -> Iterator[list[Cell]]:
        yield ["a"]
        raise KeyError("b")

    with pytest.raises(KeyError), spool.spooled(failing()):
        pytest.fail("there is no table to write")
