"""Physical counts: a blind form, the books of the count's own moment, recounts and adjustments."""

import pytest

from custody.ledger import desk as signing
from custody.ledger import rebuilding
from custody.ledger.core import Ledger
from custody.ledger.reading import counting, entries, exceptions
from custody.ledger.reading.keyset import Cut
from custody.routes import times
from tests.routes import cast
from tests.routes.conftest import Enrol, Open, page, text

VAULT = [f"D5-{n:03d}" for n in range(3, 11)]
HOUR = 3_600_000
FORM = {"kind": "dice", "where": "vault", "found": "\n".join(VAULT)}


def last(ledger: Ledger) -> dict[str, object]:
    event: dict[str, object] = entries.one(ledger, ledger.size() - 1)["event"]
    return event


def count(ledger: Ledger, found: object, where: str = "vault", **more: object) -> int:
    fields = {"found": found, "blind": True, **more}
    draft = {"step": "count", "kind": "dice", "where": where, "with": fields}
    return signing.record_at_desk(ledger, draft, [{"person": "iris"}]).position


def rows(answer: object) -> list[str]:
    found = page(answer).css("section[aria-labelledby=h-lines] tbody tr")  # type: ignore[arg-type]
    return [" ".join(row.text(separator=" ").split()) for row in found]


def test_the_next_count_of_each_store_is_listed_with_its_clause(desk: Open) -> None:
    shown = text(desk("bea").get("/counts"), "section[aria-labelledby=h-due] tbody")
    assert "vault Dice 2027-03-0" in shown
    assert "MD-02.13-M.3" in shown
    assert "Running" in shown


def test_a_count_that_is_late_says_by_how_much(desk: Open, clock: cast.Clock) -> None:
    clock.now += 120 * 24 * HOUR
    shown = text(desk("bea").get("/counts"), "section[aria-labelledby=h-due] tbody")
    assert "Overdue" in shown
    assert "over" in shown


def test_before_the_first_count_the_page_says_so(desk: Open) -> None:
    assert "No count yet" in text(desk("bea").get("/counts"))


def test_the_form_is_blind(desk: Open) -> None:
    answer = desk("bea").get("/counts/new?kind=dice&where=vault")
    assert answer.status_code == 200
    assert "MD-02.13-M.3" in text(answer, ".cites")
    assert "D5-003" not in answer.text
    assert "8" not in text(answer, "section[aria-labelledby=h-what]")


def test_a_count_is_signed_and_shows_that_it_agrees(desk: Open, ledger: Ledger) -> None:
    browser = desk("bea")
    sent = browser.post("/counts", opened=str(cast.instant(cast.NOW) - 60_000), **FORM)
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    answer = browser.get(sent.location)
    assert "Agrees" in text(answer, ".note.good")
    event = last(ledger)
    assert event["with"] == {
        "found": VAULT,
        "blind": True,
        "opened": cast.instant(cast.NOW) - 60_000,
    }
    assert "vault" in text(browser.get("/counts"), "section[aria-labelledby=h-made]")


def test_a_code_that_is_scanned_four_times_is_counted_once(desk: Open, ledger: Ledger) -> None:
    browser = desk("bea")
    found = "\n".join([*VAULT, *["D5-003"] * 3])
    answer = browser.get(browser.post("/counts", **{**FORM, "found": found}).location)
    assert "counted once: D5-003" in text(answer, ".note.info")
    assert last(ledger)["with"]["found"] == VAULT  # type: ignore[index]


def test_a_count_by_a_second_counter_is_shown_as_a_double_one_and_a_corrected_one_as_none(
    desk: Open, ledger: Ledger
) -> None:
    first = count(ledger, VAULT[1:])
    assert "Counted twice" not in text(desk("bea").get("/counts"))
    desk("bea").post("/counts", **FORM)
    shown = text(desk("bea").get("/counts"), "section[aria-labelledby=h-made] tbody tr")
    assert "Counted twice" in shown
    assert cast.PEOPLE["iris"]["name"] in shown
    wrong = entries.one(ledger, first)["id"]
    fields = {"event": wrong, "reason": "another shelf"}
    draft = {"step": "correct", "items": [], "with": fields}
    signing.record_at_desk(ledger, draft, [{"person": "iris"}])
    assert "Corrected: counts for nothing" in text(desk("bea").get("/counts"))


def test_a_range_is_counted_as_its_codes(desk: Open, ledger: Ledger) -> None:
    desk("bea").post("/counts", **{**FORM, "found": "D5-003..D5-010"})
    assert last(ledger)["with"]["found"] == VAULT  # type: ignore[index]


