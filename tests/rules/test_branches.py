"""Concurrent claims, their resolution, and corrections, on a ledger in memory."""

from __future__ import annotations

from custody.rules import clocks, counts, refold
from tests.rules.scenes import FOUR, Ledger


def two_branches():
    ledger = Ledger()
    ledger.receive("D5-001..D5-002")
    ledger.step("store", "D5-001..D5-002", "fay sam", to="vault")
    ledger.step("issue", "D5-001..D5-002", "fay sam pam", to="pit1")
    seen = {"D5-001": "e3", "D5-002": "e3"}
    first = ledger.draft("issue", "D5-001", "fay", to="CR1")
    second = ledger.draft("issue", ["D5-001", "D5-002"], "gus", to="CR2")
    first["saw"] = {"D5-001": "e3"}
    second["saw"] = seen
    return ledger, ledger.record(first), ledger.record(second)


def test_an_event_whose_saw_is_no_tip_raises_one_concurrent_claim_and_nothing_else():
    ledger, _first, second = two_branches()
    raised = [entry for entry in ledger.store.exceptions if entry["event"] == second]
    assert [(entry["kind"], entry["items"]) for entry in raised] == [
        ("concurrent-claim", ["D5-001"])
    ]


def test_a_disputed_item_is_where_its_first_logged_branch_puts_it():
    ledger, first, second = two_branches()
    value = ledger.item("D5-001")
    assert (value["place"], value["disputed"], value["last"]) == ("CR1", True, [first, second])
    assert ledger.item("D5-002")["disputed"] is False
    assert ledger.item("D5-002")["place"] == "CR2"


def test_an_event_that_continues_any_tip_raises_nothing_new():
    ledger, first, second = two_branches()
    before = len(ledger.store.exceptions)
    for tip, table in ((first, "CR1"), (second, "CR2")):
        look = ledger.draft(
            "inspect", "D5-001", "fay dee", when="before_play", instruments=FOUR, result="pass"
        )
        look["saw"] = {"D5-001": tip}
        key = ledger.record(look)
        play = ledger.draft("play", "D5-001", "fay dee", where=table, vessel="cup")
        play["saw"] = {"D5-001": key}
        ledger.record(play)
    assert len(ledger.store.exceptions) == before
    assert [tip[1]["place"] for tip in ledger.store.tips("D5-001")] == ["CR1", "CR2"]


def test_a_branch_that_does_not_stand_posts_nothing():
    ledger, _, _ = two_branches()
    for place, sticks in (("CR1", 1), ("CR2", 1), ("pit1", 0)):
        hand = counts.on_hand(ledger.book, ledger.store.postings, "dice", place)
        assert hand["sticks"] == sticks, place


def test_a_third_device_makes_a_third_branch_and_another_claim():
    ledger, _, _ = two_branches()
    third = ledger.draft("collect", "D5-001", "ash")
    third["saw"] = {"D5-001": "e3"}
    ledger.record(third)
    assert len(ledger.store.tips("D5-001")) == 3
    assert ledger.open_kinds("D5-001") == ["concurrent-claim", "concurrent-claim"]


def test_a_resolution_makes_one_branch_of_them_the_one_that_it_names():
    ledger, _first, second = two_branches()
    claim = ledger.store.open("D5-001")[0][0]
    ledger.step("resolve", "D5-001", "pam", exception=claim, outcome="at CR2", stands=second)
    value = ledger.item("D5-001")
    assert (value["place"], value["disputed"]) == ("CR2", False)
    assert ledger.open_kinds("D5-001") == []
    hand = counts.on_hand(ledger.book, ledger.store.postings, "dice", "CR2")
    assert hand == {"sticks": 2, "dice": 10}
    assert counts.on_hand(ledger.book, ledger.store.postings, "dice", "CR1")["sticks"] == 0


def test_without_a_word_the_first_logged_branch_stands_and_the_other_one_ends():
    ledger, _, second = two_branches()
    ledger.step("resolve", "D5-001", "pam", exception="concurrent-claim", outcome="at CR1")
    assert ledger.item("D5-001")["place"] == "CR1"
    late = ledger.draft("store", "D5-001", "gus", to="pit1")
    late["saw"] = {"D5-001": second}
    ledger.record(late)
    assert ledger.open_kinds("D5-001") == ["concurrent-claim"]


