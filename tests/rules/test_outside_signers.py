"""Somebody who is not of the house signs where the text lets them, on a ledger in memory."""

from __future__ import annotations

from custody.rules import core
from tests.rules.scenes import Ledger

REGULATOR = {
    "name": "C. Doe",
    "agency": "State Gaming",
    "number": "CR-17",
    "job": "compliance_representative",
    "how": "drawn",
}


def test_a_regulator_from_outside_holds_for_the_commission_and_closes_no_exception() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    ledger.step("store", "D5-001", "fay sam", to="vault")
    hold = ledger.draft("hold", "D5-001", "", case="C-1")
    hold["by"] = ["fay", REGULATOR]
    assert core.judge(ledger.book, ledger.store, hold)["reasons"] == []
    ledger.record(hold)
    assert ledger.item("D5-001")["hold"]["by"] == "commission"
    alone = ledger.draft("resolve", "D5-001", "dee", exception="rule-broken", outcome="seen")
    alone["by"] = ["dee", REGULATOR]
    codes = [one["code"] for one in core.judge(ledger.book, ledger.store, alone)["reasons"]]
    assert "signer-missing" in codes


def test_a_form_says_in_which_job_somebody_from_outside_may_sign() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.sealed("D5-001", "EV-1")
    draft = ledger.draft("hand_over", "EV-1", "sam", to="comm", copies=2)
    slots = core.form(ledger.book, ledger.store, draft)["signers"]
    assert {tuple(one["need"]): one["outside"] for one in slots} == {
        ("floorperson+", "security"): [],
        ("compliance_representative",): ["compliance_representative"],
    }
