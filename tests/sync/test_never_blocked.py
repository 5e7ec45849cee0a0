"""An event of which the rules can make little is stored all the same, and blocks no queue."""

from __future__ import annotations

from custody.ledger.core import Ledger
from custody.ledger.rebuilding import digest, rebuild
from tests.support import cast
from tests.support.device import Device

ODD = {
    "a code between stars, as readers of Code 39 send it": {"step": "store", "items": ["*AB12*"]},
    "a number of pieces of no case": {"step": "store", "items": ["*5"]},
    "a receipt without a kind": {"step": "receive", "items": ["D5-010"], "to": "vault"},
    "a set rebuilt without a kind": {"step": "rebuild", "items": ["T-010"], "to": "vault"},
    "a count without a kind": {"step": "count", "where": "vault"},
    "a count of no place": {"step": "count", "kind": "dice", "items": ["D5-001"]},
    "a count of no kind, by a place that it goes to": {"step": "count", "to": "pit1"},
}


def test_what_the_rules_can_make_little_of_is_stored_and_the_queue_goes_on(
    device: Device, ledger: Ledger
) -> None:
    device.record("receive", **cast.receive("D5-001"))
    for odd in ODD.values():
        device.record(**{"by": ["fay"], **odd})
        answer = device.push()
        assert answer.status == 200, (odd, answer.body)
        raised = {one["kind"] for one in answer.json["exceptions"]}
        assert raised & {"rule-broken", "unknown-code"}, odd
        assert raised <= {"rule-broken", "unknown-code", "count-variance"}, odd
    with ledger.database.reading() as connection:
        before = digest(connection)
    assert rebuild(ledger) == before


def test_a_code_that_a_device_had_not_seen_may_have_an_empty_one(device: Device) -> None:
    received = device.record("receive", **cast.receive("D5-001"))
    saw = {"D5-001": received, "D5-002": "", "D5-003": None}
    device.record("store", items=["D5-001"], to="vault", saw=saw, by=["fay", "sam"])
    device.record("receive", **{**cast.receive("D5-002"), "saw": {"D5-002": None}})
    answer = device.push()
    assert (answer.status, answer.json["exceptions"]) == (200, [])
    device.pull()
    assert device.item("D5-002")["state"] == "received"
