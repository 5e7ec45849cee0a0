"""Lines that cannot be read, in histories of one run that part, on their way upstream."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from tests.support.device import Answer, Device
from tests.support.floor import assert_one_state
from tests.support.nodes import UPSTREAM, Casinos, Server
from tests.support.restoring import put_back, take_copy

GOOD, TORN = False, True
CASES = [  # the seq at which the histories part, and the other history's lines from there on
    (1, (TORN, GOOD, GOOD)),
    (2, (TORN, GOOD, GOOD)),
    (2, (GOOD, TORN, GOOD)),
    (2, (GOOD, GOOD, TORN)),
    (2, (TORN, TORN, TORN)),
    (3, (TORN, GOOD, TORN)),
]
NOBODY = ""


def lines(device: Device, torn: tuple[bool, ...], word: str) -> None:
    """Write lines, those that are torn so that they say not even what they continue."""
    for number, is_torn in enumerate(torn):
        if is_torn:
            device.write(f"torn by a bad disk: {word} {number} of {device.id}".encode())
        else:
            device.record("notify", by=["fay"], note=word, **{"with": {"whom": "surveillance"}})


def push(device: Device, server: Server) -> Answer:
    """Push as a handheld does, which sends again what it is asked for."""
    server.move(device)
    answer = device.push()
    while answer.status == 409 and answer.json["type"] == "gap":
        device.acked = answer.json["expected"] - 1
        answer = device.push()
    assert answer.status == 200 or answer.json["type"] == "fork", answer.body
    return answer


@pytest.mark.parametrize("restored", [NOBODY, "a", UPSTREAM])
@pytest.mark.parametrize("first_at", ["a", "b", UPSTREAM])
def test_a_line_that_cannot_be_read_is_handed_on_wherever_it_stands_in_a_history_that_parts(
    casinos: Casinos, first_at: str, restored: str
) -> None:
    """A handheld's disk was copied; one goes on at one server, the other at a node in an outage."""
    cases = [(casinos.a.device(), parted, torn) for parted, torn in CASES]
    for device, parted, _ in cases:
        lines(device, (GOOD,) * (parted - 1), "before")
        if device.log:
            push(device, casinos.a)
    casinos.settle()
    copy = take_copy(casinos, restored) if restored else NOBODY
    casinos.b.wan.is_cut = first_at == "b"
    written = Counter[bytes]()
    firsts: dict[str, list[bytes]] = {}
    for device, parted, torn in cases:
        lines(device, (GOOD,) * 3, "first")
        push(device, casinos.server(first_at))
        written.update(device.log)
        firsts[device.id] = device.log[parted - 1 :]
        del device.log[parted - 1 :]
        device.acked = parted - 1
        lines(device, torn, "second")
        written.update(device.log[parted - 1 :])
    if first_at != "b":
        casinos.settle()
    if restored:
        put_back(casinos, copy, restored)
    casinos.a.wan.is_cut = True
    for device, _, _ in cases:
        push(device, casinos.a)
    for node in (casinos.a, casinos.b):
        node.wan.http.client = casinos.upstream.app.test_client()
        node.wan.is_cut = False
    casinos.settle()
    if first_at == restored == UPSTREAM:  # what only the upstream held, its handheld sends again
        for device, parted, _ in cases:
            device.log[parted - 1 :], device.acked = firsts[device.id], parted - 1
            push(device, casinos.upstream)
    casinos.settle()
    assert casinos.a.status["stuck"] == casinos.b.status["stuck"] == []
    there = Counter(casinos.upstream.events().values())
    assert {sha256(line).hexdigest(): 1 for line in written}.items() <= there.items()
    assert_one_state(casinos)


@pytest.mark.parametrize("torn", [GOOD, TORN])
def test_a_history_that_parts_again_is_handed_on_after_what_it_continues(
    casinos: Casinos, *, torn: bool
) -> None:
    """Upstream the run went another way two events ago: where, the node only finds by trying."""
    device = casinos.a.device()
    lines(device, (GOOD,), "before")
    push(device, casinos.a)
    casinos.settle()
    casinos.a.wan.is_cut = True
    lines(device, (GOOD, GOOD), "first")
    push(device, casinos.a)
    written, device.log, device.acked = [*device.log], device.log[:2], 2
    lines(device, (torn, GOOD), "second")
    push(device, casinos.a)
    written += device.log[2:]
    device.log, device.acked = device.log[:1], 1
    lines(device, (GOOD, GOOD), "third")
    push(device, casinos.upstream)
    casinos.restart("a")  # and it does not know any more how far its upstream was
    casinos.settle()
    assert casinos.a.status["stuck"] == []
    assert {sha256(line).hexdigest() for line in written} <= {*casinos.upstream.events().values()}
    assert_one_state(casinos)
