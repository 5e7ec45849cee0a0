"""Scans by keyboard wedge, anywhere on the screen, whatever the scanner puts around the code."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HandOut
from tests.browser.handheld import PRESS, Handheld
from tests.browser.kits import SIGNED_ON

CODE = "D5-001"


def received(handheld: Handheld) -> None:
    handheld.device.offline()
    handheld.receive("D5-001..D5-030", 30)


@pytest.fixture
def stocked(hand_out: HandOut) -> Handheld:
    return hand_out((*SIGNED_ON, received), offline=True)


@pytest.mark.parametrize("suffix", ["", "Enter", "Tab"])
def test_a_scan_finds_its_item_whatever_the_suffix(stocked: Handheld, suffix: str) -> None:
    for code in ("D5-001", "D5-002"):
        stocked.scan(code, suffix)
        stocked.heading(code)


def test_carriage_return_and_line_feed_are_one_scan_and_so_is_the_same_code_at_once(
    stocked: Handheld,
) -> None:
    keys = [*CODE, "Enter", "Enter", *CODE, "Enter", "Enter"]
    stocked.page.evaluate(f"(keys) => {{ {PRESS} keys.forEach(press); }}", keys)
    stocked.heading(CODE)
    assert [one["result"] for one in stocked.scans()][-2:] == ["item", "double"]


def test_twenty_scans_sixty_milliseconds_apart_are_all_taken_in_their_order(
    stocked: Handheld,
) -> None:
    codes = [f"D5-{number:03}" for number in range(1, 21)]
    stocked.page.evaluate(
        f"""async (codes) => {{ {PRESS}
          for (const code of codes) {{
            [...code, "Enter"].forEach(press);
            await new Promise((done) => setTimeout(done, 60));
          }} }}""",
        codes,
    )
    expect(stocked.page.locator("h1")).to_contain_text("D5-020")
    assert [one["raw"] for one in stocked.scans()][-20:] == codes


def test_a_scan_into_a_focused_field_leaves_what_was_typed_there(stocked: Handheld) -> None:
    stocked.go("/h/step?step=notify")
    field = stocked.page.locator('input[name="with.whom"]')
    field.fill("surveillance")
    field.focus()
    stocked.scan("D5-003")
    expect(stocked.page.locator("textarea[name=items]")).to_have_value(re.compile("D5-003"))
    expect(stocked.page.locator('input[name="with.whom"]')).to_have_value("surveillance")


def test_a_prefix_that_is_set_is_stripped_and_one_that_is_not_is_reported(
    stocked: Handheld,
) -> None:
    stocked.scan("\x02D5-001\x03")
    stocked.heading(CODE)
    stocked.scan("*D5-002")
    stocked.heading("Not known")
    expect(stocked.page.locator(".note")).to_contain_text("*")
    stocked.go("/h/settings")
    stocked.page.get_by_label("Sends before the code").fill("*")
    stocked.page.evaluate("document.getElementById('screen').dataset.before = 'saving'")
    stocked.page.get_by_role("button", name="Save").click()
    expect(stocked.page.locator("#screen[data-before]")).to_have_count(0)
    assert stocked.run("store.js", "meta", "settings")["prefix"] == "*"
    stocked.page.wait_for_timeout(350)  # sooner it would be the scanner's own double
    stocked.scan("*D5-002")
    stocked.heading("D5-002")


def test_caps_lock_and_another_keyboard_are_said_in_words_and_make_no_item(
    stocked: Handheld,
) -> None:
    stocked.scan("d5-001")
    stocked.heading(CODE)
    expect(stocked.page.locator(".note")).to_contain_text("Caps lock")
    stocked.scan("EV)àà'é&è")
    stocked.heading("Not known")
    expect(stocked.page.locator(".note")).to_contain_text("layout looks wrong")
    assert stocked.scans()[-1]["raw"] == "EV)àà'é&è"


def test_an_unknown_code_is_said_and_kept_and_never_guessed(stocked: Handheld) -> None:
    stocked.scan("D5-0011")
    stocked.heading("Not known")
    expect(stocked.page.locator(".code")).to_contain_text("D5-0011")
    stocked.go("/h/scans")
    expect(stocked.page.locator(".rows li").first).to_contain_text("D5-0011")
    expect(stocked.page.locator(".rows li").first).to_contain_text("not known")


def test_a_hostile_code_is_shown_as_text_and_asks_for_nothing(stocked: Handheld) -> None:
    hostile = '"><img/src=/x/onerror=alert(1)>'
    stocked.scan(hostile)
    stocked.heading("Not known")
    expect(stocked.page.locator(".code")).to_contain_text(hostile)
    assert stocked.page.locator("#screen img").count() == 0


def test_a_place_says_where_one_is_and_a_typed_code_does_what_a_scan_does(
    stocked: Handheld,
) -> None:
    table = stocked.place("CR1")
    stocked.go("/h/type")
    stocked.page.get_by_label("Code").last.fill(table)
    stocked.page.get_by_role("button", name="Take it").click()
    stocked.heading("CR1")
    expect(stocked.page.locator("#screen")).to_contain_text("You are here")
    stocked.go("/h/")
    expect(stocked.page.locator(".place")).to_contain_text("CR1")
