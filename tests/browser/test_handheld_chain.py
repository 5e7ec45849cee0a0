"""The chain of a handheld: durable before it is shown, unbroken whatever the browser does."""

import hashlib
import json

from playwright.sync_api import expect

from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld, held
from tests.support.casino import Casino

APPEND = """async ([count, person]) => {
  const {append} = await import("/static/handheld/chain.js");
  const by = [{person, how: "badge+pin", at: Date.now(), mono: 1}];
  for (let n = 0; n < count; n += 1) {
    await append([{step: "notify", items: [], with: {whom: "surveillance"}}], [by]);
  }
}"""


def unbroken(handheld: Handheld) -> list[str]:
    """Check seq and prev of every kept event against its bytes; return the ids."""
    prev, ids = "0" * 64, []
    for number, kept in enumerate(handheld.outbox(), start=1):
        event = json.loads(kept["line"])
        assert (event["seq"], event["prev"]) == (number, prev)
        prev = hashlib.sha256(kept["line"].encode()).hexdigest()
        assert kept["id"] == prev
        ids.append(prev)
    return ids


def test_two_tabs_appending_a_thousand_times_at_once_keep_one_unbroken_chain(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    second = handheld.device.context.new_page()
    second.goto(f"{new_casino.url}/h/")
    second.locator("html[data-ready]").wait_for(state="attached")
    second.set_default_timeout(120_000)
    script = f"window.done = ({APPEND})([500, 'p02'])"
    for page in (handheld.page, second):
        page.evaluate(f"void ({script})")
    for page in (handheld.page, second):
        page.evaluate("window.done")
    assert len(unbroken(handheld)) == 1000
    handheld.drained(within=60)
    assert held(new_casino, handheld) == unbroken(handheld)


def test_a_browser_killed_as_soon_as_it_says_recorded_has_the_record(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    handheld.device.offline()
    handheld.receive("D5-001..D5-003", 3)
    handheld.device.kill()
    handheld.device.open("/h/outbox")
    handheld.ready()
    expect(handheld.page.locator(".rows")).to_contain_text("D5-001..D5-003")
    assert [kept["event"]["step"] for kept in handheld.outbox()] == ["receive"]
    handheld.device.offline(False)
    handheld.drained()
    unbroken(handheld)
