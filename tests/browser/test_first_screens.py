"""The first thing that each device shows: whole, in the origin, and inside the policy."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenDevice
from tests.support.browser import SCREENS
from tests.support.casino import Casino


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("path", "shown"),
    [("/h/", "html[data-ready=true] main h1"), ("/sign-in", "main form input[name=password]")],
)
def test_a_first_screen_loads_all_it_needs_from_the_origin(
    open_device: OpenDevice, new_casino: Casino, screen: str, path: str, shown: str
) -> None:
    device = open_device(new_casino.url, screen=screen)
    page = device.open(path)
    page.locator(shown).first.wait_for(state="visible")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= SCREENS[screen][0], "the screen scrolls sideways"


def test_a_handheld_that_lacks_a_part_of_the_app_says_so_and_starts_once_it_is_there(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    device = open_device(new_casino.url)
    device.guard.allow("start:|sentences.json|ERR_CONNECTION_REFUSED")
    device.page.route("**/sentences.json", lambda route: route.abort("connectionrefused"))
    page = device.open("/h/")
    expect(page.get_by_role("alert")).to_contain_text("The app is not whole")
    device.page.unroute("**/sentences.json")
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("html[data-ready=true] main h1")).to_be_visible()


def test_a_script_written_into_a_page_does_not_run(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    device = open_device(new_casino.url)
    device.guard.allow("content security policy|Content Security Policy")
    page = device.open("/h/")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.broken = true";
          document.body.append(script);
          const image = document.createElement("img");
          image.setAttribute("onerror", "window.broken = true");
          image.src = "/static/nothing.png";
          document.body.append(image);
        }"""
    )
    device.guard.allow("404.*nothing.png")
    page.wait_for_timeout(300)
    assert page.evaluate("window.broken") is None
    assert any("content security policy: script-src" in said for said in device.guard.problems)
