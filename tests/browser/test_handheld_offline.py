"""The handheld with the network off: through a reload, a restart and a kill, and back on line."""

from playwright.sync_api import expect

from tests.browser.handheld import Handheld, held


def test_a_reload_at_any_address_is_answered_without_a_network(handheld: Handheld) -> None:
    handheld.receive("D5-001..D5-002", 2)
    handheld.device.offline()
    for path, text in [
        ("/h/item/D5-001", "D5-001"),
        ("/h/outbox", "Outbox"),
        ("/h/", "Home"),
        ("/h/clause/MD-02.13-A.4", "COMAR"),
    ]:
        handheld.device.open(path)
        handheld.ready()
        assert text in handheld.text()
    handheld.page.get_by_role("link", name="Custody").click()
    handheld.heading("Home")
    handheld.page.go_back()
    expect(handheld.page.locator("#screen")).to_contain_text("COMAR")


def test_the_header_says_soon_that_the_network_has_gone(handheld: Handheld) -> None:
    expect(handheld.page.locator("#status")).to_contain_text("Online")
    handheld.device.offline()
    expect(handheld.page.locator("#status")).to_contain_text("Offline")


def test_what_is_recorded_offline_outlives_a_restart_and_drains_by_itself(
    handheld: Handheld,
) -> None:
    handheld.device.offline()
    handheld.receive("D5-001..D5-002", 2)
    expect(handheld.page.locator(".queue b")).to_have_text("1")
    handheld.device.restart()
    handheld.device.open()
    handheld.ready()
    expect(handheld.page.locator(".queue b")).to_have_text("1")
    assert held(handheld.casino, handheld) == []
    handheld.device.offline(False)
    handheld.drained()
    assert held(handheld.casino, handheld) == [kept["id"] for kept in handheld.outbox()]


def test_a_form_half_filled_is_still_there_after_a_kill(handheld: Handheld) -> None:
    handheld.device.offline()
    handheld.go("/h/step?step=receive")
    handheld.page.locator("textarea[name=items]").fill("D5-001..D5-009")
    handheld.page.locator('input[name="with.invoice"]').fill("INV-77")
    handheld.until(lambda: "INV-77" in str(handheld.run("drafts.js", "unfinished")))
    handheld.device.kill()
    handheld.device.open("/h/step?step=receive")
    handheld.ready()
    expect(handheld.page.locator("textarea[name=items]")).to_have_value("D5-001..D5-009")
    expect(handheld.page.locator('input[name="with.invoice"]')).to_have_value("INV-77")


def test_a_ceremony_begun_before_a_kill_goes_on_and_records_each_step_once(
    handheld: Handheld,
) -> None:
    handheld.stock("D5-001..D5-002", 2, ["D5-001"])
    handheld.device.offline()
    handheld.open_table("D5-001").sign_as("fay")
    handheld.device.kill()
    handheld.device.open("/h/")
    handheld.ready()
    handheld.page.get_by_role("link", name="Open a table CR1").click()
    handheld.page.get_by_role("button", name="To the signatures").click()
    handheld.sign("fay", "dee")
    steps = [kept["event"]["step"] for kept in handheld.outbox()][-3:]
    assert steps == ["issue", "inspect", "play"]
    handheld.device.offline(False)
    handheld.drained()
    assert held(handheld.casino, handheld) == [kept["id"] for kept in handheld.outbox()]