def test_a_code_that_comes_into_being_twice_is_a_concurrent_claim():
    ledger = Ledger()
    ledger.receive("D5-001")
    again = ledger.draft(
        "receive",
        "D5-001",
        "fay sam",
        to="dock",
        seals="intact",
        kind="dice",
        form="stick",
        attributes={"size": 5, "games": ["craps"]},
    )
    again["saw"] = {}
    ledger.record(again)
    assert ledger.open_kinds("D5-001") == ["concurrent-claim"]
    assert counts.on_hand(ledger.book, ledger.store.postings, "dice", "dock")["sticks"] == 1


def test_what_is_inside_of_an_envelope_is_claimed_with_it():
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.sealed("D5-001", "EV-1")
    key = ledger.step("collect", "EV-1", "sam")
    assert ledger.store.claims(key) == ["D5-001", "EV-1"]
    assert ledger.item("D5-001")["last"] == [key]


def test_folding_again_from_nothing_gives_the_same_values():
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.sealed("D5-001", "EV-1")
    ledger.step("collect", "EV-1", "sam")
    ledger.step("deliver", "EV-1", "sam", to="sec")
    ledger.step("open", "EV-1", "sam", seal="S-1", seal_state="intact")
    for code in ("D5-001", "EV-1"):
        event, value = ledger.store.tips(code)[0]
        assert refold.state(ledger.book, ledger.store, code, event) == value


def test_a_corrected_receipt_means_that_the_item_never_was():
    ledger = Ledger()
    ledger.receive("D5-001..D5-002")
    ledger.step("correct", "D5-001..D5-002", "fay", event="e1", reason="another box")
    assert ledger.store.get("item", "D5-001") is None
    assert counts.on_hand(ledger.book, ledger.store.postings, "dice", "dock")["dice"] == 0


def test_a_correction_reaches_all_that_the_event_had_touched_and_lists_what_was_built_on_it():
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.step("remove", "D5-001", "fay dee", reason="rotation")
    ledger.step("inspect", "D5-001", "gus", when="end_of_day", result="pass")
    fields = {"purpose": "used", "table": "CR1", "seal": "S-1", "label": True}
    packed = ledger.step("pack", "D5-001", "dee fay", to="pit1", into="EV-1", **fields)
    collected = ledger.step("collect", "EV-1", "sam")
    correction = ledger.step("correct", "D5-001", "fay", event=packed, reason="other envelope")
    assert ledger.item("D5-001")["state"] == "removed"
    assert ledger.item("D5-001")["in"] is None
    assert ledger.store.get("item", "EV-1") is None
    task = ledger.store.get("task", f"correction:{correction}")
    assert task["built_on"] == [collected]


def test_a_correction_that_is_corrected_lets_the_entry_count_again():
    ledger = Ledger()
    ledger.receive("D5-001")
    stored = ledger.step("store", "D5-001", "fay sam", to="vault")
    wrong = ledger.step("correct", "D5-001", "fay", event=stored, reason="not stored")
    assert ledger.item("D5-001")["state"] == "received"
    ledger.step("correct", "D5-001", "fay", event=wrong, reason="it was stored")
    assert ledger.item("D5-001")["state"] == "stored"
    hand = counts.on_hand(ledger.book, ledger.store.postings, "dice", "vault")
    assert hand == {"sticks": 1, "dice": 5}


def test_a_corrected_opening_leaves_the_table_as_it_was():
    ledger = Ledger()
    ledger.step("table", None, "fay", where="CR1", state="closed")
    opened = ledger.step("table", None, "fay", where="CR1", state="open")
    event = ledger.draft("correct", [], "fay", event=opened, reason="another table")
    ledger.record(event)
    assert ledger.store.get("place", "CR1")["table"]["state"] == "closed"


