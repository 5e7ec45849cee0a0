"""Every screen at every size: nothing cut off, every target large enough for a thumb, a heading."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld
from tests.support.casino import Casino

# What a person may touch, and is smaller than 48 pixels; a label stands for the box inside it.
SMALL = """() => [...document.querySelectorAll(
    "#screen a, #screen button, #screen select, #screen textarea, #screen label.choice, .bar a")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.outerHTML.slice(0, 90), Math.round(one.getBoundingClientRect().height)])
  .filter(([, height]) => height < 48)"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def looked_at(handheld: Handheld, name: str) -> None:
    page = handheld.page
    page.wait_for_timeout(150)
    assert page.locator("#screen h1").count() == 1, name
    assert page.evaluate(SMALL) == [], name
    assert page.evaluate(WIDE) <= 0, f"{name} is wider than the screen"
    handheld.device.shot(f"handheld-{name}")
    if handheld.device.screen == "phone":
        handheld.device.enlarge()
        assert page.evaluate(WIDE) <= 0, f"{name} is wider than the screen with large text"
        handheld.device.enlarge(16)


@pytest.mark.parametrize(
    ("screen", "scheme"), [("phone", "light"), ("tablet", "dark"), ("desktop", "light")]
)
def test_each_screen_fits_and_its_targets_are_large(
    open_device: OpenDevice, new_casino: Casino, screen: str, scheme: str
) -> None:
    device = open_device(new_casino.url, screen=screen, color_scheme=scheme)
    handheld = Handheld(device, new_casino)
    device.open(f"/h/enrol#{new_casino.code()}")
    handheld.ready()
    looked_at(handheld, "enrol")
    handheld.enrol()
    looked_at(handheld, "people")
    handheld.go("/h/people")
    handheld.scan(new_casino.people["fay"].badge)
    handheld.heading("Fay Moss")
    looked_at(handheld, "pin")
    handheld.pin("fay")
    handheld.heading("Home")
    looked_at(handheld, "home")
    handheld.stock("D5-001..D5-004", 4, ["D5-001", "D5-002"])
    device.offline()
    for name, path, heading in (
        ("item", "/h/item/D5-001", "D5-001"),
        ("steps", "/h/steps", "All steps"),
        ("step", "/h/step?step=inspect&item=D5-001", "Inspect"),
        ("outbox", "/h/outbox", "Outbox"),
        ("settings", "/h/settings", "This handheld"),
        ("scan-log", "/h/scans", "Scan log"),
        ("clause", "/h/clause/MD-02.13-H.1", "MD-02.13-H.1"),
        ("type", "/h/type", "Type a code"),
        ("round", "/h/flow/round", "Collection round"),
        ("destruction", "/h/flow/destruction", "Destruction"),
    ):
        handheld.go(path)
        handheld.heading(heading)
        looked_at(handheld, name)
    flows(handheld, looked_at)


def flows(handheld: Handheld, look: Callable[[Handheld, str], None]) -> None:
    page: Page = handheld.page
    handheld.go("/h/")
    handheld.heading("Home")
    handheld.scan("NO-SUCH-1")
    handheld.heading("Not known")
    look(handheld, "unknown")
    handheld.step("issue", ["D5-003"], handheld.place("CR1"))
    page.locator(".note.bad").wait_for()
    look(handheld, "refused")
    handheld.go("/h/")
    handheld.heading("Home")
    handheld.open_table("D5-001")
    handheld.heading("Sign")
    look(handheld, "sign")
    handheld.sign("fay", "dee")
    look(handheld, "recorded")
    handheld.go("/h/flow/closing")
    handheld.heading("End of the day")
    look(handheld, "closing")
    handheld.go(f"/h/place/{handheld.place('CR1')}")
    handheld.heading("CR1")
    look(handheld, "place")


WHERE = "[scrollY, document.activeElement.textContent.trim()]"
NEWS = """document.dispatchEvent(new CustomEvent("custody:changed"))"""


def renewed(handheld: Handheld, selector: str) -> None:
    """Let what renews itself do so, and wait until it has."""
    mark = f"document.querySelector('{selector}').firstElementChild.dataset.old = 'old'"
    handheld.page.evaluate(f"{mark}; {NEWS}")
    gone = f"!document.querySelector('{selector} [data-old]')"
    handheld.until(lambda: bool(handheld.page.evaluate(gone)))


def test_what_renews_itself_moves_nobody_and_loses_no_tap(handheld: Handheld) -> None:
    page = handheld.page
    handheld.go("/h/step?step=receive")
    handheld.heading("Receive")
    page.evaluate("document.activeElement.blur(); scrollTo(0, 300)")
    renewed(handheld, "#status")
    assert page.evaluate("scrollY") == 300
    handheld.go("/h/outbox")
    handheld.heading("Outbox")
    page.get_by_role("button", name="Send now").focus()
    renewed(handheld, "#screen")
    assert page.evaluate(WHERE)[1] == "Send now"
    page.evaluate(
        """async () => {
          const old = document.querySelector("#screen h1");
          old.dataset.old = "old";
          document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
            const answer = ctx.fetch;
            ctx.fetch = async (...asked) => {
              while (old.isConnected && old.dataset.old)
                await new Promise((done) => setTimeout(done, 10));
              return answer(...asked);
            };
          }, { once: true });
          htmx.ajax("GET", "/h/settings", {target: "#screen", swap: "outerHTML"});
          document.dispatchEvent(new CustomEvent("custody:changed"));
        }"""
    )
    handheld.heading("This handheld")
