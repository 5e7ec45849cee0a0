"""What the rules say on a handheld: refusals in words, facts, corrections, two languages."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld
from tests.support.casino import Casino


def started(open_device: OpenDevice, casino: Casino) -> Handheld:
    handheld = Handheld(open_device(casino.url), casino).enrol().sign_on("fay")
    handheld.device.offline()
    return handheld.receive("D5-001..D5-002", 2)


def test_a_step_that_is_not_allowed_says_why_under_which_clause_and_what_it_says(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = started(open_device, new_casino)
    handheld.step("issue", ["D5-001"], handheld.place("Pit 1 stand"))
    note = handheld.page.locator(".note.bad")
    expect(note).to_contain_text("Not as it stands")
    clause = note.locator("a.clause").first
    name = clause.inner_text()
    assert name.startswith("MD-02.13-")
    clause.click()
    handheld.heading(name)
    expect(handheld.page.locator(".law")).not_to_be_empty()
    handheld.page.go_back()
    handheld.heading("Issue")
    assert [kept["event"]["step"] for kept in handheld.outbox()] == ["receive"]


def test_a_missing_signer_cannot_record_and_is_named(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = started(open_device, new_casino)
    handheld.step("store", ["D5-001"], handheld.place("Dice vault")).sign_as("fay")
    expect(handheld.page.locator(".slots")).to_contain_text("security")
    expect(handheld.page.get_by_role("button", name="Record")).to_have_count(0)
    handheld.sign_as("sam")
    expect(handheld.page.get_by_role("button", name="Record")).to_have_count(1)


def test_what_has_happened_already_is_recorded_as_a_fact_and_raised(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = started(open_device, new_casino)
    stand = handheld.place("Pit 1 stand")
    handheld.go(f"/h/step?step=issue&item=D5-001&to={stand}&fact=1")
    handheld.page.get_by_label("It was found so").check()
    handheld.page.get_by_role("button", name="To the signatures").click()
    expect(handheld.page.locator(".note.warn").first).to_contain_text("this raises")
    handheld.sign("fay")
    event = handheld.outbox()[-1]["event"]
    assert event["with"]["fact"]["why"] == "found"
    assert isinstance(event["with"]["fact"]["at"], int)
    handheld.device.offline(False)
    handheld.drained()
    kinds = [one["kind"] for one in handheld.outbox()[-1]["exceptions"]]
    assert "rule-broken" in kinds
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".rows li").first).to_contain_text("exception")


def test_a_mistake_is_put_right_where_it_was_made(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = started(open_device, new_casino)
    handheld.step("store", ["D5-001"], handheld.place("Dice vault")).sign("fay", "sam")
    stored = handheld.outbox()[-1]["id"]
    handheld.go("/h/item/D5-001")
    handheld.page.get_by_role("link", name="Entered wrongly?").first.click()
    handheld.page.locator('input[name="with.reason"]').fill("it still stands at the dock")
    handheld.page.get_by_role("button", name="To the signatures").click()
    handheld.sign("fay")
    event = handheld.outbox()[-1]["event"]
    assert (event["step"], event["with"]["event"]) == ("correct", stored)


def test_the_language_of_the_device_is_the_language_of_words_and_reasons(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = started(open_device, new_casino)
    handheld.go("/h/settings")
    handheld.page.get_by_label("Español").check()
    handheld.page.get_by_role("button", name="Save").click()
    handheld.heading("Este dispositivo")
    handheld.reload()
    handheld.heading("Este dispositivo")
    stand = handheld.place("Pit 1 stand")
    handheld.go(f"/h/step?step=issue&item=D5-001&to={stand}")
    handheld.page.get_by_role("button", name="A las firmas").click()
    expect(handheld.page.locator(".note.bad")).to_contain_text("Así no se puede")
