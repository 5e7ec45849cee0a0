"""Steps recorded at the desk, by the rulebook's own forms."""

import pytest

from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from tests.routes import cast
from tests.routes.conftest import Open, page, text

VAULT = [f"D5-{n:03d}" for n in range(3, 11)]
COUNT = {"kind": "dice", "where": "vault", "with.found": "\n".join(VAULT), "with.blind": "yes"}


def last(ledger: Ledger) -> dict[str, object]:
    event: dict[str, object] = entries.one(ledger, ledger.size() - 1)["event"]
    return event


def test_the_steps_of_a_desk_are_offered_first(desk: Open) -> None:
    names = [n.text() for n in page(desk("bea").get("/steps")).css(".tile strong")]
    assert names[0] == "Count"
    assert not {"Resolve", "Administer", "Receive"} & set(names)


def test_a_step_is_offered_for_the_kinds_that_the_rulebook_knows_it_with(desk: Open) -> None:
    browser = desk("bea")
    kinds = [one.text() for one in page(browser.get("/steps/count")).css("main nav a")]
    assert kinds[0] == "Dice"
    assert {"Cards", "Tiles", "Coupons"} <= set(kinds)
    requisition = page(browser.get("/steps/requisition"))
    assert requisition.css("main nav a") == []
    assert requisition.css_first("input[name=kind]").attributes["value"] == "coupons"
    assert requisition.css_first("[name='with.quantity']") is not None
    assert "built-in" not in browser.get("/steps/access?kind=dice").text


def test_a_form_shows_the_rulebooks_fields_clauses_and_signers(desk: Open) -> None:
    answer = desk("bea").get("/steps/count?kind=dice&where=vault")
    assert page(answer).css_first("textarea[name='with.found']") is not None
    assert "MD-02.13-M.3" in text(answer, ".cites")
    assert "you" in text(answer, "section[aria-labelledby=h-sign]")


def test_a_count_is_recorded_and_signed_by_the_person_at_the_desk(
    desk: Open, ledger: Ledger
) -> None:
    browser = desk("bea")
    sent = browser.post("/steps/count", **COUNT)
    assert sent.status_code == 303, text(sent, "[role=alert]")
    assert "Recorded at position" in text(browser.get(sent.location), ".note.good")
    event = last(ledger)
    assert event["step"] == "count"
    assert event["with"] == {"found": VAULT, "blind": True}
    assert [(s["person"], s["how"]) for s in event["by"]] == [("bea", "password")]  # type: ignore[attr-defined]


def test_items_of_another_kind_than_the_forms_bring_their_own_form(
    desk: Open, ledger: Ledger
) -> None:
    size = ledger.size()
    browser = desk("sue")
    sent = {"kind": "cards", "items": "D5-003", "with.result": "pass"}
    answer = browser.post("/steps/inspect", **sent)
    assert answer.status_code == 422
    assert "of another kind: Dice" in text(answer)
    assert page(answer).css_first("[name='with.instruments']") is not None
    assert page(answer).css_first("input[name=kind]") is None
    assert ledger.size() == size


def test_a_refused_step_says_why_by_which_clause_and_records_nothing(
    desk: Open, ledger: Ledger
) -> None:
    size = ledger.size()
    answer = desk("sam").post("/steps/count", **COUNT)
    assert answer.status_code == 422
    assert "MD-02.13-M.3" in text(answer, "[role=alert] .clause")
    assert page(answer).css_first("textarea[name='with.found']").text().split() == VAULT
    assert ledger.size() == size


def test_a_second_person_signs_with_their_own_password(desk: Open, ledger: Ledger) -> None:
    keys = {"with.keys": ["security", "table_games"], "with.reason": "shelf check"}
    second = {"second": "sam", "second_password": cast.PASSWORD}
    form = {"kind": "dice", "where": "vault", **keys, **second}
    sent = desk("fay").post("/steps/access", **form)
    assert sent.status_code == 303, text(sent, "[role=alert]")
    assert [s["person"] for s in last(ledger)["by"]] == ["fay", "sam"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("second", "password", "told"),
    [
        ("carl", "not this one", "do not fit together"),
        ("bea", cast.PASSWORD, "another person"),
        ("nobody", cast.PASSWORD, "do not fit together"),
    ],
)
def test_a_second_signature_that_is_none_is_422(
    desk: Open, ledger: Ledger, second: str, password: str, told: str
) -> None:
    size = ledger.size()
    form = {**COUNT, "second": second, "second_password": password}
    answer = desk("bea").post("/steps/count", **form)
    assert answer.status_code == 422
    assert told in text(answer, ".wrong")
    assert ledger.size() == size


def test_what_has_happened_already_is_never_refused(desk: Open, ledger: Ledger) -> None:
    fact = {"fact.why": "paper", "fact.at": "2026-12-02T11:30"}
    sent = desk("sam").post("/steps/count", **COUNT, **fact)
    assert sent.status_code == 303, text(sent, "[role=alert]")
    told = last(ledger)["with"]["fact"]  # type: ignore[index]
    assert told == {"why": "paper", "at": cast.instant("2026-12-02T11:30")}
    assert "A rule was broken" in text(desk("sue").get(sent.location), ".life")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"with.found": "D5-003 two words"}, "a code and its number"),
        ({"with.found": "D5-003 many"}, "no whole number"),
        ({"with.cases": "1.5"}, "no whole number"),
        ({"fact.why": "late", "fact.at": ""}, "no time"),
        ({"items": "D5-009..D5-001"}, "D5-009"),
    ],
)
def test_a_field_with_a_mistake_is_422_and_keeps_the_rest(
    desk: Open, ledger: Ledger, changed: dict[str, str], told: str
) -> None:
    size = ledger.size()
    answer = desk("bea").post("/steps/count", **{**COUNT, "note": "second shelf", **changed})
    assert answer.status_code == 422
    assert told in text(answer, ".wrong")
    assert page(answer).css_first("textarea[name=note]").text() == "second shelf"
    assert ledger.size() == size


@pytest.mark.parametrize("step", ["nonsense", "administer", "resolve"])
def test_a_step_that_the_desk_has_no_form_for_is_404(desk: Open, step: str) -> None:
    assert desk("bea").get(f"/steps/{step}").status_code == 404
    assert desk("bea").post(f"/steps/{step}").status_code == 404


def test_every_step_has_a_form(desk: Open) -> None:
    browser = desk("bea")
    links = [a.attributes["href"] for a in page(browser.get("/steps")).css("a.tile")]
    assert len(links) > 25
    for link in links:
        assert browser.get(str(link)).status_code == 200, link
