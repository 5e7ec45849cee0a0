"""What holds for any step: a refusal changes nothing, what is accepted changes what it names."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from custody.rules import core, counts, refold, stock
from tests.rules.scenes import FOUR, PEOPLE, PLACES, Ledger

CODES = ["D5-001", "D5-002", "D5-003", "EV-1", "EV-2", "D5-009"]
STEPS = [
    *("store", "issue", "inspect", "play", "remove", "pack", "collect", "deliver", "open"),
    *("return", "report", "hand_over", "hold", "release", "cancel", "destroy", "table", "count"),
    *("adjust", "correct", "resolve", "access", "notify", "examine"),
]
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "when": st.sampled_from(["before_play", "end_of_day", "reserve"]),
        "instruments": st.sampled_from([FOUR, FOUR[:2]]),
        "result": st.sampled_from(["pass", "fail"]),
        "vessel": st.sampled_from(["cup", "shaker"]),
        "reason": st.sampled_from(["rotation", "tampering", "lost_piece", "defect"]),
        "purpose": st.sampled_from(["used", "tampering", "reserve_destroy", "reserve_inspected"]),
        "table": st.sampled_from(["CR1", "CR2"]),
        "pit": st.just("pit1"),
        "seal": st.sampled_from(["S-1", "S-2"]),
        "seal_state": st.sampled_from(["intact", "broken", "different"]),
        "label": st.booleans(),
        "copies": st.just(2),
        "form": st.sampled_from(["dice", "count"]),
        "method": st.sampled_from(["drilled", "shredded"]),
        "hole": st.sampled_from(["0.25", "0.1"]),
        "state": st.sampled_from(["open", "closed"]),
        "found": st.lists(st.sampled_from(CODES), max_size=3),
        "event": st.sampled_from(["e2", "e4", "e7"]),
        "exception": st.sampled_from(["rule-broken", "concurrent-claim"]),
        "outcome": st.just("looked into"),
    },
)
DRAFTS = st.fixed_dictionaries(
    {
        "step": st.sampled_from(STEPS),
        "items": st.lists(st.sampled_from(CODES), max_size=2, unique=True),
        "by": st.lists(st.sampled_from(sorted(PEOPLE)), min_size=1, max_size=4),
        "to": st.sampled_from([None, *PLACES]),
        "where": st.sampled_from([None, *PLACES]),
        "into": st.sampled_from([None, "EV-1", "EV-2"]),
        "kind": st.just("dice"),
        "with": FIELDS,
    }
)
RUNS = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def begun() -> Ledger:
    """Three sticks: one in play, one in reserve, one sealed in EV-1."""
    ledger = Ledger()
    ledger.receive("D5-001..D5-003")
    ledger.step("store", "D5-001..D5-003", "fay sam", to="vault")
    ledger.step("issue", "D5-001..D5-003", "fay sam pam", to="pit1")
    fields = {"purpose": "reserve_destroy", "pit": "pit1", "seal": "S-9", "label": True}
    ledger.step("pack", "D5-003", "pam", to="pit1", into="EV-1", **fields)
    ledger.step("issue", "D5-001", "fay", to="CR1")
    look = {"when": "before_play", "instruments": FOUR, "result": "pass"}
    ledger.step("inspect", "D5-001", "fay dee", **look)
    ledger.step("play", "D5-001", "fay dee", where="CR1", vessel="cup")
    return ledger


def state(ledger: Ledger) -> dict[Any, str]:
    """Return every record but the event bodies, and the sums, as texts to compare."""
    found: dict[Any, str] = {
        key: json.dumps(value, sort_keys=True)
        for key, value in ledger.store.records.items()
        if key[0] != "event"
    }
    found["postings"] = json.dumps(ledger.store.postings, sort_keys=True)
    found["exceptions"] = json.dumps(ledger.store.exceptions, sort_keys=True)
    return found


def in_custody(ledger: Ledger) -> dict[str, int]:
    """Return the stock of all places, counted item by item."""
    total = {"sticks": 0, "dice": 0}
    for (of, _), value in ledger.store.records.items():
        if of == "item" and value is not None and stock.position(ledger.book, value) is not None:
            for unit, number in stock.units(value).items():
                total[unit] += number
    return total


def named(ledger: Ledger, draft: dict[str, Any]) -> set[str]:
    """Return what a step names: its items, what is inside of them, its envelope."""
    found = set(draft["items"]) | ({draft["into"]} if draft["into"] else set())
    for code in list(found):
        found |= set((ledger.store.get("item", code) or {}).get("contents", []))
    return found


@RUNS
@given(st.lists(DRAFTS, min_size=1, max_size=4))
def test_a_refused_step_changes_nothing_and_an_accepted_one_only_what_it_names(
    drafts: list[dict[str, Any]],
) -> None:
    ledger = begun()
    for draft in drafts:
        ledger.now += 60_000
        draft = {**draft, "at": ledger.now}
        before = state(ledger)
        reasons = core.judge(ledger.book, ledger.store, draft)["reasons"]
        assert state(ledger) == before
        if reasons:
            continue
        touched = named(ledger, draft)
        if draft["step"] == "correct":
            touched |= set(ledger.store.claims(draft["with"]["event"]))
        ledger.record(draft)
        after = state(ledger)
        for key in after:
            if key not in ("postings", "exceptions") and after[key] != before.get(key):
                changed = key[1] in touched or key[0] in ("task", "place")
                assert changed, (draft, key)


@RUNS
@given(st.lists(DRAFTS, min_size=1, max_size=5))
def test_postings_always_sum_to_the_items_in_custody_whatever_happened(
    drafts: list[dict[str, Any]],
) -> None:
    ledger = begun()
    for draft in drafts:
        ledger.now += 60_000
        ledger.record({**draft, "at": ledger.now})
        hand = counts.on_hand(ledger.book, ledger.store.postings, "dice", None)
        assert hand == in_custody(ledger), draft
        for place in PLACES:
            at = counts.on_hand(ledger.book, ledger.store.postings, "dice", place)
            assert at["sticks"] == sum(
                1
                for code in ledger.store.at(place)
                if stock.position(ledger.book, ledger.item(code)) is not None
            )


@RUNS
@given(st.lists(DRAFTS, min_size=1, max_size=5))
def test_every_item_folds_again_from_nothing_to_the_same_value(
    drafts: list[dict[str, Any]],
) -> None:
    ledger = begun()
    for draft in drafts:
        ledger.now += 60_000
        ledger.record({**draft, "at": ledger.now})
    for code in CODES:
        for event, value in ledger.store.tips(code):
            assert refold.state(ledger.book, ledger.store, code, event) == value


@RUNS
@given(st.lists(DRAFTS, min_size=1, max_size=4))
def test_the_same_events_give_the_same_records(drafts: list[dict[str, Any]]) -> None:
    first, second = begun(), begun()
    for ledger in (first, second):
        for draft in drafts:
            ledger.now += 60_000
            ledger.record({**draft, "at": ledger.now})
    assert state(first) == state(second)