def test_the_two_parts_of_a_report_go_their_own_ways():
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.at_table("D5-002", "CR2")
    ledger.step("remove", "D5-001", "fay dee", reason="tampering")
    fields = {"purpose": "tampering", "table": "CR1", "seal": "S-1", "label": True}
    ledger.step("pack", "D5-001", "dee fay", into="EV-1", **fields)
    report = ledger.step("report", "EV-1", "fay", form="dice")
    ledger.step("hand_over", "EV-1", "sam cora", to="comm", report="dice", copies=2)
    form = ledger.store.get("task", f"form:{report}")
    assert form["original"]["state"] == "with_commission"
    assert form["duplicate"] == {"state": "in_pit", "place": "pit1", "holder": None}
    assert ledger.store.get("task", "duplicates:pit1")["forms"] == [f"form:{report}"]
    ledger.sealed("D5-002", "EV-2", "S-2")
    ledger.step("collect", "EV-2", "sam")
    form = ledger.store.get("task", f"form:{report}")
    assert form["duplicate"] == {"state": "collected", "place": None, "holder": "sam"}
    assert ledger.store.get("task", "duplicates:pit1")["forms"] == []


def test_a_fact_is_never_refused_and_each_reason_becomes_an_exception_with_its_clause():
    ledger = Ledger()
    ledger.receive("D5-001")
    fact = {"why": "found", "at": ledger.now - 3600_000}
    ledger.fact("store", "D5-001", "fay", to="vault", fact=fact)
    raised = [(entry["kind"], entry["clause"]) for entry in ledger.store.exceptions]
    assert raised == [("rule-broken", "MD-02.13-A.4")]
    assert ledger.item("D5-001")["times"]["store"] == fact["at"]


def test_a_fact_stated_by_who_may_not_is_kept_and_says_so():
    ledger = Ledger()
    ledger.receive("D5-001")
    ledger.fact("notify", None, "dee", whom="surveillance", fact={"why": "late", "at": 1})
    reasons = [entry["values"]["reason"] for entry in ledger.store.exceptions]
    assert reasons == ["not-in-force"]
    ledger.fact("notify", None, "dee", whom="cora", fact={"why": "late", "at": ledger.now})
    assert ledger.store.exceptions[-1]["values"]["reason"] == "fact-not-yours"


def test_a_recount_on_the_same_day_takes_the_first_difference_back():
    ledger = Ledger()
    ledger.receive("D5-001..D5-003")
    ledger.step("store", "D5-001..D5-003", "fay sam", to="vault")
    day = clocks.gaming_day(ledger.book, ledger.now)
    for found, dice in ((["D5-001"], -10), ({"D5-001": 1, "D5-002": 1, "D5-003": 0}, -5)):
        ledger.step("count", None, "ann", where="vault", kind="dice", found=found)
        terms = counts.reconcile(ledger.book, ledger.store.postings, "dice", day)
        assert terms["variance"]["dice"] == dice
    ledger.step("count", None, "ann", where="vault", kind="dice", found=["D5-001..D5-003"])
    terms = counts.reconcile(ledger.book, ledger.store.postings, "dice", day)
    assert terms["variance"] == {"sticks": 0, "dice": 0}


def test_a_count_by_design_says_how_many_and_not_which():
    ledger = Ledger()
    ledger.receive("D5-001..D5-003")
    ledger.step("store", "D5-001..D5-003", "fay sam", to="vault")
    ledger.step("count", None, "ann", where="vault", kind="dice", found={"00012345678905": 2})
    raised = ledger.store.exceptions[-1]
    assert (raised["kind"], raised["items"]) == ("count-variance", [])
    assert (raised["values"]["expected"], raised["values"]["found"]) == (3, 2)
    day = clocks.gaming_day(ledger.book, ledger.now)
    terms = counts.reconcile(ledger.book, ledger.store.postings, "dice", day)
    assert terms["variance"] == {"sticks": -1, "dice": -5}


def test_play_at_a_closed_table_is_refused_also_where_the_place_is_not_said():
    ledger = Ledger()
    ledger.receive("D5-001")
    ledger.step("store", "D5-001", "fay sam", to="vault")
    ledger.step("issue", "D5-001", "fay sam pam", to="pit1")
    ledger.step("issue", "D5-001", "fay", to="CR1")
    look = {"when": "before_play", "instruments": FOUR, "result": "pass"}
    ledger.step("inspect", "D5-001", "fay dee", **look)
    ledger.step("table", None, "fay", where="CR1", state="closed")
    reasons = ledger.reasons("play", "D5-001", "fay dee", vessel="cup")
    assert [(reason["code"], reason["clause"]) for reason in reasons] == [
        ("table-closed", "MD-02.13-F.1.b")
    ]
