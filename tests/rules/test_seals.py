"""Numbered seals by lot and number: which one is meant, and which are unaccounted for."""

from __future__ import annotations

from custody.rules import core, facts, lots, numbered
from tests.rules.scenes import Ledger


def two_colours() -> Ledger:
    ledger = Ledger()
    for lot in ("SL-RED", "SL-BLUE"):
        made = {"kind": "seals", "form": "lot", "attributes": {"first": "001", "last": "050"}}
        ledger.step("receive", lot, "sam", to="dock", **made)
        ledger.step("store", lot, "sam", to="vault")
    return ledger


def test_a_bare_number_means_the_seal_in_hand_and_none_where_several_are() -> None:
    ledger = two_colours()
    assert numbered.meant(ledger.store, "007", "seals") is None
    ledger.step("issue", "SL-RED/001..SL-RED/020", "sam", to="pit1")
    assert numbered.meant(ledger.store, "007", "seals")["stem"] == "SL-RED/"
    ledger.step("issue", "SL-BLUE/001..SL-BLUE/020", "sam", to="pit1")
    assert numbered.meant(ledger.store, "007", "seals") is None
    assert numbered.meant(ledger.store, "SL-BLUE/007", "seals")["stem"] == "SL-BLUE/"
    for text in ("999", "red"):
        assert numbered.numbers(ledger.store, text, "seals") == []


def test_a_number_that_several_seals_in_hand_bear_is_refused_with_their_names() -> None:
    ledger = two_colours()
    ledger.receive("D5-001")
    ledger.step("store", "D5-001", "fay sam", to="vault")
    ledger.step("issue", "D5-001", "fay sam pam", to="pit1")
    for lot in ("SL-RED", "SL-BLUE"):
        ledger.step("issue", f"{lot}/001..{lot}/020", "sam", to="pit1")
    packed = {"purpose": "reserve_destroy", "pit": "pit1", "label": True}
    reasons = ledger.reasons("pack", "D5-001", "pam", into="EV-1", seal="007", **packed)
    assert [(r["code"], r["values"]["seals"]) for r in reasons] == [
        ("seal-unclear", ["SL-BLUE/007", "SL-RED/007"])
    ]
    key = ledger.step("pack", "D5-001", "pam", into="EV-1", seal="SL-RED/007", **packed)
    assert lots.value_of(ledger.store, "SL-RED/007")["on"] == "EV-1"
    ledger.step("correct", ["D5-001"], "pam", event=key, reason="another envelope")
    assert lots.value_of(ledger.store, "SL-RED/007")["state"] == "reserve"


def test_seals_before_a_used_one_that_nobody_accounts_for_are_gaps() -> None:
    ledger = two_colours()
    ledger.step("issue", "SL-RED/001..SL-RED/010", "sam", to="pit1")
    ledger.receive("D5-001")
    ledger.step("store", "D5-001", "fay sam", to="vault")
    ledger.step("issue", "D5-001", "fay sam pam", to="pit1")
    packed = {"purpose": "reserve_destroy", "pit": "pit1", "label": True}
    ledger.step("pack", "D5-001", "pam", into="EV-1", seal="SL-RED/006", **packed)
    ledger.step("mark_void", "SL-RED", "fay", serials=["002"], reason="torn")
    ledger.step("return", "SL-RED/004..SL-RED/005", "fay", to="vault")
    assert numbered.gaps(ledger.store, "SL-RED") == ["SL-RED/001", "SL-RED/003"]
    assert numbered.gaps(ledger.store, "SL-BLUE") == []


def test_a_long_run_of_voided_seals_is_looked_at_in_a_few_rounds_and_only_so_far() -> None:
    """A handheld fetches what the rules ask for and calls again, twelve times at most."""
    ledger = Ledger()
    made = {"kind": "seals", "form": "lot", "attributes": {"first": "001", "last": "500"}}
    ledger.step("receive", "SL-RED", "sam", to="dock", **made)
    ledger.step("issue", "SL-RED/001..SL-RED/300", "sam", to="pit1")
    for number in range(2, 120, 2):
        ledger.step("mark_void", f"SL-RED/{number:03d}", "fay", reason="torn")
    for seal in (1, 61, 119, 300):
        assert rounds(ledger, f"SL-RED/{seal:03d}") <= 8
    run = numbered.unused(ledger.store, "SL-RED/121", "seals")
    missed = numbered.passed_over(ledger.store, run)
    assert [one["first"] for one in missed[:2]] == [120 - 1, 117]
    assert len(missed) == 1 + numbered.NEAR // 2


def rounds(ledger: Ledger, seal: str) -> int:
    known = facts.Book(ledger.book["gone"], noting=True)
    ledger.receive(f"D5-{seal[-3:]}")
    fields = {"purpose": "reserve_destroy", "pit": "pit1", "label": True, "seal": seal}
    draft = ledger.draft("pack", f"D5-{seal[-3:]}", "pam", into="EV-1", **fields)
    for number in range(1, 100):
        known.missing = []
        core.judge(ledger.book, known, draft)
        if not known.missing:
            return number
        for what, *of in known.missing:
            if what == "get":
                known.records[of[0], of[1]] = ledger.store.get(*of)
            elif what == "at":
                known.here[of[0]] = dict.fromkeys(ledger.store.at(*of), True)
            elif what == "sealed":
                known.seals[of[0]] = {}
            else:
                known.types[of[0]] = dict.fromkeys(ledger.store.places(*of), True)
    return 100
