"""The desk's lists as files: whole, as asked for, text as text and numbers as numbers."""

import csv
import io
import zipfile

import pytest

from custody.routes import paging
from custody.routes.spreadsheets import LISTS
from custody.routes.tables import TABLES
from tests.routes.conftest import Open, page


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))


@pytest.mark.parametrize("name", LISTS)
def test_each_table_is_the_same_in_both_formats(desk: Open, name: str) -> None:
    browser = desk("bea")
    told = lines(browser.get(f"/spreadsheets/{name}.csv").get_data(as_text=True))
    answer = browser.get(f"/spreadsheets/{name}.xlsx")
    assert f'filename="{name}.xlsx"' in answer.headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.data)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<row ") == len(told)
    width = len(TABLES[name].columns)
    assert len(told[2]) == width
    if name not in ("counts", "coupons"):
        assert len(told) > 3


def test_a_file_holds_all_rows_of_what_was_asked_for(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "SIZE", 1)
    browser = desk("bea")
    answer = browser.get("/exceptions?kind=rule-broken&state=all")
    [address] = [
        str(one.attributes["href"])
        for one in page(answer).css("a.button")
        if str(one.attributes["href"]).endswith(".csv?kind=rule-broken&state=all")
    ]
    told = lines(browser.get(address).get_data(as_text=True))
    assert "2 lines" in told[1][0]
    assert "kind=rule-broken" in told[1][0]
    assert len(told) == 5
    none = browser.get("/spreadsheets/exceptions.csv?kind=fork").get_data(as_text=True)
    assert len(lines(none)) == 3


def test_on_hand_of_a_past_instant_is_what_was_there(desk: Open) -> None:
    browser = desk("bea")
    answer = browser.get("/spreadsheets/on-hand.csv?at=2026-11-30T12:00")
    assert len(lines(answer.get_data(as_text=True))) == 3
    now = lines(browser.get("/spreadsheets/on-hand.csv").get_data(as_text=True))
    assert ["vault", "vault", "Dice", "Sticks", "8"] in now


def test_who_may_not_see_stock_gets_no_file_of_it(desk: Open) -> None:
    for name in LISTS:
        status = desk("sam").get(f"/spreadsheets/{name}.csv").status_code
        assert status == (403 if TABLES[name].right == "stock" else 200)
    assert desk("bea").get("/spreadsheets/on-hand.pdf").status_code == 404
    assert desk("bea").get("/spreadsheets/reconcile.csv?day=x").status_code == 404


def test_more_rows_than_a_sheet_holds_are_said_to_be_too_many_and_not_left_out(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custody.documents.xlsx_table.MOST_ROWS", 4)
    answer = desk("bea").get("/spreadsheets/on-hand.xlsx")
    assert (answer.status_code, "Ask for CSV" in answer.text) == (422, True)


def test_a_filter_that_means_nothing_is_told_and_gives_no_empty_file(desk: Open) -> None:
    answer = desk("bea").get("/spreadsheets/envelopes.csv?state=gone")
    assert (answer.status_code, "gone is no state here" in answer.text) == (404, True)