def test_cases_times_their_size_and_loose_pieces_count_by_design(
    desk: Open, ledger: Ledger
) -> None:
    cased = {"design": "0012345678905", "cases": "1", "size": "6", "loose": "1"}
    browser = desk("bea")
    sent = browser.post("/counts", **{**FORM, "found": "", **cased})
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    told = last(ledger)["with"]
    assert sum(told["found"].values()) == 7  # type: ignore[index]
    assert (told["cases"], told["loose"]) == (1, 1)  # type: ignore[index]
    assert rows(browser.get(sent.location))[0].startswith("All, by design 8 7 1 missing")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"found": ""}, "tick that nothing is there"),
        ({"where": ""}, "Choose the place"),
        ({"where": "nowhere"}, "Choose the place"),
        ({"kind": "chips"}, "Choose a kind"),
        ({"found": "D5-010..D5-001"}, "D5-010"),
        ({"design": "GTIN", "cases": "many", "size": "6"}, "many is no whole number"),
        ({"design": "GTIN", "cases": "2"}, "how many are in a case"),
        ({"cases": "2", "size": "3"}, "Name the design or lot"),
        ({"second": "nobody", "second_password": "x"}, "do not fit together"),
    ],
)
def test_a_mistake_is_422_keeps_what_was_typed_and_records_nothing(
    desk: Open, ledger: Ledger, changed: dict[str, str], told: str
) -> None:
    size = ledger.size()
    form = {**FORM, **changed}
    answer = desk("bea").post("/counts", **form)
    assert answer.status_code == 422
    assert told in text(answer, ".wrong")
    typed = page(answer).css_first("textarea[name=found]").text()
    assert typed.split() == form["found"].split()
    assert ledger.size() == size


def test_an_empty_place_is_counted_by_ticking_that_nothing_is_there(
    desk: Open, ledger: Ledger
) -> None:
    browser = desk("bea")
    sent = browser.post("/counts", kind="dice", where="annex", found="", nothing="yes")
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    assert "Agrees" in text(browser.get(sent.location), ".note.good")


def test_whoever_may_not_count_is_refused_by_the_clause(desk: Open, ledger: Ledger) -> None:
    size = ledger.size()
    answer = desk("pam").post("/counts", **FORM)
    assert answer.status_code == 422
    assert "MD-02.13-M.3" in text(answer, "[role=alert] .clause")
    assert ledger.size() == size


def test_a_missing_stick_is_one_line_with_its_clause_and_the_ways_on(
    desk: Open, ledger: Ledger
) -> None:
    answer = desk("iris").get(f"/counts/{count(ledger, VAULT[1:])}")
    assert "MD-02.13-M.3" in text(answer, ".note.bad .clause")
    assert len(rows(answer)) == 1
    assert rows(answer)[0].startswith("D5-003 1 0 1 missing")
    links = [a.attributes["href"] or "" for a in page(answer).css("tbody .buttons a")]
    assert [link.split("?")[0] for link in links] == ["/steps/report", "/steps/adjust"]


def test_what_is_found_and_not_in_the_books_is_over(desk: Open, ledger: Ledger) -> None:
    answer = desk("iris").get(f"/counts/{count(ledger, [*VAULT, 'D5-002'])}")
    assert rows(answer)[0].startswith("D5-002 0 1 1 not expected")


