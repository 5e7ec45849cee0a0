"""What the rules say on a handheld: refusals in words, facts, corrections, two languages."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HandOut
from tests.browser.handheld import Handheld
from tests.browser.kits import SIGNED_ON

SITE = ZoneInfo("America/New_York")


def received(handheld: Handheld) -> None:
    handheld.device.offline()
    handheld.receive("D5-001..D5-002", 2)


@pytest.fixture
def handheld(hand_out: HandOut) -> Handheld:
    """A handheld without a network, with two sticks received on it."""
    return hand_out((*SIGNED_ON, received), offline=True)


def test_a_step_that_is_not_allowed_says_why_under_which_clause_and_what_it_says(
    handheld: Handheld,
) -> None:
    handheld.step("issue", ["D5-001"], handheld.place("Pit 1 stand"))
    note = handheld.page.locator(".note.bad")
    expect(note).to_contain_text("Not as it stands")
    clause = note.locator("a.clause").first
    name = clause.inner_text()
    assert name.startswith("MD-02.13-")
    clause.click()
    handheld.heading(name)
    expect(handheld.page.locator(".law")).not_to_be_empty()
    expect(handheld.page.locator("section h2")).to_have_text("In the rulebook md@2026.1")
    expect(handheld.page.locator(".card").first).to_contain_text("in force from 2026-01-01")
    handheld.page.go_back()
    handheld.heading("Issue")
    assert [kept["event"]["step"] for kept in handheld.outbox()] == ["receive"]


def test_a_missing_signer_cannot_record_and_is_named(
    handheld: Handheld,
) -> None:
    handheld.step("store", ["D5-001"], handheld.place("Dice vault")).sign_as("fay")
    expect(handheld.page.locator(".slots")).to_contain_text("security")
    expect(handheld.page.get_by_role("button", name="Record")).to_have_count(0)
    handheld.sign_as("sam")
    expect(handheld.page.get_by_role("button", name="Record")).to_have_count(1)


def test_what_has_happened_already_is_recorded_as_a_fact_by_the_sites_clock_and_raised(
    hand_out: HandOut,
) -> None:
    handheld = hand_out((*SIGNED_ON, received), offline=True, timezone_id="Asia/Tokyo")
    stand = handheld.place("Pit 1 stand")
    yesterday = datetime.datetime.now(SITE) - datetime.timedelta(days=1)
    found = yesterday.replace(hour=8, minute=0, second=0, microsecond=0)
    handheld.go(f"/h/step?step=issue&item=D5-001&to={stand}&fact=1")
    handheld.page.get_by_label("It was found so").check()
    handheld.page.get_by_label("When it happened").fill(f"{found:%Y-%m-%dT%H:%M}")
    handheld.page.get_by_role("button", name="To the signatures").click()
    expect(handheld.page.locator(".note.warn").first).to_contain_text("this raises")
    expect(handheld.page.locator(".list")).to_contain_text("08:00 AM")
    handheld.sign("fay")
    event = handheld.outbox()[-1]["event"]
    assert event["with"]["fact"]["why"] == "found"
    assert event["with"]["fact"]["at"] == found.timestamp() * 1000
    handheld.device.offline(False)
    handheld.drained()
    kinds = [one["kind"] for one in handheld.outbox()[-1]["exceptions"]]
    assert "rule-broken" in kinds
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".rows li").first).to_contain_text("exception")


def test_a_mistake_is_put_right_where_it_was_made(
    handheld: Handheld,
) -> None:
    handheld.step("store", ["D5-001"], handheld.place("Dice vault")).sign("fay", "sam")
    stored = handheld.outbox()[-1]["id"]
    handheld.go("/h/item/D5-001")
    link = handheld.page.get_by_role("link", name="Entered wrongly?")
    expect(link).to_have_count(0)
    handheld.page.locator(".life summary").first.click()
    link.click()
    handheld.page.locator('input[name="with.reason"]').fill("it still stands at the dock")
    handheld.page.get_by_role("button", name="To the signatures").click()
    handheld.sign("fay")
    event = handheld.outbox()[-1]["event"]
    assert (event["step"], event["with"]["event"]) == ("correct", stored)


def test_an_entry_is_corrected_by_whoever_made_it_or_a_supervisor_and_offered_to_no_one_else(
    handheld: Handheld,
) -> None:
    handheld.sign_alone("sam")
    handheld.go("/h/item/D5-001")
    handheld.heading("D5-001")
    expect(handheld.page.locator(".life summary")).to_have_count(1)
    handheld.sign_alone("dee").go("/h/item/D5-001")
    handheld.heading("D5-001")
    expect(handheld.page.locator(".life li")).to_have_count(1)
    expect(handheld.page.locator(".life summary")).to_have_count(0)


def test_only_who_may_state_facts_is_offered_to_and_the_others_are_told_who_may(
    handheld: Handheld,
) -> None:
    refused = handheld.page.locator("details.refused")
    handheld.go("/h/item/D5-001")
    refused.locator("> summary").click()
    expect(refused.get_by_text("It has already happened").first).to_be_visible()
    handheld.sign_alone("dee").go("/h/item/D5-001")
    refused.locator("> summary").click()
    expect(refused).to_contain_text("Have a supervisor or security state it")
    expect(refused.get_by_role("link", name="It has already happened")).to_have_count(0)
    handheld.go("/h/step?step=store&item=D5-001&fact=1")
    handheld.heading("Store")
    expect(handheld.page.locator(".note.warn")).to_contain_text("supervisor or security")
    expect(handheld.page.locator('input[name="fact.why"]')).to_have_count(0)


def test_a_fact_is_recorded_once_someone_who_may_state_it_has_signed(
    handheld: Handheld,
) -> None:
    page = handheld.page
    handheld.go(f"/h/step?step=issue&item=D5-001&to={handheld.place('Pit 1 stand')}&fact=1")
    page.get_by_label("It was found so").check()
    page.get_by_role("button", name="To the signatures").click()
    handheld.heading("Sign")
    signing = page.evaluate("location.pathname + location.search")
    handheld.sign_alone("dee").go(signing)
    handheld.sign_as("dee")
    expect(page.locator(".list")).to_contain_text("may not state what has happened")
    expect(page.get_by_role("button", name="Record")).to_have_count(0)
    handheld.sign_as("sam")
    expect(page.get_by_role("button", name="Record")).to_have_count(1)


def test_what_refuses_several_steps_is_said_once(
    handheld: Handheld,
) -> None:
    handheld.go("/h/item/D5-001")
    refused = handheld.page.locator("details.refused")
    refused.locator("> summary").click()
    texts = [one.inner_text() for one in refused.locator(".reason").all()]
    assert len(set(texts)) == len(texts) > 0
    expect(refused.get_by_text("These are for another state")).to_have_count(1)


def test_a_long_list_of_codes_is_signed_as_runs_with_its_count(
    handheld: Handheld,
) -> None:
    codes = [f"D5-{number:03}" for number in (*range(101, 130), 140)]
    found = handheld.run("runs.js", "runs", codes[::-1])
    assert found == {"runs": ["D5-101..D5-129", "D5-140"], "count": 30}
    handheld.receive("\n".join(codes), 30)
    expect(handheld.page.locator(".rows li")).to_contain_text("D5-101..D5-129 D5-140 30 in all")
    handheld.go(f"/h/event/{handheld.outbox()[-1]['id']}")
    handheld.heading("Receive")
    expect(handheld.page.locator("a.code")).to_have_text("D5-140")


def test_the_language_of_the_device_is_the_language_of_words_and_reasons(
    handheld: Handheld,
) -> None:
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
