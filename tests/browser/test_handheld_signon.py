"""Signing on at a handheld: badge and PIN, offline, with tries that nothing gives back."""

import re
from contextlib import closing

from playwright.sync_api import expect

from custody.demo.casino import config
from custody.ledger.core import open_ledger
from custody.ledger.people import set_pin
from tests.browser.conftest import HandOut
from tests.browser.handheld import Handheld
from tests.browser.kits import ENROLLED

WRONG = "111213"


def at_the_pin(handheld: Handheld, handle: str) -> None:
    handheld.go("/h/people")
    handheld.heading("Who is here")
    handheld.scan(handheld.casino.people[handle].badge)
    handheld.heading(handheld.casino.people[handle].name)


def lock(handheld: Handheld, handle: str) -> None:
    for left in (4, 3, 2, 1, 0):
        handheld.pin(handle, WRONG)
        note = f"{left} tries left" if left != 1 else "One try left"
        if left:
            expect(handheld.page.locator(".note.bad")).to_contain_text(note)
    expect(handheld.page.locator(".note.bad").last).to_contain_text("locked")


def test_a_second_person_signs_on_beside_the_first(hand_out: HandOut) -> None:
    handheld = hand_out(ENROLLED)
    handheld.device.offline()
    handheld.sign_on("fay", "dee")
    handheld.go("/h/people")
    on = handheld.page.get_by_role("region", name="Signed on")
    expect(on).to_contain_text("Fay Moss")
    expect(on).to_contain_text("Dee Lind")


def test_after_five_wrong_pins_no_reload_tab_or_clock_gives_a_sixth(hand_out: HandOut) -> None:
    handheld = hand_out(ENROLLED)
    handheld.device.offline()
    at_the_pin(handheld, "dee")
    handheld.pin("dee", WRONG)
    expect(handheld.page.locator(".note.bad")).to_contain_text("4 tries left")
    handheld.reload()
    handheld.pin("dee", WRONG)
    expect(handheld.page.locator(".note.bad")).to_contain_text("3 tries left")
    second = handheld.device.context.new_page()
    second.add_init_script("Date.now = () => 0")
    second.goto(handheld.page.url)
    second.locator("html[data-ready]").wait_for(state="attached")
    for digit in WRONG:
        second.locator(f'[data-digit="{digit}"]').click()
    second.locator(".pad .go").click()
    expect(second.locator(".note.bad")).to_contain_text("2 tries left")
    second.close()
    for _ in range(2):
        handheld.pin("dee", WRONG)
        handheld.page.wait_for_timeout(600)
    expect(handheld.page.locator(".note.bad").last).to_contain_text("locked")
    handheld.device.restart()
    handheld.device.open("/h/people")
    handheld.ready()
    at_the_pin(handheld, "dee")
    expect(handheld.page.locator(".note.bad").last).to_contain_text("locked")
    expect(handheld.page.locator(".pad")).to_have_count(0)


def test_a_supervisor_who_signs_on_gives_more_tries(hand_out: HandOut) -> None:
    handheld = hand_out(ENROLLED)
    handheld.device.offline()
    at_the_pin(handheld, "dee")
    lock(handheld, "dee")
    handheld.sign_on("sam")
    at_the_pin(handheld, "dee")
    expect(handheld.page.get_by_role("button", name=re.compile("more tries"))).to_have_count(0)
    handheld.sign_on("fay")
    at_the_pin(handheld, "dee")
    handheld.page.get_by_label("PIN of Fay Moss").fill(handheld.casino.people["fay"].pin)
    handheld.page.get_by_role("button", name="Give Dee Lind more tries").click()
    handheld.pin("dee")
    handheld.heading("Home")


def test_a_pin_set_anew_at_the_desk_unlocks_with_the_network(hand_out: HandOut) -> None:
    handheld = hand_out(ENROLLED)
    at_the_pin(handheld, "dee")
    lock(handheld, "dee")
    dee = next(one for one in handheld.run("signon.js", "roster") if one["name"] == "Dee Lind")
    handheld.casino.stop()
    with closing(open_ledger(config(handheld.casino.data))) as ledger:
        set_pin(ledger, dee["id"], "730164", [])
    handheld.casino.start()
    handheld.run("sync.js", "kick")
    at_the_pin(handheld, "dee")
    handheld.pin("dee", "730164")
    handheld.heading("Home")


def test_an_unknown_badge_and_a_name_picked_are_both_answered(hand_out: HandOut) -> None:
    handheld = hand_out(ENROLLED)
    handheld.scan("BD-00000000000000000000X")
    expect(handheld.page.locator(".note.bad")).to_contain_text("not known here")
    handheld.page.get_by_role("link", name="Fay Moss").click()
    handheld.pin("fay")
    handheld.heading("Home")
    assert handheld.run("signon.js", "present")[0]["how"] == "name+pin"


def test_nothing_of_the_record_is_shown_before_someone_has_signed_on(hand_out: HandOut) -> None:
    handheld = hand_out(ENROLLED)
    path = f"/h/place/{handheld.place('CR1')}"
    handheld.device.open(path)
    handheld.ready()
    handheld.heading("Who is here")
    handheld.scan(handheld.casino.people["fay"].badge)
    handheld.pin("fay")
    handheld.heading("CR1")
