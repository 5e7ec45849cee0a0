"""The desk in a real browser: at each size, in light and dark, with the network away."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenDevice
from tests.support.browser import SCREENS, Device
from tests.support.casino import Casino
from tests.support.device import Device as Handheld
from tests.support.device import SocketHttp

SignIn = Callable[[Device, str], Page]
PAGES = ("/", "/exceptions", "/find", "/stock", "/envelopes", "/reconcile", "/clauses", "/labels")
REFUSED = r"status of 4(22|03|04|29)"


def sign_in(device: Device, casino: Casino, handle: str) -> Page:
    """Sign one of the cast in at a desk."""
    page = device.open("/sign-in")
    page.get_by_label("Sign-in name").fill(handle)
    page.get_by_label("Password").fill(casino.people[handle].password or "")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    return page


def first_code(page: Page, casino: Casino) -> str:
    """Return the code of an envelope that has something in it."""
    page.goto(casino.url + "/envelopes")
    full = page.locator("tbody tr", has=page.locator("td:last-child", has_text=re.compile("[1-9]")))
    return full.locator(".code").first.inner_text()


def test_a_wrong_password_says_so_and_keeps_the_name(desktop: Device, casino: Casino) -> None:
    desktop.guard.allow(REFUSED)
    page = desktop.open("/sign-in")
    page.get_by_label("Sign-in name").fill("sue")
    page.get_by_label("Password").fill("not this one at all")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("do not fit together")
    expect(page.get_by_label("Sign-in name")).to_have_value("sue")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_scrolls_sideways_and_every_target_is_large_enough(
    open_device: OpenDevice, casino: Casino, screen: str, scheme: str
) -> None:
    device = open_device(casino.url, screen=screen, color_scheme=scheme)
    page = sign_in(device, casino, "ash")
    for address in PAGES:
        page.goto(casino.url + address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= SCREENS[screen][0], f"{address} scrolls sideways"
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, .button, nav a, select, input")]
              .filter((e) => e.checkVisibility() && e.type !== "checkbox" && e.type !== "radio")
              .filter((e) => e.getBoundingClientRect().height < 47.5)
              .map((e) => e.outerHTML)"""
        )
        assert small == [], address
        covered = page.evaluate(
            """() => [...document.querySelectorAll("header *, nav a")].filter((e) => {
              if (!e.checkVisibility() || !e.getClientRects().length) return false;
              const box = e.getBoundingClientRect();
              const x = box.x + box.width / 2, y = box.y + box.height / 2;
              if (y > innerHeight || y < 0) return false;
              const top = document.elementFromPoint(x, y);
              return top && !top.closest("header") !== !e.closest("header");
            }).map((e) => e.outerHTML)"""
        )
        assert covered == [], f"{address}: header and navigation lie on each other"
        name = address.strip("/") or "today"
        device.shot(f"desk-{name}" + ("-dark" if scheme == "dark" else ""))


def test_a_code_is_found_while_it_is_typed_and_by_a_scanner(
    desktop: Device, casino: Casino
) -> None:
    page = sign_in(desktop, casino, "sue")
    code = first_code(page, casino)
    page.goto(casino.url + "/find")
    page.get_by_role("search").nth(1).get_by_label("Scan or type a code").press_sequentially(
        code[:6]
    )
    expect(page.locator("#found tbody .code").first).to_be_visible()
    page.locator("header").get_by_label("Scan or type a code").click()
    desktop.wedge(code)
    expect(page).to_have_url(re.compile(f"/items/{code}$"))
    expect(page.locator("h1")).to_have_text(code)


def test_an_items_life_is_read_with_the_keyboard_and_its_clause_opens(
    desktop: Device, casino: Casino
) -> None:
    page = sign_in(desktop, casino, "cora")
    envelope = first_code(page, casino)
    page.goto(f"{casino.url}/items/{envelope}")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    stick = page.locator("#main a.code").first
    stick.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".life > li").first).to_be_visible()
    desktop.shot("desk-item-life")
    page.locator(".life a.clause").first.click()
    expect(page.get_by_role("heading", name="What it says")).to_be_visible()
    desktop.shot("desk-clause")


def test_a_picture_that_does_not_come_is_told_in_words(desktop: Device, casino: Casino) -> None:
    desktop.guard.allow("404")
    page = sign_in(desktop, casino, "cora")
    page.goto(casino.url + "/clauses")
    name = "a" * 64
    page.evaluate(
        """(name) => document.querySelector("#main").insertAdjacentHTML("beforeend",
          `<ul class="pictures"><li><a href="#"><img src="/pictures/${name}/small"></a>
          <span class="failed" hidden>not loaded</span></li></ul>`)""",
        name,
    )
    expect(page.locator(".pictures .failed")).to_be_visible()
    expect(page.locator(".pictures a")).to_be_hidden()


