"""A handheld at a server that does not know it yet, and cannot ask the one that does."""

from playwright.sync_api import Route, expect

from tests.browser.handheld import Handheld
from tests.browser.test_handheld_sync import ANY, PROBLEM, kept_once, note

AWAY = '{"type":"upstream-away","status":503,"detail":"it cannot ask its upstream now"}'


def away(route: Route) -> None:
    headers = {"Retry-After": "15"}
    route.fulfill(status=503, body=AWAY, content_type=PROBLEM, headers=headers)


def test_it_waits_says_so_goes_on_by_itself_and_may_enrol_there(handheld: Handheld) -> None:
    handheld.device.guard.allow("status of 503")
    handheld.device.context.route(ANY, away)
    note(handheld, 2)
    handheld.run("sync.js", "kick")
    expect(handheld.page.locator("#status")).to_contain_text("Waits for another server")
    expect(handheld.page.locator("#status")).not_to_contain_text("Needs help")
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".note.warn")).to_contain_text("Go on working")
    expect(handheld.page.locator(".note.warn")).to_contain_text("nothing is recorded twice")
    expect(handheld.page.get_by_role("link", name="Enrol anew")).to_be_visible()
    assert handheld.waiting() == 2
    handheld.device.context.unroute(ANY)
    kept_once(handheld)
