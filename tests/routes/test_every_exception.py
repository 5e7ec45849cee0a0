"""Every kind of exception of the vocabulary is raised by something, and has its page and way out.

The list is the vocabulary's: a kind that nothing here raises fails.
"""

import copy
from typing import Any

from custody.ledger import desk as signing
from custody.ledger import devices, masterdata, people, signing_off
from custody.ledger.core import Ledger
from custody.ledger.reading import exceptions
from custody.rulebooks import loader
from tests.routes import cast
from tests.routes.conftest import Enrol, Open, page, text
from tests.support.device import Device, line_of

ADA = [{"person": "ada", "how": "password"}]
HOUR = 3_600_000
COUPONS = {"type": "match_play", "denomination": 1000, "expires": "2027-12-31"}
COUPONS |= {"first": "MP-000001", "last": "MP-000100"}


def steps(ledger: Ledger, *asked: dict[str, Any]) -> None:
    """Take down at the desk, as facts, what nobody would have been allowed to do."""
    for draft in asked:
        fact = {"why": "found", "at": ledger.clock()}
        made = {**draft, "with": {**draft.get("with", {}), "fact": fact}}
        signing.record_at_desk(ledger, made, [{"person": draft.get("who", "fay")}])


def lot(kind: str, attributes: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "form": "lot", "attributes": attributes}


def of_the_rules(ledger: Ledger) -> None:
    """What is wrong with what was done: names, seals, counts, coupons, numbered forms."""
    packed = {"purpose": "used", "table": "CR1", "seal": "S-0001", "label": True}
    found = {"seal": "S-0009", "seal_state": "broken", "condition": "cut"}
    redeemed = {"step": "redeem", "items": ["CL-1"], "to": "drop"}
    redeemed["with"] = {"serials": ["MP-000007"], "table": "CR1"}
    forms = {"first": "0001", "last": "0009", "document": "requisition"}
    asked = {"needed_for": "2026-12-02", "denomination": 1000, "quantity": 9}
    asked["form_number"] = "0002"
    steps(
        ledger,
        {"step": "inspect", "items": ["D5-999"]},
        {"step": "store", "items": ["D5-004"], "to": "nowhere", "who": "ghost"},
        {"step": "pack", "items": ["D5-002"], "into": "EV-002", "to": "pit1", "with": packed},
        {"step": "open", "items": ["EV-001"], "with": found},
        {"step": "count", "kind": "dice", "where": "vault", "with": {"found": []}},
        {"step": "receive", **lot("coupons", COUPONS), "items": ["CL-1"], "to": "dock"},
        redeemed,
        redeemed,
        {"step": "receive", **lot("form", forms), "items": ["FR-1"], "to": "dock"},
        {"step": "issue", "items": ["FR-1/0001..FR-1/0003"], "to": "pit1"},
        {"step": "requisition", "kind": "coupons", "with": asked},
    )


def of_the_record(ledger: Ledger, device: Device, other: Device) -> None:
    """What is wrong with who recorded it, and when."""
    device.write(b"no event")
    ahead = device.event("inspect", items=["D5-003"], by=["fay"])
    device.write(line_of({**ahead, "server": ahead["at"] - HOUR}))
    people.set_active(ledger, "gus", False, ADA)
    device.record("inspect", items=["D5-003"], by=["gus"])
    signing_off.sign_off(ledger, "2026-12-01", "", [{"person": "bea", "how": "password"}])
    told = {"why": "found", "at": cast.instant("2026-12-02T05:59")}
    saw = device.saw("D5-008")
    device.record("inspect", items=["D5-008"], by=["fay"], saw=saw, **{"with": {"fact": told}})
    twin = copy.copy(device)
    twin.log = list(device.log)
    for one in (device, twin):
        one.record("inspect", items=["D5-009"], by=["fay"], note=str(id(one)))
    device.push()
    twin.push()
    for _ in range(2):  # the second as if it did not know of the first
        saw = other.saw("D5-005")
        other.record("store", items=["D5-005"], to="annex", by=["fay"], saw=saw)
    devices.revoke(ledger, other.id, ADA)
    other.record("inspect", items=["D5-006"], by=["fay"])
    assert other.push().status == 200
    masterdata.administer(ledger, "log-rewritten", other.id, [], lambda work: [])


def of_new_devices(ledger: Ledger, handheld: Enrol, clock: cast.Clock) -> None:
    """What a device pushes that nobody approved, and one that was not heard of for a week."""
    device = handheld("Cage reader")
    clock.now += 169 * HOUR
    device.record("inspect", items=["D5-007"], by=["fay"], saw=device.saw("D5-007"))
    clock.now += HOUR
    assert device.push().status == 200
    strict = {"device_approval": "administrator"}
    change = masterdata.Change("setting", "controls", {**cast.SETTING["controls"], **strict})
    masterdata.administer(ledger, "controls", "controls", ADA, lambda work: [change])
    pending = Device(device.http, clock)
    assert pending.enrol(devices.new_code(ledger, "ada"), "New reader").json["state"] == "pending"
    pending.record("inspect", items=["D5-007"], by=["fay"])
    assert pending.push().status == 200


def test_every_kind_of_exception_is_raised_and_has_its_page_reason_and_way_out(
    desk: Open, ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    device, other = handheld("Pit 1 tablet"), handheld("Vault reader")
    of_the_rules(ledger)
    of_the_record(ledger, device, other)
    of_new_devices(ledger, handheld, clock)
    raised = {one["kind"]: one for one in exceptions.listed(ledger, limit=500)}
    assert set(raised) == set(loader.words()["exceptions"]["words"])
    browser = desk("sue")
    for kind, one in raised.items():
        answer = browser.get(f"/exceptions/{one['id']}")
        assert answer.status_code == 200
        told = text(answer)
        assert loader.catalogue()[f"exception.{kind}"]["en"] in told
        assert loader.catalogue()[f"wayout.{kind}"]["en"] in told
        assert page(answer).css_first("#resolve form") is not None
