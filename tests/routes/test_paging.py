"""Long lists come in pages, each asked for by the row that it follows or precedes."""

from urllib.parse import quote

import pytest

from custody.ledger import desk as signing
from custody.ledger.core import Ledger
from custody.ledger.reading import exceptions
from custody.ledger.reading.keyset import Cut, of_list
from custody.routes import paging
from tests.routes.conftest import Desk, Enrol, Open, page, text


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "SIZE", 3)


def link(browser: Desk, address: str, rel: str, at: int = 0) -> str:
    found = page(browser.get(address)).css(f".pager a[rel={rel}]")
    return str(found[at].attributes["href"]) if found else ""


def heads(browser: Desk, address: str) -> list[str]:
    return [one.text() for one in page(browser.get(address)).css("tbody th a:first-child")]


def walk(browser: Desk, address: str, rel: str) -> list[str]:
    """Follow the pager to its end; return the addresses on the way."""
    found = []
    while address:
        found.append(address)
        address = link(browser, address, rel)
    return found


def test_forth_and_back_a_list_shows_every_row_once(desk: Open, short: None) -> None:
    browser = desk("bea")
    forth = walk(browser, "/stock/vault", "next")
    shown = [heads(browser, one) for one in forth]
    codes = [code for some in shown for code in some]
    assert (len(codes), codes) == (8, sorted(set(codes)))
    assert [text(browser.get(one), ".pager span") for one in forth] == [
        *("1 to 3 of 8", "4 to 6 of 8", "7 to 8 of 8")
    ]
    back = walk(browser, forth[-1], "prev")
    assert [heads(browser, one) for one in back] == shown[::-1]
    assert "1 to 3 of 8" in text(browser.get(back[-1]), ".pager")


def test_what_leaves_in_between_makes_no_row_missed(
    desk: Open, ledger: Ledger, short: None
) -> None:
    browser = desk("bea")
    first, onward = heads(browser, "/stock/vault"), link(browser, "/stock/vault", "next")
    second = heads(browser, onward)
    by = [{"person": one} for one in ("fay", "sam", "pam")]
    signing.record_at_desk(ledger, {"step": "issue", "items": first[:1], "to": "pit1"}, by)
    assert heads(browser, onward) == second


@pytest.mark.parametrize(
    "key", ["", "x", "{}", "[]", "[1]", '["D5-003",1]', "[null]", "[1e99]", "²", "[[1]]"]
)
def test_a_key_that_is_none_begins_at_the_beginning(desk: Open, short: None, key: str) -> None:
    answer = desk("bea").get(f"/stock/vault?after={quote(key)}&n={quote(key)}")
    assert answer.status_code == 200
    assert "1 to 3 of 8" in text(answer, ".pager")


def test_the_pager_keeps_what_was_asked_for(desk: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "SIZE", 1)
    browser = desk("bea")
    onward = link(browser, "/exceptions?state=all", "next")
    assert onward.startswith("/exceptions?state=all&after=")
    assert link(browser, "/exceptions?state=all", "prev") == ""
    assert len(walk(browser, "/exceptions?state=all", "next")) == 2


def test_each_list_of_a_page_goes_on_by_itself(
    desk: Open, handheld: Enrol, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "SIZE", 2)
    for name in ("One", "Two", "Three"):
        device = handheld(name)
        device.write(b"not an event")
        device.push()
    browser = desk("sue")
    devices, faults = (link(browser, "/silence", "next", at) for at in (0, 1))
    assert ("devices_after" in devices, "faults_after" in faults) == (True, True)
    told = text(browser.get(faults))
    assert "3 to 3 of 3" in told
    assert "1 to 2 of 3" in told


@pytest.mark.parametrize(
    ("person", "address", "total"),
    [
        *(("ada", "/people", 0), ("ada", "/places", 0), ("ada", "/devices", 4)),
        *(("ada", "/events", 5), ("sue", "/items/D5-001", 0)),
    ],
)
def test_lists_that_are_known_whole_come_in_pages_too(
    desk: Open, handheld: Enrol, person: str, address: str, total: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(paging, "SIZE", 2)
    for name in ("One", "Two", "Three", "Four"):
        device = handheld(name)
        device.record("count", kind="dice", where="vault", by=["fay"], **{"with": {"found": []}})
        device.push()
    browser = desk(person)
    addresses = walk(browser, address, "next")
    last = text(browser.get(addresses[-1]), ".pager span")
    shown = int(last.split()[-1])
    assert shown == (total or shown) > 2
    assert len(addresses) == -(-shown // 2)
    assert walk(browser, addresses[-1], "prev")[::-1][0].count(address) == 1


def test_a_form_with_a_mistake_keeps_the_pager_of_its_list(desk: Open, short: None) -> None:
    answer = desk("ada").post("/people", name="", id="", job="")
    assert answer.status_code == 422
    assert page(answer).css_first(".pager a[rel=next]").attributes["href"].startswith("/people?")


def test_exceptions_of_one_event_stand_in_the_vocabularys_order(
    ledger: Ledger, handheld: Enrol
) -> None:
    device = handheld("One")
    now = device.clock()
    for code in ("ZZ-2", "ZZ-1"):
        told = {"items": [code], "to": "nowhere", "by": ["nobody"], "at": now + 900_000}
        device.record("issue", server=now, **told)
    device.push()
    last = ledger.size() - 1
    listed = [one for one in exceptions.listed(ledger) if one["position"] == last]
    at_event = exceptions.at_position(ledger, last)
    assert [one["id"] for one in listed] == [one["id"] for one in at_event]
    with ledger.database.reading() as connection:
        known = exceptions.kinds(connection)
    order = [(known.index(one["kind"]), one["items"][:1]) for one in listed]
    assert len({rank for rank, _ in order}) > 2
    assert order == sorted(order)


def test_a_part_of_a_list_whose_row_is_gone_begins_where_it_was() -> None:
    rows = [("a",), ("c",), ("d",)]
    assert of_list(rows, lambda row: row, Cut(1, ("b",))).rows == [("c",)]
    assert of_list(rows, lambda row: row, Cut(1, ("b",), back=True)).rows == [("a",)]
    assert of_list([], lambda row: row, Cut(1, ("b",))).rows == []
