"""Cases: stock without a label on each piece, of which a step names a number."""

from __future__ import annotations

import json
import time
from typing import Any

from custody.rules import core, lots, naming
from tests.rules.scenes import Ledger

DESIGN = "04012345678901"
DECKS = {
    "kind": "cards",
    "form": "deck",
    "attributes": {
        "games": ["blackjack"],
        "back": "red",
        "plastic": False,
        "maker": "card maker",
        "lot": "L-0001",
        "design": DESIGN,
    },
}
CHECKED = {"when": "before_play", "checks": ["sorted", "backs"], "result": "pass"}


class Cards(Ledger):
    """A ledger with blackjack tables and cases of decks in the vault."""

    def __init__(self, *cases: str) -> None:
        super().__init__()
        self.store.put("person", "fay", {"job": "floorperson", "supervises": ["blackjack"]})
        for table in ("BJ1", "BJ2"):
            value = {"type": "table", "game": "blackjack", "pit": "pit1"}
            self.store.put("place", table, value)
        named = list(cases or ["CASE-1*144"])
        self.step("receive", named, "fay sam", to="dock", seals="intact", **DECKS)
        self.step("store", [one.partition("*")[0] for one in named], "fay sam", to="vault")

    def play(self, count: int, table: str = "BJ1") -> None:
        named = f"CASE-1*{count}"
        self.step("issue", named, "fay sam pam", to="pit1")
        self.step("issue", named, "pam dee", to=table)
        self.step("inspect", named, "dee fay", **CHECKED)
        self.step("play", named, "dee fay", where=table, vessel="shoe")

    def parts(self, case: str = "CASE-1") -> list[list[Any]]:
        values = [self.item(code) for code in lots.every(self.store, case)]
        return [[value["code"], value["state"], value["place"]] for value in values]

    def codes(self, *words: Any, **more: Any) -> list[str]:
        read = naming.codes_of(self.book, self.store, self.draft(*words, **more))
        return list(read["codes"])


def test_a_case_of_144_is_five_records_until_pieces_are_taken() -> None:
    ledger = Cards()
    about = [key for key in ledger.store.records if "CASE-1" in key[1]]
    assert sorted(about) == [
        ("item", "CASE-1"),
        ("item", "CASE-1/001..CASE-1/144"),
        ("task", "lot:CASE-1"),
        ("task", "lot:CASE-1:1"),
        ("task", "serials:CASE-1/:3"),
    ]


def test_pieces_that_are_taken_are_one_range_of_less_than_a_kilobyte() -> None:
    ledger = Cards()
    ledger.play(6)
    ledger.step("remove", "CASE-1*6", "fay dee", reason="rotation")
    fields = {"purpose": "used", "table": "BJ1", "seal": "S-1", "label": True}
    ledger.step("pack", "CASE-1*6", "dee fay", to="pit1", into="EV-1", **fields)
    assert ledger.parts() == [
        ["CASE-1/001..CASE-1/006", "sealed", "pit1"],
        ["CASE-1/007..CASE-1/144", "stored", "vault"],
    ]
    value = {k: v for k, v in ledger.item("CASE-1/001..CASE-1/006").items() if k != "attributes"}
    assert len(json.dumps(value)) < 1024


def test_sixty_cases_are_received_stored_and_drawn_on_within_a_second() -> None:
    start = time.process_time()
    ledger = Cards(*[f"CASE-{number}*144" for number in range(1, 61)])
    for number in range(1, 61):
        ledger.step("issue", f"CASE-{number}*12", "fay sam pam", to="pit1")
    assert time.process_time() - start < 1.5


def test_a_number_goes_on_with_what_the_step_can_be_done_with() -> None:
    ledger = Cards()
    ledger.step("issue", "CASE-1*6", "fay sam pam", to="pit1")
    drawn = ledger.codes("issue", "CASE-1*6", "pam dee", to="BJ1")
    assert drawn == ["CASE-1/001..CASE-1/006"], "a table takes from its own pit"
    drawn = ledger.codes("issue", "CASE-1*6", "fay sam pam", to="pit1")
    assert drawn == ["CASE-1/007..CASE-1/012"], "what is there already does not go there"
    drawn = ledger.codes("return", "CASE-1*2", "fay sam", to="vault")
    assert drawn == ["CASE-1/001..CASE-1/002"]
    drawn = ledger.codes("return", "CASE-1*2", "fay sam", to="vault", **{"from": "vault"})
    assert drawn == ["CASE-1/007..CASE-1/008"], "from is what the step says"


def test_more_than_there_are_is_refused_with_the_numbers() -> None:
    ledger = Cards("CASE-1*12")
    reasons = ledger.reasons("issue", "CASE-1*13", "fay sam pam", to="pit1")
    assert [[reason["code"], reason["values"], reason["items"]] for reason in reasons] == [
        [
            "case-short",
            {"case": "CASE-1", "count": 13, "there": 12, "place": "vault"},
            ["CASE-1"],
        ]
    ]


