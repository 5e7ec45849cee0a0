"""Find a thing by any code."""

import pytest

from tests.routes.conftest import Open, page, text


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("D5-001", "/items/D5-001"),
        (" D5-001\r\n", "/items/D5-001"),
        ("EV-001", "/items/EV-001"),
        ("S-0001", "/items/EV-001"),
        ("vault", "/stock/vault"),
        ("CR1", "/stock/CR1"),
    ],
)
def test_a_code_leads_to_the_page_of_what_bears_it(desk: Open, typed: str, address: str) -> None:
    answer = desk("sue").client.get("/find", query_string={"q": typed})
    assert answer.status_code == 303
    assert answer.location == address


def test_a_part_of_a_code_lists_what_contains_it(desk: Open) -> None:
    answer = desk("sue").get("/find?q=D5-00")
    codes = [node.text() for node in page(answer).css("#found tbody .code")]
    assert codes == [f"D5-00{n}" for n in range(1, 10)]
    assert "9 found" in text(answer, "#found")


def test_a_code_in_small_letters_lists_what_it_may_be_and_does_not_jump(desk: Open) -> None:
    answer = desk("sue").get("/find?q=d5-001")
    assert answer.status_code == 200
    assert [node.text() for node in page(answer).css("#found tbody .code")] == ["D5-001"]


def test_while_typing_only_the_results_come(desk: Open) -> None:
    answer = desk("sue").get("/find?q=EV-0", part=True)
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert [node.text() for node in page(answer).css("tbody .code")] == ["EV-001"]
    assert "HX-Request-Type" in answer.headers["Vary"]


def test_while_typing_a_whole_code_shows_it_and_does_not_jump(desk: Open) -> None:
    answer = desk("sue").get("/find?q=D5-001", part=True)
    assert answer.status_code == 200
    assert page(answer).css_first("tbody a.code").attributes["href"] == "/items/D5-001"


def test_an_unknown_code_is_said_plainly_and_nothing_similar_is_guessed(desk: Open) -> None:
    answer = desk("sue").get("/find?q=D5-0011")
    assert "D5-0011 is not known" in text(answer, "#found")
    assert page(answer).css("#found tbody tr") == []


def test_a_misread_code_of_ours_says_that_it_was_misread(desk: Open) -> None:
    answer = desk("sue").get("/find?q=DS-0000031X")
    assert "misread" in text(answer, "#found")


@pytest.mark.parametrize("typed", ["%", "_", "D5%", "D_-001", "\\"])
def test_signs_of_the_database_are_only_signs(desk: Open, typed: str) -> None:
    answer = desk("sue").client.get("/find", query_string={"q": typed + typed})
    assert answer.status_code == 200
    assert page(answer).css("#found tbody tr") == []


def test_nothing_typed_says_what_to_do(desk: Open) -> None:
    assert "Scan a label" in text(desk("sue").get("/find"), "#found")


def test_one_character_is_too_little(desk: Open) -> None:
    assert "two characters" in text(desk("sue").get("/find?q=D"), "#found")


def test_hostile_text_is_only_text(desk: Open) -> None:
    answer = desk("sue").client.get("/find", query_string={"q": '"><script>x</script>'})
    assert answer.status_code == 200
    assert page(answer).css("main script") == []
