"""What is wrong, on the floor: a dispute is seen before the item goes on, and closed by a scan."""

import sqlite3
from contextlib import closing
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.handheld import Handheld
from tests.support.casino import Casino
from tests.support.device import Device, SocketHttp


def other(casino: Casino) -> Device:
    """Enrol another device of the house, without a browser."""
    address = urlsplit(casino.url)
    device = Device(SocketHttp(str(address.hostname), int(address.port or 0)))
    assert device.enrol(casino.code(), "Vault tablet").status == 201
    return device


def person(handheld: Handheld, handle: str) -> str:
    name = handheld.casino.people[handle].name
    found = handheld.run("signon.js", "roster")
    return str(next(one["id"] for one in found if one["name"] == name))


def still_open(casino: Casino) -> list[str]:
    query = "SELECT kind FROM exception WHERE resolved IS NULL"
    with closing(sqlite3.connect(casino.data / "custody.db")) as ledger:
        return [str(row[0]) for row in ledger.execute(query)]


def test_a_dispute_is_seen_with_both_sides_before_the_item_goes_on_and_resolved_offline_by_a_scan(
    handheld: Handheld,
) -> None:
    page = handheld.page
    handheld.receive("D5-001..D5-002", 2)
    handheld.drained()
    received = handheld.outbox()[-1]["id"]
    handheld.go("/h/exceptions")
    expect(page.locator(".empty")).to_contain_text("Nothing is open")
    handheld.device.offline()
    signers = [person(handheld, handle) for handle in ("fay", "sam")]
    tablet = other(handheld.casino)
    vault = handheld.place("Dice vault")
    tablet.record("store", items=["D5-001"], to=vault, by=signers, saw={"D5-001": received})
    assert tablet.push().json["exceptions"] == []
    handheld.step("store", ["D5-001"], vault).sign("fay", "sam")
    handheld.device.offline(False)
    handheld.drained()
    handheld.until(lambda: bool(handheld.run("exceptions.js", "openOnes")))

    handheld.device.offline()
    handheld.step("issue", ["D5-001"], handheld.place("Pit 1 stand"))
    expect(page.locator(".note.bad").first).to_contain_text("D5-001 is disputed")
    expect(page.locator(".side")).to_have_count(2)
    expect(page.locator(".side").first).to_contain_text("on Vault tablet")
    expect(page.locator(".side").last).to_contain_text("on Pit 1 tablet")
    expect(page.locator(".side").last).to_contain_text("It knew the item as of: Receive")
    handheld.device.shots("handheld-sign-disputed")
    handheld.go("/h/")
    page.get_by_role("link", name="Exceptions").click()
    handheld.heading("Exceptions")
    expect(page.locator(".rows li")).to_contain_text("Two devices took it at once")
    handheld.device.shots("handheld-exceptions")
    handheld.scan("D5-001")
    handheld.heading("D5-001")
    expect(page.locator(".note.bad")).to_contain_text("Disputed")
    handheld.device.shots("handheld-item-disputed")
    page.get_by_role("link", name="Show and resolve").click()
    handheld.heading("Two devices took it at once")
    handheld.scan("D5-002")
    expect(page.locator(".note.bad")).to_contain_text("not what this is about")
    page.wait_for_timeout(350)
    handheld.scan("D5-001")
    expect(page.locator(".note.good")).to_contain_text("in your hand")
    page.get_by_role("button", name="To the signatures").click()
    expect(page.locator(".note.bad")).to_contain_text("Say what was found")
    page.get_by_label("What was found").fill("It lies in the vault")
    page.get_by_label("Vault tablet").check()
    handheld.device.shots("handheld-exception")
    page.get_by_role("button", name="To the signatures").click()
    handheld.sign("fay")
    assert handheld.run("exceptions.js", "openOnes") == [], "closed here before the server knows"
    handheld.device.offline(False)
    handheld.drained()
    event = handheld.outbox()[-1]
    assert event["event"]["with"]["outcome"] == "It lies in the vault"
    assert event["exceptions"] == []
    assert still_open(handheld.casino) == []
    told = {"at": 7_200_000, "server": 0, "day": "2026-11-29", "place": vault, "found": ["D5"]}
    facts = handheld.run("exception_facts.js", "factsOf", told)
    assert [(one["name"], one["text"]) for one in facts] == [
        ("Gaming day", "2026-11-29"),
        ("Place", "Dice vault"),
        ("Its clock", "2 h ahead of the server's"),
    ]
    handheld.until(lambda: not handheld.run("records.js", "record", "item", "D5-001")["disputed"])
