"""Trap 25: "immediately" needs two times, when it was found and when it was told. Recorded without
a network, the time of the event and the time of its arrival stand side by side.
"""

from __future__ import annotations

from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from tests.support import cast
from tests.support.device import Device

HOUR = 3_600_000


def test_found_told_and_arrived_are_three_times_and_none_overwrites_another(
    device: Device, ledger: Ledger
) -> None:
    """MD-02.13-H.1.a-b, MD-02.13-G.1"""
    now = device.clock()
    device.record("receive", **cast.receive("D5-001"), at=now - 5 * HOUR)
    found = {"form": "dice", "discovered_by": "fay", "discovered_at": now - 4 * HOUR}
    late = {"why": "paper", "at": now - 3 * HOUR, "form": "P-17"}
    told = {"items": ["D5-001"], "by": ["fay"], "saw": {"D5-001": device.head()}}
    device.record("report", **told, at=now - 2 * HOUR, **{"with": {**found, "fact": late}})
    assert device.push().status == 200
    entry = entries.one(ledger, ledger.size() - 1)
    event = entry["event"]
    assert event["at"] == now - 2 * HOUR
    assert event["with"]["discovered_at"] == now - 4 * HOUR
    assert event["with"]["fact"]["at"] == now - 3 * HOUR
    assert entry["received"] >= now
    device.pull()
    assert device.item("D5-001")["reports"][0]["at"] == now - 3 * HOUR
