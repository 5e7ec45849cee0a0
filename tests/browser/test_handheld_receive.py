"""A delivery is scanned piece by piece: what is new at a receipt is a piece of it."""

from playwright.sync_api import expect

from tests.browser.handheld import Handheld


def test_the_labels_of_a_delivery_are_scanned_into_its_list_each_once(handheld: Handheld) -> None:
    page = handheld.go("/h/step?step=receive")
    handheld.heading("Receive")
    items = page.get_by_label("Items")
    handheld.scan("DS-0000001V")
    expect(items).to_have_value("DS-0000001V")
    page.get_by_text("Kind: dice").click()
    page.get_by_role("radio", name="cards").check()
    expect(page.get_by_text("Kind: cards")).to_be_visible()
    expect(page.get_by_role("radio", name="deck")).to_have_count(1)
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


def test_a_case_comes_without_labels_on_its_pieces_and_a_number_is_taken_from_it(
    handheld: Handheld,
) -> None:
    handheld.receive("CASE-0001*20", 20)
    handheld.step("store", ["CASE-0001"], handheld.place("Dice vault")).sign("fay", "sam")
    page = handheld.go("/h/step?step=issue")
    handheld.scan("CASE-0001")
    expect(page.get_by_text("How many of CASE-0001? It holds 20.")).to_be_visible()
    page.locator('input[name="count.CASE-0001"]').fill("21")
    page.locator('select[name="part.to"]').select_option(label="Pit 1 stand")
    page.get_by_role("button", name="To the signatures").click()
    expect(page.get_by_role("alert")).to_contain_text("20 of it are there")
    page.locator('input[name="count.CASE-0001"]').fill("3")
    page.get_by_role("button", name="To the signatures").click()
    handheld.sign("fay", "sam", "pam")
    handheld.drained()
    names = [event["items"] for event in handheld.outbox()][-3:]
    assert names == [["CASE-0001*20"], ["CASE-0001"], ["CASE-0001*3"]]
    handheld.go(f"/h/place/{handheld.place('Pit 1 stand')}")
    assert "CASE-0001/001..CASE-0001/003" in handheld.text()
    assert "3 \u00d7" in handheld.text()
