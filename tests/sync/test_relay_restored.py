"""A site node that was restored from an older backup, and its handhelds."""

from __future__ import annotations

import pytest

from custody.sync.relay import node
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
