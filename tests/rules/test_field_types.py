"""Fields of a wrong form: refused, told as a mistake of a scenario, or of an event that says
nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import branches, field_types, judge
from tests.rules.scenes import Ledger

NONSENSE: list[Any] = [5, 1.5, True, "x", {}, [], {"a": 1}, [5], [None], [["a"]], [{"a": 1}]]
KINDS = ("word", "int", "bool", "words", "codes", "serials", "measures", "found", "pieces", "told")


def legible(kind: str) -> list[Any]:
    specs = {"field": {"type": kind}}
    return [one for one in NONSENSE if field_types.illegible(specs, {"field": one}) is None]


def test_a_value_is_read_where_the_rules_have_a_use_for_its_form() -> None:
    plain = [5, 1.5, True, "x"]
    assert {kind: legible(kind) for kind in KINDS} == {
        "word": plain,
        "int": plain,
        "bool": plain,
        "words": ["x", [], [5], [None], [{"a": 1}]],
        "codes": ["x", []],
        "serials": ["x", []],
        "measures": ["x", [], [["a"]]],
        "found": [{}, [], {"a": 1}],
        "pieces": [*plain, []],
        "told": [*plain, {}, {"a": 1}],
    }


def test_every_field_of_the_vocabulary_is_of_a_type_that_is_told_apart() -> None:
    steps = loader.rulebook("MD")["vocabulary"]["steps"].values()
    found = {spec["type"] for step in steps for spec in step["fields"].values()}
    assert found - {*field_types.PLAIN, *field_types.LISTS} == {"found", "pieces", "told"}


@pytest.mark.parametrize(("found", "fits"), [({"A": 0}, True), ({"A": -1}, False), ([], True)])
def test_a_count_finds_no_fewer_than_none(found: Any, fits: bool) -> None:
    assert field_types.well_typed("found", found) is fits


def test_a_draft_with_a_field_that_no_rule_can_read_is_refused_for_it() -> None:
    ledger = Ledger()
    draft = {**ledger.draft("count", None, "ann", where="vault"), "kind": "dice"}
    draft["with"]["found"] = 5
    told = judge.judge(ledger.book, ledger.store, draft)["reasons"]
    assert [(one["code"], one["values"]) for one in told] == [
        ("field-type", {"field": "found", "type": "found"})
    ]


def test_an_event_with_such_a_field_is_not_taken_whoever_states_it_as_a_fact() -> None:
    ledger = Ledger()
    event = {**ledger.draft("remove", "D5-1", "fay"), "kind": "dice"}
    event["with"] = {"reason": [], "fact": {"why": "found", "at": ledger.now}}
    with pytest.raises(field_types.IllegibleError, match="'reason' is no word"):
        branches.take(ledger.book, ledger.store, event, "e1")


@pytest.mark.parametrize(
    "attributes", [{"games": 5}, {"games": [5]}, {"missing": {}}, {"back": {}}]
)
def test_an_item_does_not_come_into_being_with_an_attribute_that_no_rule_can_read(
    attributes: dict[str, Any],
) -> None:
    ledger = Ledger()
    made = {"kind": "dice", "form": "stick", "attributes": {"size": 5, **attributes}}
    event = ledger.draft("receive", "D5-1", "fay sam", to="dock", seals="intact", **made)
    with pytest.raises((TypeError, ValueError)):
        ledger.record(event)
    assert ledger.store.get("item", "D5-1") is None


def test_a_requisition_stated_as_a_fact_asks_for_nothing_where_its_quantity_is_no_number() -> None:
    ledger = Ledger()
    asked = {"needed_for": "2026-12-02", "denomination": 1000, "quantity": "many"}
    ledger.fact("requisition", None, "fay", kind="coupons", **asked)
    (need,) = ledger.store.get("task", "requisition:coupons:2026-12-02")["needs"]
    assert need["left"] == 0
