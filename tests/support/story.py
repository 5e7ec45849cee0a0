"""A short history with everything that a rebuild must get right: forks, disputes, corrections."""

from __future__ import annotations

import copy

from flask import Flask

from custody.ledger import devices, people
from custody.ledger.core import Ledger
from tests.support import cast
from tests.support.device import Device, FlaskHttp


def tell(app: Flask, ledger: Ledger) -> tuple[Device, Device]:
    """Play the history with two devices and return them."""
    a, b = (Device(FlaskHttp(app)) for _ in range(2))
    for one in (a, b):
        one.enrol(devices.new_code(ledger))
    a.record("receive", **cast.receive("D5-001..D5-006"))
    a.push()
    sync(a, b)
    a.record("store", **cast.store("D5-001..D5-006"), saw=a.saw(*codes()))
    a.push()
    sync(a, b)
    claim_twice(a, b)
    wrong = a.record(
        "issue", items=["D5-003"], to="pit1", by=["fay", "sam", "pam"], saw=a.saw("D5-003")
    )
    a.push()
    sync(a, b)
    undo = {"event": wrong, "reason": "the wrong stick"}
    a.record("correct", items=["D5-003"], by=["pam"], saw=a.saw("D5-003"), **{"with": undo})
    a.write(b"not an event")
    a.push()
    late = {"fact": {"why": "late", "at": a.clock() - 3_600_000}}
    b.record(
        "store", items=["D5-004"], to="vault", by=["fay"], saw=b.saw("D5-004"), **{"with": late}
    )
    b.push()
    people.set_active(ledger, "gus", False, [{"person": "ada", "how": "password"}])
    fork(a)
    return a, b


def codes() -> list[str]:
    return [f"D5-00{n}" for n in range(1, 7)]


def sync(*some: Device) -> None:
    for one in some:
        one.pull()


def claim_twice(a: Device, b: Device) -> None:
    """Two devices that do not see each other take one stick to two pits' tables."""
    for one, table in ((a, "CR1"), (b, "CR2")):
        one.record("issue", items=["D5-001"], to=table, by=["fay"], saw=one.saw("D5-001"))
    a.push()
    b.push()
    sync(a, b)


def fork(a: Device) -> None:
    other = copy.copy(a)
    other.log = list(a.log)
    a.record("receive", **cast.receive("D5-008"))
    other.record("receive", **cast.receive("D5-009"))
    a.push()
    other.push()