def test_what_a_handheld_tells_later_is_no_false_shortage(
    desk: Open, ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    tablet = handheld("Pit 2 tablet")
    began = clock.now
    clock.now += 10 * 60_000
    saw = tablet.saw("D5-003")
    tablet.record("issue", items=["D5-003"], to="pit1", by=["fay", "sam", "pam"], saw=saw)
    clock.now += 10 * 60_000
    position = count(ledger, VAULT[1:], opened=began)
    before = desk("iris").get(f"/counts/{position}")
    assert "1 missing" in rows(before)[0]
    clock.now += 10 * 60_000
    assert tablet.push().status == 200
    after = desk("iris").get(f"/counts/{position}")
    assert text(after, ".note.bad") == ""
    assert "Nothing is missing" in text(after, ".note.info")
    assert rows(after)[0].startswith("D5-003 0 0 Moved meanwhile")
    assert "Issue" in rows(after)[0]
    assert "told later" in rows(after)[0]


def test_what_left_after_it_was_counted_is_said_to_have_moved(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    began = clock.now
    clock.now += 60_000
    issue = {"step": "issue", "items": ["D5-004"], "to": "pit1"}
    signing.record_at_desk(ledger, issue, [{"person": p} for p in ("fay", "sam", "pam")])
    clock.now += 60_000
    answer = desk("iris").get(f"/counts/{count(ledger, VAULT, opened=began)}")
    assert text(answer, ".note.bad") == ""
    assert rows(answer)[0].startswith("D5-004 0 1 Moved meanwhile")


def test_what_moves_after_the_count_does_not_change_what_it_found(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    position = count(ledger, VAULT)
    clock.now += 60_000
    issue = {"step": "issue", "items": ["D5-004"], "to": "pit1"}
    signing.record_at_desk(ledger, issue, [{"person": p} for p in ("fay", "sam", "pam")])
    answer = desk("iris").get(f"/counts/{position}")
    assert "Agrees" in text(answer, ".note.good")
    assert rows(answer) == []


def test_only_the_line_that_differs_is_counted_again(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    position = count(ledger, VAULT[1:])
    clock.now += 60_000
    browser = desk("iris")
    sent = browser.post(f"/counts/{position}/recount", **{"again.D5-003": "1"})
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    event = last(ledger)
    assert event["with"]["found"] == dict.fromkeys(VAULT, 1)  # type: ignore[index]
    assert "D5-003" in str(event["note"])
    assert "Agrees" in text(browser.get(sent.location), ".note.good")
    assert "counted again" in text(browser.get(f"/counts/{position}"), ".note.info")


@pytest.mark.parametrize(
    ("form", "told"),
    [({}, "at least one line"), ({"again.D5-003": "one"}, "one is no whole number")],
)
def test_a_recount_of_nothing_or_of_no_number_is_422(
    desk: Open, ledger: Ledger, form: dict[str, str], told: str
) -> None:
    position = count(ledger, VAULT[1:])
    size = ledger.size()
    answer = desk("iris").post(f"/counts/{position}/recount", **form)
    assert answer.status_code == 422
    assert told in text(answer, "[role=alert]")
    assert ledger.size() == size


def test_an_adjustment_has_two_signatures_a_reason_and_stays_in_sight(
    desk: Open, ledger: Ledger
) -> None:
    position = count(ledger, VAULT[1:])
    browser = desk("iris")
    shown = page(browser.get(f"/counts/{position}"))
    report, adjust = [a.attributes["href"] or "" for a in shown.css("tbody .buttons a")]
    form = page(browser.get(report))
    assert form.css_first("textarea[name=items]").text() == "D5-003"
    sent = browser.post(
        "/steps/report",
        kind="dice",
        items="D5-003",
        back=f"/counts/{position}",
        **{"with.form": "count", "with.evidence": "count", "with.discovered_by": "iris"},
    )
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    assert sent.location == f"/counts/{position}"
    given = page(browser.get(adjust)).css_first("input[name='with.count']")
    assert given.attributes["value"] == entries.one(ledger, position)["id"]
    signed = {"second": "bea", "second_password": cast.PASSWORD, "items": "D5-003"}
    fields = {"with.reason": "not found in two searches", "with.count": given.attributes["value"]}
    sent = browser.post("/steps/adjust", back=f"/counts/{position}", **signed, **fields)
    assert sent.status_code == 303, text(sent, "[role=alert], .wrong")
    acts = text(browser.get(f"/counts/{position}"), "section[aria-labelledby=h-acts]")
    for told in ("Adjust", "Iris Vale", "Bea Long", "not found in two searches", "D5-003"):
        assert told in acts


def test_a_form_leads_back_to_no_page_but_a_count(desk: Open) -> None:
    for back in ("https://elsewhere.test/", "//elsewhere.test", "/counts//x", "/sign-out"):
        answer = desk("bea").get(f"/steps/count?kind=dice&back={back}")
        assert page(answer).css("main input[name=back]") == []


@pytest.mark.parametrize("address", ["/counts/999999", "/counts/3"])
def test_an_event_that_is_no_count_is_404(desk: Open, address: str) -> None:
    assert desk("bea").get(address).status_code == 404


@pytest.mark.parametrize("address", ["/counts", "/counts/new", "/counts/1", "/counts/1/recount"])
def test_a_wrong_method_is_405(desk: Open, address: str) -> None:
    assert desk("bea").client.put(address).status_code == 405


def test_a_floorperson_sees_no_counts(desk: Open, ledger: Ledger) -> None:
    position = count(ledger, VAULT)
    assert desk("fay").get("/counts").status_code == 403
    assert desk("fay").get(f"/counts/{position}").status_code == 403


def test_the_regulator_reads_a_count_and_records_none(desk: Open, ledger: Ledger) -> None:
    position = count(ledger, VAULT[1:])
    browser = desk("cora")
    assert browser.get(f"/counts/{position}").status_code == 200
    assert page(browser.get(f"/counts/{position}")).css("input[inputmode]") == []
    assert browser.post("/counts", **FORM).status_code == 403


def test_a_rebuilt_ledger_still_lists_its_counts(ledger: Ledger) -> None:
    position = count(ledger, VAULT)
    rebuilding.rebuild(ledger)
    assert [one["position"] for one in counting.part(ledger, None, Cut(9)).rows] == [position]


def test_an_exception_of_a_count_says_what_it_found_and_times_are_written_as_times(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    opened = clock.now - HOUR
    count(ledger, VAULT[1:], opened=opened)
    [raised] = exceptions.listed(ledger, kind="count-variance")
    shown = desk("sue").get(f"/exceptions/{raised['id']}")
    assert "did not find it at vault" in text(shown, "section[aria-labelledby=h-why]")
    assert str(opened) not in shown.text
    offset = entries.one(ledger, ledger.size() - 1)["event"]["offset"]
    assert times.written(opened, offset) in text(shown, ".life")
