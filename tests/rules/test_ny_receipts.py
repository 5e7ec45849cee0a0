"""The machine's receipt of a preshuffled batch in New York: one paper, with the batch."""

from __future__ import annotations

from tests.rules.stories import files, told


def test_the_receipt_of_a_batch_stays_at_the_table_and_goes_back_into_its_container() -> None:
    (path,) = files("ny-preshuffle-rules")
    story = told(path)
    forms = [
        value
        for (of, key), value in story.ledger.records.items()
        if of == "task" and key.startswith("form:")
    ]
    by_receipt = {form["receipt"]: form for form in forms}
    first = by_receipt["R-1"]
    assert first["machine"] == "reader 7"
    assert first["delivered"]["table"] == "MB1"
    assert first["original"] == {"state": "with_batch", "place": "NX-1", "holder": None}
    assert first["duplicate"]["state"] == "none"
