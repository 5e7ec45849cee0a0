"""The hand-made flows: how many taps and scans they cost, and that each records what was done."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HandOut
from tests.browser.handheld import Handheld, held
from tests.browser.kits import SIGNED_ON

# Counts what a person does: taps on the screen, and scans that the page took.
COUNT = """
window.taps = 0;
document.addEventListener("click", (event) => { if (event.isTrusted) window.taps += 1; }, true);
"""


def with_a_pit(handheld: Handheld) -> None:
    handheld.stock("D5-001..D5-004", 4, ["D5-001", "D5-002"])
    handheld.sign_alone("fay")
    handheld.drained()


@pytest.fixture
def handheld(hand_out: HandOut) -> Handheld:
    """A handheld on which dice were received and issued to a pit; only Fay is signed on."""
    return hand_out((*SIGNED_ON, with_a_pit))


def test_opening_a_craps_table_takes_twelve_taps_and_three_scans_with_both_signatures(
    handheld: Handheld,
) -> None:
    handheld.page.evaluate(COUNT)
    before = len(handheld.scans())
    handheld.open_table("D5-001").sign("fay", "dee")
    taps = handheld.page.evaluate("window.taps")
    scans = len(handheld.scans()) - before
    print(f"opening a craps table: {taps} taps, {scans} scans")
    assert taps <= 12
    assert scans <= 3
    events = [kept["event"] for kept in handheld.outbox()][-3:]
    assert [event["step"] for event in events] == ["issue", "inspect", "play"]
    assert events[1]["with"]["checked"] == ["inspection.flat_surface", "inspection.tools_at_hand"]
    assert "checked" not in events[2]["with"]


def test_a_stick_goes_from_the_table_to_the_drill_offline_and_the_log_has_each_step_once(
    handheld: Handheld,
) -> None:
    page = handheld.page
    handheld.open_table("D5-001").sign("fay", "dee")
    handheld.device.offline()

    handheld.scan(handheld.place("CR1"))
    handheld.heading("CR1")
    page.get_by_role("link", name="End of the day", exact=True).click()
    page.get_by_label("Dice counted").fill("5")
    page.get_by_label("No damage, no tampering").check()
    handheld.scan("EV-000001")
    expect(page.get_by_label("Envelope")).to_have_value("EV-000001")
    expect(page.get_by_label("Dice counted")).to_have_value("5")
    handheld.scan("S-0001")
    expect(page.get_by_label("Seal")).to_have_value("S-0001")
    page.get_by_label("The label is attached").check()
    page.get_by_role("button", name="To the signatures").click()
    handheld.sign("dee", "fay", "gus")

    handheld.go("/h/flow/round")
    handheld.heading("Collection round")
    handheld.scan("EV-000001")
    expect(page.locator(".note.good")).to_contain_text("1 in hand")
    page.wait_for_timeout(350)
    handheld.scan("EV-000001")
    expect(page.locator(".note.warn")).to_contain_text("already scanned")
    page.get_by_role("button", name="Sign for 1").click()
    handheld.sign("sam")
    page.get_by_role("link", name="Go on").click()
    expect(page.locator("#screen")).to_contain_text("You carry 1")
    expect(page.locator(".note.good")).to_have_text(
        "Take the envelope to Security office, then scan its code."
    )
    handheld.device.kill()
    handheld.device.open("/h/flow/round")
    handheld.ready()
    page = handheld.page
    handheld.scan(handheld.place("Security office"))
    handheld.sign("sam")

    handheld.go("/h/flow/destruction")
    handheld.heading("Destruction")
    handheld.scan("EV-000001")
    expect(page.locator("#screen")).to_contain_text("scan or type the seal")
    handheld.scan("S-0001")
    expect(page.locator(".pill.good").last).to_contain_text("Seal intact")
    page.get_by_label("drilled").check()
    page.get_by_role("button", name="To the signatures").click()
    handheld.sign("sam", "sue")

    handheld.device.offline(False)
    handheld.drained()
    kept = handheld.outbox()
    assert held(handheld.casino, handheld) == [one["id"] for one in kept]
    assert [one["event"]["step"] for one in kept][3:] == [
        *("issue", "inspect", "play"),
        *("remove", "inspect", "pack", "collect", "deliver", "open", "cancel"),
    ]
    assert [one["exceptions"] for one in kept] == [[]] * len(kept)


def test_a_seal_that_is_another_is_recorded_as_found_and_raised(
    handheld: Handheld,
) -> None:
    page = handheld.page
    stand = handheld.place("Pit 1 stand")
    handheld.go(f"/h/step?step=pack&item=D5-002&to={stand}&with.purpose=reserve_destroy")
    page.locator('input[name="part.into"]').fill("EV-000009")
    page.locator('input[name="with.seal"]').fill("S-0009")
    page.locator('select[name="with.pit"]').select_option(label="Pit 1 stand")
    page.locator('input[name="with.label"][value=yes]').check()
    page.get_by_role("button", name="To the signatures").click()
    handheld.sign("pam")
    handheld.go("/h/flow/destruction")
    handheld.heading("Destruction")
    handheld.scan("EV-000009")
    expect(page.locator("#screen")).to_contain_text("scan or type the seal")
    expect(page.locator("#screen")).not_to_contain_text("S-0009")
    handheld.scan("S-0008")
    expect(page.locator(".pill.bad")).to_contain_text("Another seal")
