"""What people on the floor do, in the tests of site nodes."""

from __future__ import annotations

from typing import Any

from custody.commands.verify import faults_of
from tests.support import cast
from tests.support.device import Device
from tests.support.nodes import Casinos

ADA = [{"person": "ada"}]
STICKS = ("D5-001", "D5-002", "D5-003")


def stock(device: Device) -> None:
    """Receive and store three sticks."""
    device.record("receive", **cast.receive("D5-001..D5-003"))
    assert device.push().status == 200
    device.pull()
    device.record("store", **cast.store("D5-001..D5-003"), saw=device.saw(*STICKS))
    assert device.push().status == 200
    device.pull()


def issue(device: Device, code: str, **more: Any) -> str:
    by = ["fay", "sam", "pam"]
    fields = {"items": [code], "to": "pit1", "by": by, "saw": device.saw(code), **more}
    return device.record("issue", **fields)


def assert_one_state(casinos: Casinos) -> None:
    """All three say the same, to the byte, and each ledger is sound by itself."""
    assert len({server.digest() for server in casinos.servers}) == 1
    for server in casinos.servers:
        assert faults_of(server.ledger) == []


def two_claims(casinos: Casinos) -> tuple[Device, Device]:
    """Both nodes know the sticks, are cut off from each other, and each issues the same one."""
    first, second = casinos.a.device(), casinos.b.device()
    stock(first)
    casinos.settle()
    second.pull()
    issue(first, "D5-001")
    issue(second, "D5-001")
    assert first.push().json["exceptions"] == []
    assert second.push().json["exceptions"] == []
    casinos.settle()
    return first, second
