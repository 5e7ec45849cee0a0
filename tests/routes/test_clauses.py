"""Clauses in plain words, and the rulebook entries that follow from them."""

from custody.routes import clauses
from tests.routes.conftest import Open, page, text


def test_a_clause_shows_its_words_its_citation_and_its_entry(desk: Open) -> None:
    answer = desk("cora").get("/clauses/MD-02.13-O.1")
    assert answer.status_code == 200
    assert "COMAR 36.05.02.13 O(1)" in text(answer, ".title")
    assert "24 hours" in text(answer, ".card")
    assert "hours = 24" in text(answer, "pre")


def test_a_clause_without_an_entry_says_so(desk: Open) -> None:
    assert "has no entry" in text(desk("cora").get("/clauses/MD-02.01-B"), "section")


def test_an_unknown_clause_is_404_and_says_so(desk: Open) -> None:
    answer = desk("cora").get("/clauses/MD-99")
    assert answer.status_code == 404
    assert "There is no clause MD-99" in text(answer, "[role=alert]")


def test_the_list_starts_with_the_regime_of_the_site(desk: Open) -> None:
    rows = page(desk("cora").get("/clauses")).css("tbody th")
    assert rows
    assert all(row.text().strip().startswith("MD-") for row in rows)


def test_words_and_kind_narrow_the_list(desk: Open) -> None:
    part = desk("cora").get("/clauses?regime=MD&kind=dice&find=24+hours", part=True)
    assert "<html" not in part.text
    found = [row.text().strip() for row in page(part).css("tbody th")]
    assert "MD-02.13-O.1" in found
    assert len(found) < 10


def test_words_that_match_nothing_say_so(desk: Open) -> None:
    part = desk("cora").get("/clauses?find=zebra+crossing", part=True)
    assert "No clause matches" in part.text


def test_every_clause_has_its_words_and_its_citation() -> None:
    assert len(clauses.every()) > 500
    assert all(row["requirement"] and row["cite"] for row in clauses.every().values())