def test_an_exception_is_resolved_where_it_stands(desktop: Device, casino: Casino) -> None:
    desktop.guard.allow(REFUSED)
    page = sign_in(desktop, casino, "sue")
    page.goto(casino.url + "/exceptions")
    before = page.locator("tbody tr").count()
    assert before > 0, "the demonstration has no open exception"
    page.locator("tbody th a").first.click()
    address = page.url
    page.get_by_role("button", name="Sign and close").click()
    expect(page.locator("#resolve .wrong")).to_contain_text("Say what was found out")
    expect(page).to_have_url(address)
    desktop.shot("desk-exception")
    if page.locator("input[name=stands]").count():
        page.locator("input[name=stands]").first.check()
    page.get_by_label("Outcome").fill("Looked at it with the floor; the record stands.")
    page.get_by_role("button", name="Sign and close").click()
    expect(page.locator("#resolve form")).to_have_count(0)
    expect(page.locator("#resolve")).to_contain_text("Sue Vance")
    page.goto(casino.url + "/exceptions")
    expect(page.locator("tbody tr")).to_have_count(before - 1)


def test_filters_change_the_rows_and_the_address(desktop: Device, casino: Casino) -> None:
    page = sign_in(desktop, casino, "sue")
    page.goto(casino.url + "/exceptions")
    page.get_by_label("Status").select_option("resolved")
    expect(page).to_have_url(re.compile("state=resolved"))
    page.reload()
    expect(page.get_by_label("Status")).to_have_value("resolved")


def test_labels_of_a_delivery_are_downloaded_and_read_back_from_a_photo(
    desktop: Device, casino: Casino
) -> None:
    page = sign_in(desktop, casino, "al")
    page.goto(casino.url + "/labels")
    form = page.locator("form", has=page.get_by_role("button", name="Reserve and make labels"))
    form.get_by_label("How many").fill("1")
    form.get_by_label("File").select_option("png")
    with page.expect_download() as waiting:
        form.get_by_role("button", name="Reserve and make labels").click()
    picture = waiting.value.path()
    page.goto(casino.url + "/photo")
    page.get_by_label("Picture").set_input_files(
        {"name": "label.png", "mimeType": "image/png", "buffer": picture.read_bytes()}
    )
    page.get_by_role("button", name="Read").click()
    expect(page.locator("tbody")).to_contain_text(re.compile(r"DS-\d{7}[A-Z]"))
    desktop.shot("desk-photo")


def test_a_file_that_is_no_picture_is_refused_in_a_sentence(
    desktop: Device, casino: Casino
) -> None:
    desktop.guard.allow(REFUSED)
    page = sign_in(desktop, casino, "al")
    page.goto(casino.url + "/photo")
    page.get_by_label("Picture").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture at all"}
    )
    page.get_by_role("button", name="Read").click()
    expect(page.locator(".wrong")).to_contain_text("no picture")


def test_without_the_network_the_page_says_so_and_keeps_what_was_typed(
    desktop: Device, casino: Casino
) -> None:
    page = sign_in(desktop, casino, "al")
    page.goto(casino.url + "/steps/count?kind=dice")
    page.get_by_label("Note").fill("second shelf")
    desktop.offline()
    page.get_by_role("button", name="Sign and record").click()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.get_by_label("Note")).to_have_value("second shelf")
    desktop.offline(False)
    expect(page.locator("#offline")).to_be_hidden()


def test_a_form_is_kept_while_no_server_answers_and_goes_once_one_does(
    desktop: Device, casino: Casino
) -> None:
    desktop.guard.allow(f"ERR_CONNECTION_REFUSED|{REFUSED}")
    page = sign_in(desktop, casino, "al")
    page.goto(casino.url + "/steps/count?kind=dice")
    page.get_by_label("Note").fill("second shelf")
    page.route("**/health", lambda route: route.abort("connectionrefused"))
    button = page.get_by_role("button", name="Sign and record")
    button.click()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.get_by_label("Note")).to_have_value("second shelf")
    page.unroute("**/health")
    button.click()
    expect(page).to_have_url(re.compile("/steps/count$"))
    expect(page.get_by_label("Note")).to_have_value("second shelf")
    expect(page.locator("#offline")).to_be_hidden()


def test_on_a_phone_the_pages_are_behind_one_button(phone: Device, casino: Casino) -> None:
    page = sign_in(phone, casino, "sue")
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="On hand").click()
    expect(page.get_by_role("heading", name="On hand")).to_be_visible()


