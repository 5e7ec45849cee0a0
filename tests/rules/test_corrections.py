"""What a correction takes back beside items: forms, counts, and exceptions of both sides."""

from __future__ import annotations

from typing import Any

from tests.rules.scenes import Ledger
from tests.rules.test_papers import BLANK


def handed_over() -> tuple[Ledger, str, str]:
    """Return a ledger with a report on a set, and the set with the commission; no form's number."""
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.step("remove", "D5-001", "fay dee", reason="tampering")
    packed = {"purpose": "tampering", "table": "CR1", "seal": "S-1", "label": True}
    ledger.step("pack", "D5-001", "dee fay", into="EV-1", **packed)
    report = ledger.step("report", "EV-1", "fay", form="dice")
    return ledger, report, ledger.step("hand_over", "EV-1", "sam cora", to="comm", copies=2)


def duplicates(ledger: Ledger) -> list[str]:
    return list((ledger.store.get("task", "duplicates:pit1") or {"forms": []})["forms"])


def correct(ledger: Ledger, key: str, items: Any = ()) -> str:
    return ledger.step("correct", list(items), "pam", event=key, reason="another one")


def test_a_wrong_handing_over_lets_the_duplicate_wait_nowhere() -> None:
    ledger, report, key = handed_over()
    assert duplicates(ledger) == [f"form:{report}"]
    correct(ledger, key, ["EV-1"])
    assert duplicates(ledger) == []
    form = ledger.store.get("task", f"form:{report}")
    assert form["original"]["state"] == form["duplicate"]["state"] == "made"


def test_a_wrong_collection_leaves_the_duplicate_in_the_pit() -> None:
    ledger, report, _ = handed_over()
    ledger.at_table("D5-002")
    ledger.sealed("D5-002", "EV-2", "S-2")
    key = ledger.step("collect", "EV-2", "sam")
    assert duplicates(ledger) == []
    correct(ledger, key, ["EV-2"])
    assert duplicates(ledger) == [f"form:{report}"]
    assert ledger.store.get("task", f"form:{report}")["duplicate"]["state"] == "in_pit"


def test_a_wrong_report_is_no_form_any_more_wherever_its_parts_are() -> None:
    ledger, report, _ = handed_over()
    correct(ledger, report, ["EV-1"])
    assert ledger.store.get("task", f"form:{report}") is None
    assert duplicates(ledger) == []
    assert "reports" not in ledger.item("EV-1") or ledger.item("EV-1")["reports"] == []


def test_a_gap_is_open_again_where_what_had_closed_it_was_wrong() -> None:
    ledger = Ledger()
    ledger.step("receive", "FR-DDR", "sue", to="sec", **BLANK)
    ledger.step("issue", "FR-DDR/0001..FR-DDR/0010", "sue pam", to="pit1")
    ledger.at_table("D5-001")
    ledger.step("report", "D5-001", "fay", form="dice", form_number="0003")
    void = ledger.step("mark_void", "FR-DDR/0001..FR-DDR/0002", "pam", reason="torn")
    assert ledger.open_kinds("FR-DDR/0001..FR-DDR/0002") == []
    correct(ledger, void)
    assert ledger.open_kinds("FR-DDR/0001..FR-DDR/0002") == ["form-gap"]


def test_an_exception_that_only_a_wrong_event_caused_later_ends_with_it() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    wrong = ledger.fact("remove", "D5-001", "fay dee", reason="rotation")
    look = ledger.fact("play", "D5-001", "fay dee", where="CR1", vessel="cup")
    assert ledger.open_kinds("D5-001")
    correct(ledger, look, ["D5-001"])
    assert ledger.open_kinds("D5-001") == []
    again = ledger.fact("remove", "D5-001", "gus dee", reason="rotation")
    assert [entry[2] for entry in ledger.store.open("D5-001")] == [again]
    correct(ledger, wrong, ["D5-001"])
    assert ledger.open_kinds("D5-001") == []


def test_what_is_said_of_the_record_itself_stays() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    first = ledger.step("store", "D5-001", "fay sam", to="vault")
    late = ledger.draft("store", "D5-001", "gus sam", to="vault")
    late["saw"] = {"D5-001": "e1"}
    key = ledger.record(late)
    assert ledger.open_kinds("D5-001") == ["concurrent-claim"]
    correct(ledger, key, ["D5-001"])
    assert ledger.open_kinds("D5-001") == ["concurrent-claim"]
    assert first in ledger.item("D5-001")["last"] or ledger.item("D5-001")["disputed"]


def test_a_second_counter_of_the_same_day_takes_the_place_of_the_first_and_is_shown_so() -> None:
    ledger = Ledger()
    ledger.receive("D5-001..D5-004")
    ledger.step("store", "D5-001..D5-004", "fay sam", to="vault")
    counted = {"kind": "dice", "where": "vault"}
    first = ledger.step("count", [], "ann", found=["D5-001"], **counted)
    again = ledger.step("count", [], "ann", found=["D5-001..D5-002"], **counted)
    other = ledger.step("count", [], "amy", found=["D5-001..D5-003"], **counted)
    told = [ledger.store.get("task", f"counted:{key}")["double"] for key in (first, again, other)]
    assert told[:2] == [None, None]
    assert (told[2]["event"], told[2]["by"]) == (again, ["ann"])
    lines = [line for line in ledger.store.postings if line["term"] == "variance"]
    assert sum(line["units"]["sticks"] for line in lines) == -1


def test_a_second_correction_is_refused_and_names_the_first() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    wrong = ledger.step("remove", "D5-001", "fay dee", reason="rotation")
    first = correct(ledger, wrong, ["D5-001"])
    said = ledger.reasons("correct", "D5-001", "pam", event=wrong, reason="again")
    assert [reason["code"] for reason in said] == ["already-corrected"]
    named = {"event": wrong, "correction": first, "day": "2026-11-30"}
    assert said[0]["values"] == named
    ledger.fact("correct", "D5-001", "pam", event=wrong, reason="again")
    assert ledger.open_kinds("D5-001") == ["rule-broken"]
    assert ledger.item("D5-001")["state"] == "in_play"


def test_a_correction_that_stands_aside_spares_no_other() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    wrong = ledger.step("remove", "D5-001", "fay dee", reason="rotation")
    offline = ledger.draft("correct", "D5-001", "pam", event=wrong, reason="offline")
    offline["saw"] = {"D5-001": wrong}
    ledger.step("inspect", "D5-001", "gus", when="end_of_day", result="pass")
    ledger.record(offline)
    assert ledger.open_kinds("D5-001") == ["concurrent-claim"]
    ledger.step("resolve", "D5-001", "pam", exception="concurrent-claim", outcome="seen")
    assert ledger.item("D5-001")["state"] == "removed"
    correct(ledger, wrong, ["D5-001"])
    assert ledger.item("D5-001")["state"] == "in_play"
