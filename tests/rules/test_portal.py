"""What the rules core keeps of the facts that the page has told it, from call to call."""

import json
from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import portal

SITE = {"regime": "MD", "zone": [[0, -300]], "day_starts": "06:00", "controls": {}}
STICK = {"code": "D5-001", "kind": "dice", "state": "stored", "place": "vault"}
MOVED = {**STICK, "place": "dock"}
QUESTION = ["get", "item", "D5-001"]


@pytest.fixture(autouse=True)
def loaded() -> None:
    answer = portal.call("load", json.dumps({"rulebook": loader.rulebook("MD"), "site": SITE}))
    assert "error" not in json.loads(answer)


def item(**facts: Any) -> Any:
    """Ask for the stick; returns its value, or the questions that are still open."""
    given = json.dumps({"code": "D5-001", "facts": facts})
    answer = json.loads(portal.call("item", given))
    return answer["missing"] or answer["result"]


def test_a_fact_is_told_once_and_stays_until_it_is_forgotten() -> None:
    assert item(anew=True)[0] == QUESTION
    assert item(anew=False, records=[["item", "D5-001", STICK]]) == STICK
    assert item(anew=False) == STICK
    assert item(anew=False, forget=[QUESTION])[0] == QUESTION


def test_a_fact_that_was_told_again_is_the_new_one() -> None:
    told = item(anew=True, records=[["item", "D5-001", STICK]])
    assert told == STICK
    changed = [["item", "D5-001", MOVED]]
    assert item(anew=False, forget=[QUESTION], records=changed) == MOVED


def test_what_is_not_recorded_yet_lies_over_the_facts_for_one_call() -> None:
    item(anew=True, records=[["item", "D5-001", STICK]])
    assert item(anew=False, over=[["item", "D5-001", MOVED]]) == MOVED
    assert item(anew=False) == STICK


def test_a_call_without_facts_leaves_what_was_told_as_it_is() -> None:
    item(anew=True, records=[["item", "D5-001", STICK]])
    portal.call("runs", json.dumps({"codes": ["D5-001"]}))
    assert item(anew=False) == STICK


def test_lists_are_kept_and_forgotten_as_records_are() -> None:
    at, sealed, opened = (["at", "vault"], ["sealed", "S1"], ["open", "D5-001"])
    told = {"at": [["vault", ["D5-001"]]], "sealed": [["S1", ["EV-1"]]]}
    book = portal.known({"anew": True, **told, "open": [["D5-001", [["x1", "late", "e1"]]]]})
    assert (book.at("vault"), book.sealed("S1")) == (["D5-001"], ["EV-1"])
    assert book.open("D5-001") == [["x1", "late", "e1"]]
    book = portal.known({"anew": False, "forget": [at, sealed, opened]})
    assert (book.at("vault"), book.sealed("S1"), book.open("D5-001")) == ([], [], [])
    assert book.missing == [at, sealed, opened]


def test_a_wall_clock_time_of_the_site_becomes_an_instant() -> None:
    answer = json.loads(portal.call("instant", json.dumps({"clock": 1_796_112_000_000})))
    assert answer["result"] == 1_796_112_000_000 + 5 * 3_600_000
