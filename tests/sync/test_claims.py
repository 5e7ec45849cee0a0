"""Concurrent claims: an event is judged by the state that its `saw` names (protocol.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from custody.ledger import devices
from custody.ledger.core import Ledger
from tests.support import cast
from tests.support.device import Answer, Device, FlaskHttp

Pair = tuple[Device, Device]


@pytest.fixture
def pair(app: Flask, ledger: Ledger) -> Pair:
    """Two devices that both know three sticks in the vault."""
    a, b = (Device(FlaskHttp(app)) for _ in range(2))
    for one in (a, b):
        one.enrol(devices.new_code(ledger))
    a.record("receive", **cast.receive("D5-001..D5-003"))
    a.push()
    a.pull()
    a.record("store", **cast.store("D5-001..D5-003"), saw=a.saw("D5-001", "D5-002", "D5-003"))
    a.push()
    a.pull()
    b.pull()
    return a, b


def issue(device: Device, code: str, **more: Any) -> Answer:
    by = ["fay", "sam", "pam"]
    fields = {"items": [code], "to": "pit1", "by": by, "saw": device.saw(code), **more}
    device.record("issue", **fields)
    return device.push()


def kinds(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.body
    return [one["kind"] for one in answer.json["exceptions"]]


def test_an_orderly_claim_raises_nothing(pair: Pair) -> None:
    a, b = pair
    assert kinds(issue(a, "D5-001")) == []
    b.pull()
    b.record("issue", items=["D5-001"], to="CR1", by=["fay"], saw=b.saw("D5-001"))
    assert kinds(b.push()) == []


def test_two_devices_that_claim_one_stick_raise_it_once(pair: Pair) -> None:
    a, b = pair
    assert kinds(issue(a, "D5-001")) == []
    second = issue(b, "D5-001")
    assert kinds(second) == ["concurrent-claim"]
    assert second.json["exceptions"][0]["items"] == ["D5-001"]
    a.pull()
    item = a.item("D5-001")
    assert item["disputed"] is True
    assert len(item["last"]) == 2
    assert a.item("D5-002")["disputed"] is False


def test_an_event_that_goes_on_from_either_tip_raises_nothing_new(pair: Pair) -> None:
    a, b = pair
    issue(a, "D5-001")
    issue(b, "D5-001")
    for one in pair:
        own = {"D5-001": one.head()}
        one.record("issue", items=["D5-001"], to="CR1", by=["fay"], saw=own)
        assert kinds(one.push()) == []


def test_the_first_logged_branch_says_where_it_is(pair: Pair) -> None:
    a, b = pair
    issue(a, "D5-001")
    issue(b, "D5-001")
    b.record("issue", items=["D5-001"], to="CR2", by=["fay"], saw={"D5-001": b.head()})
    b.push()
    a.pull()
    assert a.item("D5-001")["place"] == "pit1"
    a.record("issue", items=["D5-001"], to="CR1", by=["fay"], saw={"D5-001": a.head()})
    a.push()
    a.pull()
    assert a.item("D5-001")["place"] == "CR1"


def test_a_resolution_by_kind_closes_it_and_leaves_one_tip(pair: Pair) -> None:
    a, b = pair
    issue(a, "D5-001")
    issue(b, "D5-001")
    a.pull()
    told = {"exception": "concurrent-claim", "outcome": "B had scanned an empty tube"}
    a.record("resolve", items=["D5-001"], by=["pam"], saw=a.saw("D5-001"), **{"with": told})
    assert kinds(a.push()) == []
    a.pull()
    item = a.item("D5-001")
    assert (item["disputed"], item["last"]) == (False, [a.head()])


def test_a_resolution_by_id_lets_the_named_event_stand(pair: Pair, ledger: Ledger) -> None:
    a, b = pair
    issue(a, "D5-001")
    b.record("issue", items=["D5-001"], to="CR2", by=["fay", "sam"], saw=b.saw("D5-001"))
    stands = b.head()
    raised = b.push().json["exceptions"]
    a.pull()
    told = {"exception": raised[0]["id"], "outcome": "it is at CR2", "stands": stands}
    a.record("resolve", items=["D5-001"], by=["pam"], saw=a.saw("D5-001"), **{"with": told})
    a.push()
    a.pull()
    assert a.item("D5-001")["place"] == "CR2"
    from custody.ledger.cache import Cache

    with ledger.database.reading() as connection:
        assert Cache(connection).open("D5-001") == []


def test_a_claim_on_something_that_nobody_received_is_unknown_not_concurrent(pair: Pair) -> None:
    assert kinds(issue(pair[0], "D5-999")) == ["unknown-code"]


@pytest.mark.parametrize("order", [lambda pair: pair, lambda pair: pair[::-1]])
def test_whoever_comes_second_is_the_concurrent_one(
    pair: Pair, order: Callable[[Pair], Pair]
) -> None:
    first, second = order(pair)
    assert kinds(issue(first, "D5-002")) == []
    assert kinds(issue(second, "D5-002")) == ["concurrent-claim"]


def test_three_claims_give_three_tips(pair: Pair, app: Flask, ledger: Ledger) -> None:
    a, b = pair
    c = Device(FlaskHttp(app))
    c.enrol(devices.new_code(ledger))
    c.pull()
    for one in (a, b, c):
        issue(one, "D5-003")
    a.pull()
    assert len(a.item("D5-003")["last"]) == 3


def test_a_stale_second_event_of_one_device_is_concurrent_too(pair: Pair) -> None:
    a, _ = pair
    old = a.saw("D5-001")
    issue(a, "D5-001")
    assert kinds(issue(a, "D5-001", saw=old)) == ["concurrent-claim"]


def test_many_events_of_one_batch_build_on_each_other(pair: Pair) -> None:
    a, _ = pair
    a.record("issue", items=["D5-001"], to="pit1", by=["fay", "sam", "pam"], saw=a.saw("D5-001"))
    a.record("issue", items=["D5-001"], to="CR1", by=["fay"], saw={"D5-001": a.head()})
    assert kinds(a.push()) == []
    a.pull()
    assert a.item("D5-001")["place"] == "CR1"


def test_a_correction_takes_a_wrong_step_back(pair: Pair) -> None:
    a, _ = pair
    issue(a, "D5-001")
    wrong = a.head()
    a.pull()
    told = {"event": wrong, "reason": "it was D5-002"}
    a.record("correct", items=["D5-001"], by=["pam"], saw=a.saw("D5-001"), **{"with": told})
    a.push()
    a.pull()
    assert a.item("D5-001")["place"] == "vault"
    steps = [one["step"] for one in a.item("D5-001")["history"]]
    assert steps == ["receive", "store", "issue", "correct"]
