"""A delivery is scanned piece by piece: what is new at a receipt is a piece of it."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld
from tests.support.casino import Casino


def test_the_labels_of_a_delivery_are_scanned_into_its_list_each_once(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    page = handheld.go("/h/step?step=receive")
    handheld.heading("Receive")
    items = page.get_by_label("Items")
    handheld.scan("DS-0000001V")
    expect(items).to_have_value("DS-0000001V")
    handheld.scan("BX-0000001G")
    expect(page.locator('input[name="with.box"]')).to_have_value("BX-0000001G")
    handheld.scan("DS-0000002X")
    expect(items).to_have_value("DS-0000001V\nDS-0000002X")
    handheld.scan("DS-0000001V")
    expect(page.get_by_role("alert")).to_contain_text("on the list already")
    handheld.scan("DS-0000002V")
    expect(page.get_by_role("alert")).to_contain_text("not known")
    expect(items).to_have_value("DS-0000001V\nDS-0000002X")
    handheld.scan(handheld.place("Receiving dock"))
    expect(page.locator('select[name="part.to"]')).not_to_have_value("")
