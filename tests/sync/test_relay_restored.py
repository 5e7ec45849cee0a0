"""A site node, or its upstream, that was restored from an older backup, and the handhelds."""

from __future__ import annotations

from hashlib import sha256

import pytest

from custody.sync.relay import node
from tests.support.device import FlaskHttp
from tests.support.floor import assert_one_state, issue, stock
from tests.support.nodes import Casinos
from tests.support.restoring import put_back, take_copy


@pytest.mark.parametrize("cut", [False, True])
def test_what_its_handheld_sends_again_is_neither_refused_nor_taken_for_another_claim(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch, *, cut: bool
) -> None:
    """The upstream holds the event that node a lost, and has told of the exception it raised."""
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    copy = take_copy(casinos, "a")
    issue(device, "D5-001", by=["fay"])
    assert device.push().json["exceptions"] != []
    casinos.settle()
    put_back(casinos, copy, "a")
    casinos.a.sync()
    casinos.a.wan.is_cut = cut
    casinos.a.try_to_sync()
    told = casinos.a.exceptions()
    device.acked = 2
    answer = device.push()
    assert (answer.status, answer.json["acked"]) == (200, 3)
    issue(device, "D5-002", by=["fay"])
    assert device.push().json["acked"] == 4
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert {kind for kind, _ in told} == {"rule-broken"}
    assert "concurrent-claim" not in {kind for kind, _ in casinos.upstream.exceptions()}
    for server in casinos.servers:
        assert server.exceptions() == casinos.upstream.exceptions()
    assert_one_state(casinos)


def test_what_a_node_relayed_after_its_last_look_is_missed_by_an_upstream_that_grew_again(
    casinos: Casinos,
) -> None:
    """The backup is of after the node's last look, and the log is longer than ever by now."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    other = casinos.b.device()
    casinos.b.sync()
    copy = take_copy(casinos)
    issue(device, "D5-001")
    assert device.push().status == 200
    casinos.a.node._ready()._up.relay()  # type: ignore[union-attr]  # and then the way is lost
    put_back(casinos, copy)
    for server in (casinos.a, casinos.b):
        server.wan.http = FlaskHttp(casinos.upstream.app)
    for _ in range(4):
        other.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})
    assert other.push().status == 200
    casinos.b.sync()
    casinos.settle()
    assert casinos.upstream.events()[device.id, 1, 1, 3] == device.head()
    assert_one_state(casinos)


def test_a_line_that_says_not_what_it_continues_joins_no_other_history(casinos: Casinos) -> None:
    """Upstream a clone has written another second event; the node's third cannot be read."""
    device = casinos.a.device()
    device.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})
    assert device.push().status == 200
    casinos.settle()
    before = [*device.log]
    casinos.a.wan.is_cut = True
    device.record("notify", by=["fay"], **{"with": {"whom": "security"}})
    device.write(b"torn by a bad disk")
    assert device.push().json["acked"] == 3
    mine, device.log, device.acked = device.log, before, 1
    casinos.upstream.move(device)
    device.record("notify", by=["fay"], **{"with": {"whom": "supervisor"}})
    assert device.push().json["acked"] == 2
    casinos.restart("a")
    casinos.settle()
    there = set(casinos.upstream.events().values())
    assert {sha256(line).hexdigest() for line in mine} <= there
    assert_one_state(casinos)
