"""Whatever is done with cases, in whatever order: nothing is lost of them and nothing doubled."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from custody.rules import counts, cuts, days, lots, refold, stock
from tests.rules.scenes import PEOPLE, PLACES, Ledger

SIZE = 12
CASES = ["CASE-1", "CASE-2"]
ADDED = ("last", "disputed", "trail")
STEPS = [
    *("store", "issue", "inspect", "play", "remove", "pack", "collect", "deliver", "open"),
    *("return", "hold", "release", "cancel", "destroy", "count", "adjust", "correct", "resolve"),
]
NAMES = st.one_of(
    st.sampled_from([*CASES, "EV-1", "EV-2", "CASE-9*2", "DK-1"]),
    st.builds("{}*{}".format, st.sampled_from(CASES), st.integers(1, SIZE + 2)),
    st.builds("{}/{:03d}".format, st.sampled_from(CASES), st.integers(1, SIZE)),
    st.builds(
        lambda case, low, more: f"{case}/{low:03d}..{case}/{low + more:03d}",
        st.sampled_from(CASES),
        st.integers(1, SIZE - 3),
        st.integers(1, 3),
    ),
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "reason": st.sampled_from(["rotation", "lost_piece", "damaged"]),
        "purpose": st.sampled_from(["used", "reserve_inspected"]),
        "seal": st.sampled_from(["S-1", "S-2"]),
        "seal_state": st.sampled_from(["intact", "broken"]),
        "result": st.sampled_from(["pass", "fail"]),
        "when": st.just("before_play"),
        "event": st.sampled_from(["e1", "e2"]),  # no event can name a later one: ids are hashes
        "exception": st.just("rule-broken"),
        "found": st.dictionaries(st.sampled_from(CASES), st.integers(0, SIZE), max_size=2),
    },
)
DRAFTS = st.fixed_dictionaries(
    {
        "step": st.sampled_from(STEPS),
        "items": st.lists(NAMES, min_size=1, max_size=2, unique=True),
        "by": st.lists(st.sampled_from(sorted(PEOPLE)), min_size=1, max_size=2),
        "to": st.sampled_from([None, *PLACES]),
        "from": st.sampled_from([None, None, None, "vault", "pit1"]),
        "where": st.sampled_from([None, *PLACES]),
        "into": st.sampled_from([None, "EV-1", "EV-2"]),
        "kind": st.just("cards"),
        "with": FIELDS,
    }
)
RUNS = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def begun(kind: str = "cards") -> Ledger:
    """Two cases of twelve in the vault, and a deck with a label of its own."""
    ledger = Ledger()
    made = {"kind": kind, "form": "deck", "attributes": {"games": ["blackjack"], "design": "G1"}}
    named = [f"{case}*{SIZE}" for case in CASES] + ["DK-1"]
    ledger.step("receive", named, "fay sam", to="dock", seals="intact", **made)
    ledger.step("store", [*CASES, "DK-1"], "fay sam", to="vault")
    return ledger


def pieces(ledger: Ledger) -> list[Any]:
    known = ledger.store
    return [known.get("item", code) for case in CASES for code in lots.every(known, case)]


@RUNS
@given(st.lists(DRAFTS, min_size=1, max_size=9))
def test_pieces_of_cases_balance_after_any_sequence_of_facts(drafts: list[dict[str, Any]]) -> None:
    ledger = begun()
    for draft in drafts:
        ledger.now += 60_000
        ledger.record({**draft, "at": ledger.now})
        whole(ledger)
    folded_again(ledger)


def whole(ledger: Ledger) -> None:
    """Each case is still all its pieces, the books are the items, and the day's equation holds."""
    for case in CASES:
        spans = [value["span"] for value in pieces(ledger) if value and value["lot"] == case]
        assert [n for low, high in spans for n in range(low, high + 1)] in (
            list(range(1, SIZE + 1)),
            [],
        )
    codes = {key[1] for key in ledger.store.records if key[0] == "item"}
    values = [ledger.store.get("item", code) for code in sorted(codes)]
    there = [value for value in values if value and stock.position(ledger.book, value)]
    decks = sum(stock.units(value)["decks"] for value in there if value["kind"] == "cards")
    postings = ledger.store.postings
    assert counts.on_hand(ledger.book, postings, "cards", None) == {"decks": decks}
    day = counts.reconcile(ledger.book, postings, "cards", days.gaming_day(ledger.book, ledger.now))
    assert day["remainder"] == {"decks": 0}
    places = sorted({value["place"] for value in there if value["place"]})
    for place in places:
        here = sum(stock.units(value)["decks"] for value in there if value["place"] == place)
        assert counts.on_hand(ledger.book, postings, "cards", place) == {"decks": here}


def folded_again(ledger: Ledger) -> None:
    """Each piece's value and postings follow from its events alone."""
    known = cuts.Cut(ledger.store, {})
    for value in pieces(ledger):
        for event_id, tip in known.tips(value["code"]) if value else []:
            again = refold.state(ledger.book, known, value["code"], event_id)
            assert bare(again) == bare(tip)


def bare(value: Any) -> str:
    kept = {key: part for key, part in (value or {}).items() if key not in ADDED}
    return json.dumps(kept, sort_keys=True)
