"""Somebody who is not of the house signs on the handheld: who they are, and a drawn signature."""

import re

from playwright.sync_api import expect

from tests.browser.handheld import Handheld

WHO = {"name": "C. Doe", "agency": "State Lottery and Gaming", "number": "CR-17"}


def draw(handheld: Handheld) -> None:
    """Draw two strokes in the box, as a finger does."""
    box = handheld.page.locator("[data-draw]")
    box.scroll_into_view_if_needed()
    area, mouse = box.bounding_box(), handheld.page.mouse
    assert area is not None
    for row in (0.3, 0.6):
        mouse.move(area["x"] + 20, area["y"] + area["height"] * row)
        mouse.down()
        for column in range(40, 200, 16):
            mouse.move(area["x"] + column, area["y"] + area["height"] * (row + column % 3 / 10))
        mouse.up()


def test_the_regulators_representative_signs_over_what_is_listed_and_needs_no_pin_of_the_house(
    handheld: Handheld,
) -> None:
    handheld.sign_on("sam")
    page = handheld.page
    handheld.receive("D5-101", 1)
    handheld.step("hold", ["D5-101"])
    handheld.heading("Sign")
    page.get_by_role("link", name="Somebody from outside signs").click()
    handheld.heading("Outside signer")
    expect(page.locator(".list")).to_contain_text("D5-101")
    page.get_by_text("Compliance representative", exact=False).first.click()
    for name, value in WHO.items():
        page.locator(f"input[name={name}]").fill(value)
    handheld.device.shots("handheld-outside")
    page.get_by_role("button", name="Sign", exact=True).click()
    expect(page.locator(".note.bad")).to_contain_text("The signature is missing")
    expect(page.locator("input[name=agency]")).to_have_value(WHO["agency"])
    draw(handheld)
    page.get_by_role("button", name="Sign", exact=True).click()
    page.get_by_text("✓ C. Doe").first.wait_for()
    expect(page.locator(".note.warn")).to_contain_text("Somebody of the house signs beside")
    handheld.device.shots("handheld-outside-signed")
    handheld.sign_as("sam")
    page.get_by_role("button", name="Record").click()
    expect(page.locator("h1.done")).to_be_visible()
    by = handheld.outbox()[-1]["event"]["by"]
    [signer] = [one for one in by if "person" not in one]
    assert len(by) == 2
    assert re.fullmatch(r"(M\d+ \d+(L\d+ \d+)+){2}", signer.pop("signature"))
    assert signer.pop("at") > 0
    assert signer.pop("mono") > 0
    assert signer == {**WHO, "job": "compliance_representative", "how": "drawn"}
    handheld.drained()
    assert handheld.outbox()[-1]["exceptions"] == []
    assert handheld.run("records.js", "record", "item", "D5-101")["state"] == "held"


def test_a_scan_of_a_case_or_of_a_piece_of_it_shows_its_card_and_what_another_tab_did_with_it(
    handheld: Handheld,
) -> None:
    handheld.sign_on("sam")
    handheld.receive("CASE-0007*3", 3)
    for code, holds in (("CASE-0007", "15 dice"), ("CASE-0007/002", "5 dice")):
        handheld.go("/h/")
        handheld.heading("Home")
        handheld.scan(code)
        handheld.heading(code)
        expect(handheld.page.locator(".what")).to_have_text(f"{holds}, craps")
        expect(handheld.page.get_by_role("link", name="Store").first).to_be_visible()
    handheld.go("/h/")
    handheld.scan("CASE-0007/004")
    expect(handheld.page.locator("#screen")).to_contain_text(
        "Nothing on this handheld has this code"
    )
    first_tab, other_tab = handheld.page, handheld.device.context.new_page()
    other_tab.goto(f"{handheld.casino.url}/h/item/CASE-0007%2F002")
    expect(other_tab.locator(".facts")).to_contain_text("Receiving dock")
    handheld.step("store", ["CASE-0007/002"], handheld.place("Dice vault")).sign("fay", "sam")
    for tab in (first_tab, other_tab):
        handheld.device.page = tab
        handheld.go("/h/item/CASE-0007%2F002")
        handheld.heading("CASE-0007/002")
        expect(tab.locator(".facts")).to_contain_text("Dice vault")