def test_what_is_no_case_or_no_number_is_refused() -> None:
    ledger = Cards()
    ledger.step("receive", "DK-1", "fay sam", to="dock", seals="intact", **DECKS)
    told = [
        ["DK-1*2", "case-none"],
        ["CASE-1*0", "scan.case_size"],
        ["CASE-1*x", "scan.case_count"],
        ["CASE-9*2", "unknown-code"],
    ]
    for text, code in told:
        found = ledger.reasons("store", text, "fay sam", to="vault")
        assert code in [reason["code"] for reason in found], (text, found)
    seals = {"kind": "seals", "form": "lot", "attributes": {"first": "1", "last": "9"}}
    found = ledger.reasons("receive", "SL-1*9", "fay sam", to="dock", seals="intact", **seals)
    assert "case-kind" in [reason["code"] for reason in found]


def test_an_empty_case_stands_for_nothing() -> None:
    ledger = Cards("CASE-1*6")
    ledger.step("issue", "CASE-1*6", "fay sam pam", to="pit1")
    found = ledger.reasons("issue", "CASE-1", "fay sam pam", to="pit1")
    assert "case-empty" in [reason["code"] for reason in found]


def test_a_labelled_piece_is_taken_last() -> None:
    ledger = Cards("CASE-1*6")
    ledger.step("issue", ["CASE-1*4"], "fay sam pam", to="pit1")
    ledger.step("notify", "CASE-1/001", "fay", whom="manager", spoke_with="pam", how="in person")
    assert ledger.item("CASE-1/001")["labelled"] is True
    assert ledger.codes("issue", "CASE-1*3", "pam dee", to="BJ1") == ["CASE-1/002..CASE-1/004"]


def test_the_same_case_received_twice_is_one_case() -> None:
    ledger = Cards("CASE-1*6")
    found = ledger.reasons("receive", "CASE-1*6", "fay sam", to="dock", seals="intact", **DECKS)
    assert [reason["code"] for reason in found] == ["code-taken"]
    ledger.fact("receive", "CASE-1*6", "fay sam", to="dock", seals="intact", **DECKS)
    assert ledger.parts() == [["CASE-1/001..CASE-1/006", "stored", "vault"]]


def test_a_swapped_card_comes_out_of_one_deck_of_the_case_into_another() -> None:
    ledger = Cards("CASE-1*8")
    ledger.play(6)
    fields = {"card": "7H", "from": "CASE-1/008", "surveillance_told": True}
    event = ledger.draft("swap", "CASE-1/002", "dee fay")
    event["with"] = fields
    ledger.record(event)
    assert [code for code, _, _ in ledger.parts()] == [
        "CASE-1/001",
        "CASE-1/002",
        "CASE-1/003..CASE-1/006",
        "CASE-1/007",
        "CASE-1/008",
    ]


def test_a_receipt_that_was_entered_wrongly_leaves_nothing_of_the_case() -> None:
    ledger = Ledger()
    wrong = ledger.step("receive", "CASE-1*6", "fay sam", to="dock", seals="intact", **DECKS)
    ledger.fact("correct", None, "sue", event=wrong, reason="other case")
    assert ledger.store.get("item", "CASE-1") is None
    assert lots.every(ledger.store, "CASE-1") == []
    ledger.step("receive", "CASE-1*8", "fay sam", to="dock", seals="intact", **DECKS)
    assert lots.every(ledger.store, "CASE-1") == ["CASE-1/001..CASE-1/008"]


def test_a_form_asks_how_many_of_a_case() -> None:
    ledger = Cards()
    ledger.step("issue", "CASE-1*12", "fay sam pam", to="pit1")
    asked = core.form(ledger.book, ledger.store, ledger.draft("issue", "CASE-1", "fay"))
    assert asked["counts"] == [{"case": "CASE-1", "there": 132, "count": None}]
    asked = core.form(ledger.book, ledger.store, ledger.draft("issue", "CASE-1*5", "fay"))
    assert asked["counts"] == [{"case": "CASE-1", "there": 132, "count": 5}]
    new = ledger.draft("receive", "CASE-2", "fay", **DECKS)
    asked = core.form(ledger.book, ledger.store, new)
    assert asked["counts"] == [{"case": "", "there": None, "count": None}]


def test_an_envelope_that_is_said_to_lie_in_itself_is_read_to_its_end() -> None:
    ledger = Cards("CASE-1*6")
    ledger.fact("pack", "CASE-1*2", "dee fay", to="pit1", into="EV-1", purpose="used", seal="S-1")
    ledger.fact("pack", "EV-1", "dee fay", to="pit1", into="EV-1", purpose="used", seal="S-2")
    assert ledger.codes("collect", "EV-1", "sam") == ["EV-1"]
