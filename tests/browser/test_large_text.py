"""Text at twice the size on the smallest screen: WCAG 2.2 AA, 1.4.4 and 1.4.10."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.test_desk_pages import sign_in
from tests.support.browser import SCREENS, Device
from tests.support.casino import Casino

SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
LINKS = "[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))"
# What is no page of the desk: files, the log's own answers, the handheld.
OTHERS = re.compile(r"^/(static|log|h|sync|blobs)/|\.(csv|xlsx|txt|png|pdf|jsonl)$|/export")


NAMED = re.compile(r"^/(steps|reconcile|approvals/\w+|records)/[^/]+$")  # pages of one template


def sort_of(address: str) -> str:
    """Return what the addresses of one kind of page have in common: ids have digits in them."""
    path = urlsplit(address).path
    parts = path.split("/")
    if NAMED.search(path):
        parts[-1] = "*"
    return "/".join("*" if re.search(r"\d", part) else part for part in parts)


def pages(page: Page, origin: str) -> dict[str, bool]:
    """Open one page of each sort that links lead to; say of which the browser scrolls sideways."""
    found: dict[str, bool] = {}
    waiting = ["/"]
    while waiting:
        address = waiting.pop(0)
        sort = sort_of(address)
        if sort in found or OTHERS.search(sort):
            continue
        page.goto(origin + address, wait_until="domcontentloaded")
        found[sort] = page.evaluate(SIDEWAYS)
        links = [urljoin(page.url, link) for link in page.evaluate(LINKS)]
        waiting += [link.removeprefix(origin) for link in links if link.startswith(origin + "/")]
    return found


@pytest.mark.parametrize(("handle", "has"), [("ash", "/stock/*"), ("ada", "/people/*")])
def test_no_desk_page_scrolls_sideways_with_text_of_twice_the_size(
    phone: Device, casino: Casino, handle: str, has: str
) -> None:
    page = sign_in(phone, casino, handle)
    phone.enlarge()
    page.reload()
    assert page.evaluate("innerWidth") == SCREENS["phone"][0]
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    found = pages(page, casino.url)
    assert has in found
    assert [sort for sort, sideways in found.items() if sideways] == []