def test_an_administrator_enrols_a_handheld_by_the_code_on_the_screen(
    desktop: Device, casino: Casino
) -> None:
    page = sign_in(desktop, casino, "ada")
    page.goto(casino.url + "/devices")
    page.get_by_role("button", name="Enrol a device").click()
    expect(page.locator("svg.qr")).to_be_visible()
    expect(page.locator(".big")).to_have_text(re.compile(r"^\w{4}-\w{4}-\w{4}$"))
    desktop.shot("desk-enrol")


NO_ED25519 = """
const known = crypto.subtle.importKey.bind(crypto.subtle);
crypto.subtle.importKey = (form, key, name, ...rest) => name === "Ed25519"
  ? Promise.reject(new DOMException("no such algorithm", "NotSupportedError"))
  : known(form, key, name, ...rest);
"""


def test_a_receipt_is_checked_in_the_browser_good_tampered_and_unsigned(
    desktop: Device, casino: Casino
) -> None:
    page = sign_in(desktop, casino, "cora")
    page.goto(casino.url + "/receipts?event=5")
    verdict = page.locator("#verdict")
    check = page.get_by_role("button", name="Check")
    check.click()
    expect(verdict).to_contain_text("The log holds this event")
    expect(verdict).to_contain_text("The event is number 5 of the log custody/harbor-demo")
    expect(verdict).to_contain_text("The line is that event, byte for byte.")
    expect(verdict).to_contain_text("That what the event says is true")
    desktop.shot("desk-receipt")
    line, receipt = page.get_by_label("Event line"), page.get_by_label("Receipt", exact=True)
    given = line.input_value()
    line.fill(given.replace('"seq":', '"seq": '))
    check.click()
    expect(verdict).to_contain_text("It is the receipt of another event")
    line.fill("")
    whole = receipt.input_value()
    receipt.fill(whole.replace("custody/harbor-demo\n", "custody/harbor-demo\n1", 1))
    check.click()
    expect(verdict).to_contain_text("This receipt proves nothing")
    files = {"name": "receipt-5.txt", "mimeType": "text/plain", "buffer": whole.encode()}
    page.get_by_label("Files").set_input_files(files)  # type: ignore[arg-type]
    expect(verdict).to_contain_text("no line was given")
    page.add_init_script(NO_ED25519)
    page.reload()
    page.get_by_role("button", name="Check").click()
    expect(verdict).to_contain_text("nobody is known to have signed")
    expect(verdict).to_contain_text("cannot check Ed25519")


def test_a_page_says_it_when_the_clock_of_the_computer_is_wrong(
    desktop: Device, casino: Casino
) -> None:
    page, off = sign_in(desktop, casino, "ash"), {"minutes": 0}

    def away(route: Route) -> None:
        answer = route.fetch()
        body = re.sub(
            r'data-now="(\d+)"',
            lambda found: f'data-now="{int(found[1]) - off["minutes"] * 60_000}"',
            answer.text(),
        )
        route.fulfill(response=answer, body=body)

    page.route("**/clauses", away)
    for minutes, shown in ((0, False), (1, False), (3, True), (-3, True)):
        off["minutes"] = minutes
        page.goto(casino.url + "/clauses")
        expect(page.locator("#clock")).to_be_visible(visible=shown)
        expect(page.locator("#clock")).to_have_attribute("data-now", re.compile(r"\d{13}"))


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_several_exceptions_of_one_kind_are_closed_with_one_signature(
    open_device: OpenDevice, casino: Casino, screen: str
) -> None:
    parts = urlsplit(casino.url)
    handheld = Handheld(SocketHttp(str(parts.hostname), int(parts.port or 0)))
    handheld.enrol(casino.code(), "Vault reader")
    for line in (b"one", b"two", b"three"):
        handheld.write(line)
    assert handheld.push().status == 200
    device = open_device(casino.url, screen=screen)
    device.guard.allow(REFUSED)
    page = sign_in(device, casino, "ash")
    page.goto(casino.url + "/exceptions")
    page.get_by_role("link", name="Entry cannot be read").first.click()
    boxes = page.locator("input[name=id]")
    expect(boxes).to_have_count(3)
    button = page.get_by_role("button", name="Sign and close those ticked")
    page.get_by_label("All 3 on this page").check()
    expect(button).to_contain_text("(3)")
    boxes.nth(1).uncheck()
    expect(button).to_contain_text("(2)")
    expect(page.get_by_label("All 3 on this page")).not_to_be_checked()
    button.click()
    expect(page.get_by_text("Say what was found out and what was done.")).to_be_visible()
    expect(boxes.nth(0)).to_be_checked()
    expect(boxes.nth(1)).not_to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen][0]
    device.shot("desk-exceptions-together")
    page.get_by_label("Outcome").fill("The reader was dropped.")
    button.click()
    expect(page.get_by_text("2 exceptions are closed.")).to_be_visible()
    expect(boxes).to_have_count(1)
