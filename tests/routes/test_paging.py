"""Long lists come in pages, and a page that is none is the nearest one."""

import pytest

from custody.routes import paging
from tests.routes.conftest import Open, page, text


@pytest.mark.parametrize(
    ("asked", "first", "pager"),
    [
        ("", "D5-003", "1 to 3 of 8"),
        ("?page=2", "D5-006", "4 to 6 of 8"),
        ("?page=99", "D5-009", "7 to 8 of 8"),
        ("?page=-1", "D5-003", "1 to 3 of 8"),
        ("?page=²", "D5-003", "1 to 3 of 8"),
    ],
)
def test_a_place_shows_its_items_page_by_page(
    desk: Open, monkeypatch: pytest.MonkeyPatch, asked: str, first: str, pager: str
) -> None:
    monkeypatch.setattr(paging, "SIZE", 3)
    answer = desk("bea").get(f"/stock/vault{asked}")
    assert pager in text(answer, ".pager")
    assert page(answer).css_first("tbody th a").text() == first


def test_the_pager_keeps_what_was_asked_for(desk: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "SIZE", 1)
    answer = desk("bea").get("/exceptions?state=all&page=1")
    onward = page(answer).css_first(".pager a[rel=next]").attributes["href"]
    assert onward == "/exceptions?state=all&page=2"
    assert page(answer).css(".pager a[rel=prev]") == []
