"""Two-part forms as items: their numbers, their parts, and what a correction takes back."""

from __future__ import annotations

import pytest

from custody.rules import core, lots, numbered, papers
from tests.rules.scenes import Ledger

BLANK = {"kind": "form", "form": "lot", "attributes": {"first": "0001", "last": "0050"}}


def reported(number: str = "FR-DDR/0001", **more: str) -> tuple[Ledger, str]:
    """Return a ledger with a sealed set, and the report on it, on a form that was handed out."""
    ledger = Ledger()
    ledger.step("receive", "FR-DDR", "sue", to="sec", **BLANK)
    ledger.step("issue", "FR-DDR/0001..FR-DDR/0010", "sue pam", to="pit1")
    ledger.at_table("D5-001")
    ledger.step("remove", "D5-001", "fay dee", reason="tampering")
    packed = {"purpose": "tampering", "table": "CR1", "seal": "S-1", "label": True}
    ledger.step("pack", "D5-001", "dee fay", into="EV-1", **packed)
    return ledger, ledger.step("report", "EV-1", "fay", form="dice", form_number=number, **more)


def test_a_written_form_is_two_items_and_a_used_number() -> None:
    ledger, key = reported()
    assert lots.value_of(ledger.store, "FR-DDR/0001")["on"] == key
    for part in papers.PARTS:
        value = ledger.item(f"FR-DDR/0001/{part}")
        assert (value["form"], value["attributes"]["number"]) == (part, "FR-DDR/0001")
        assert value["clauses"][0] == "MD-02.13-H.2.d"
    form = ledger.store.get("task", f"form:{key}")
    assert form["papers"]["duplicate"] == "FR-DDR/0001/duplicate"


def test_a_correction_takes_the_parts_back_and_the_blank_is_in_hand_again() -> None:
    ledger, key = reported()
    ledger.step("correct", ["EV-1"], "pam", event=key, reason="another set")
    assert ledger.store.get("item", "FR-DDR/0001/original") is None
    assert numbered.in_hand(lots.value_of(ledger.store, "FR-DDR/0001"))
    again = ledger.step("report", "EV-1", "fay", form="dice", form_number="FR-DDR/0001")
    assert ledger.item("FR-DDR/0001/original")["event"] == again
    assert lots.value_of(ledger.store, "FR-DDR/0001")["on"] == again


def test_the_same_number_on_two_devices_is_an_exception_and_keeps_the_first_parts() -> None:
    ledger, key = reported()
    again = ledger.draft("report", "EV-1", "fay", form="dice", form_number="FR-DDR/0001")
    ledger.record(again)
    assert ledger.item("FR-DDR/0001/original")["event"] == key
    assert "rule-broken" in ledger.open_kinds("EV-1")


def test_numbers_that_are_passed_over_are_missed_until_they_are_handed_back() -> None:
    ledger, _ = reported("0004")
    assert numbered.gaps(ledger.store, "FR-DDR") == ["FR-DDR/0001..FR-DDR/0003"]
    assert ledger.open_kinds("FR-DDR/0001..FR-DDR/0003") == ["form-gap"]
    ledger.step("return", "FR-DDR/0001..FR-DDR/0002", "pam", to="sec")
    assert numbered.gaps(ledger.store, "FR-DDR") == ["FR-DDR/0003"]
    assert ledger.open_kinds("FR-DDR/0001..FR-DDR/0003") == ["form-gap"]
    ledger.step("mark_void", "FR-DDR/0003", "pam", reason="torn")
    assert ledger.open_kinds("FR-DDR/0001..FR-DDR/0003") == []


def test_a_number_of_no_lot_is_written_on_once() -> None:
    ledger, _ = reported("DDR-77")
    assert ledger.item("DDR-77/duplicate")["state"] == "issued"
    ledger.receive("D5-009")
    again = ledger.reasons("report", "D5-009", "fay", form="dice", form_number="DDR-77")
    assert [one["code"] for one in again] == ["form-spent"]


@pytest.mark.parametrize("number", ["", "two words", "x" * 51, "A1..A2", 7])
def test_what_is_no_number_makes_no_parts(number: object) -> None:
    event = {"step": "report", "with": {"form_number": number}}
    assert papers.number(event) is None


def test_a_fact_names_the_paper_form_on_which_it_was_taken_down() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    at = ledger.now
    fact = {"why": "paper", "at": at, "form": "P-12"}
    ledger.fact("store", "D5-001", "fay sam", to="vault", fact=fact)
    assert ledger.item("P-12/original")["holder"] == "fay"
    assert ledger.store.get("item", "P-12/duplicate") is None


def test_a_part_that_is_void_goes_nowhere_and_a_filed_one_may_be_destroyed() -> None:
    ledger, _ = reported()
    original = "FR-DDR/0001/original"
    underway = ledger.reasons("destroy", original, "sam", where="shred", method="shredded")
    assert [one["code"] for one in underway] == ["form-underway"]
    ledger.step("mark_void", original, "pam", reason="coffee")
    assert ledger.item(original)["way"] == []
    ledger.step("destroy", original, "sam", where="shred", method="shredded")
    assert ledger.item(original)["state"] == "destroyed"


def test_a_part_off_its_way_is_refused_under_the_clause_of_its_way() -> None:
    ledger, _ = reported()
    duplicate = "FR-DDR/0001/duplicate"
    (astray,) = ledger.reasons("store", duplicate, "fay", to="vault")
    assert (astray["code"], astray["clause"]) == ("form-astray", "MD-02.13-H.2.d")
    assert core.judge(
        ledger.book, ledger.store, ledger.draft("store", duplicate, "fay", to="pit1")
    ) == {"reasons": [], "noted": []}


def test_a_duplicate_of_no_pit_goes_on_to_security_with_who_handed_the_items_over() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    ledger.step("report", "D5-001", "fay", form="dice", form_number="DDR-1")
    ledger.fact("hand_over", "D5-001", "sam cora", to="comm", copies=2)
    value = ledger.item("DDR-1/duplicate")
    assert (value["holder"], value["way"]) == ("sam", [["security"]])
    ledger.step("deliver", "DDR-1/duplicate", "sam", to="sec")
    assert ledger.item("DDR-1/duplicate")["way"] == []
