"""Destruction: what awaits it, what is held, what a vendor has, and the log of what is gone."""

import csv
import io
from typing import Any

import pytest

from custody.ledger import desk as signing
from custody.ledger.core import Ledger
from custody.ledger.reading import ending
from custody.routes import paging
from tests.routes import cast
from tests.routes.conftest import Open, page, text

DAY = 24 * 3_600_000
OPENED = {"seal": "S-0001", "seal_state": "intact"}


def take(ledger: Ledger, step: str, by: str, **fields: Any) -> None:
    signers = [{"person": id_} for id_ in by.split()]
    signing.record_at_desk(ledger, {"step": step, **fields}, signers)


@pytest.fixture
def collected(ledger: Ledger) -> None:
    """Last night's envelope is at security."""
    take(ledger, "collect", "sam", items=["EV-001"])
    take(ledger, "deliver", "sam", items=["EV-001"], to="sec")


@pytest.fixture
def drilled(collected: None, ledger: Ledger) -> None:
    take(ledger, "open", "sam", items=["EV-001"], **{"with": OPENED})
    how = {"method": "drilled", "hole": "0.25"}
    take(ledger, "cancel", "sam sue", items=["D5-001"], where="shred", note="=1+1", **{"with": how})


def table(answer: object) -> list[list[str]]:
    body = answer.data.decode("utf-8-sig")  # type: ignore[attr-defined]
    return list(csv.reader(io.StringIO(body, newline="")))


def test_with_nothing_to_destroy_every_part_of_the_page_says_so(desk: Open) -> None:
    shown = text(desk("sue").get("/destruction"))
    for told in ("Nothing awaits destruction", "Nothing is held", "No batch is out"):
        assert told in shown
    assert "Nothing was destroyed" in text(desk("sue").get("/destruction/log"))


def test_what_was_collected_awaits_destruction_with_its_clause_and_time(
    desk: Open, collected: None
) -> None:
    row = text(desk("sue").get("/destruction"), "section[aria-labelledby=h-await] tbody")
    for told in ("D5-001", "EV-001", "sec", "2026-12-09", "MD-02.13-N.1", "left"):
        assert told in row


def test_what_is_overdue_is_an_alert(
    desk: Open, collected: None, clock: cast.Clock, ledger: Ledger
) -> None:
    clock.now += 8 * DAY
    answer = desk("sue").get("/destruction")
    assert "1 item is overdue" in text(answer, "[role=alert]")
    assert "Overdue" in text(answer, "section[aria-labelledby=h-await] tbody")


def test_what_is_held_says_by_whom_and_awaits_nothing(
    desk: Open, collected: None, ledger: Ledger
) -> None:
    take(ledger, "hold", "sue", items=["EV-001"], **{"with": {"case": "C-17"}})
    answer = desk("sue").get("/destruction")
    row = text(answer, "section[aria-labelledby=h-held] tbody")
    assert "D5-001" in row
    assert "C-17" in row
    assert "Nothing awaits destruction" in text(answer)


def test_a_batch_at_a_vendor_waits_for_its_certificate(
    desk: Open, collected: None, ledger: Ledger
) -> None:
    take(ledger, "open", "sam", items=["EV-001"], **{"with": OPENED})
    fact = {"why": "late", "at": ledger.clock()}
    sent = {"method": "shredded", "vendor": "Paper and Plastics", "fact": fact}
    take(ledger, "destroy", "sue sam", items=["D5-001"], where="shred", **{"with": sent})
    answer = desk("sue").get("/destruction")
    row = text(answer, "section[aria-labelledby=h-vendor] tbody")
    for told in ("Paper and Plastics", "D5-001", "Sue Hart"):
        assert told in row
    assert "Nothing awaits destruction" in text(answer)
    href = page(answer).css_first("section[aria-labelledby=h-vendor] a.button").attributes["href"]
    form = page(desk("sue").get(str(href)))
    assert form.css_first("textarea[name=items]").text() == "D5-001"


def test_the_log_says_who_how_when_where_and_counts_single_dice(desk: Open, drilled: None) -> None:
    row = text(desk("cora").get("/destruction/log"), "tbody")
    for told in ("Drilled", "D5-001", "Sticks 1, Dice 5", "shred", "Sam Reed", "Sue Hart"):
        assert told in row


def test_the_log_is_filtered_by_day_and_kind(desk: Open, drilled: None) -> None:
    browser = desk("sue")
    for asked, shown in (
        ("first=2026-12-02&last=2026-12-02&kind=dice", True),
        ("last=2026-12-01", False),
        ("first=2026-12-03", False),
        ("kind=cards", False),
    ):
        part = browser.get(f"/destruction/log?{asked}", part=True)
        assert ("D5-001" in part.text) == shown, asked
        assert "<html" not in part.text


def test_the_file_has_every_line_text_as_text_and_numbers_as_numbers(
    desk: Open, drilled: None
) -> None:
    answer = desk("cora").get("/destruction/log.csv?kind=dice")
    assert answer.mimetype == "text/csv"
    assert "destruction-log.csv" in answer.headers["Content-Disposition"]
    lines = table(answer)
    assert lines[1][0].startswith("1 line, made ")
    assert lines[1][0].endswith("asked for: kind=dice")
    line = dict(zip(lines[2], lines[3], strict=True))
    assert (line["Codes"], line["Whole items"], line["Pieces"]) == ("D5-001", "1", "5")
    assert line["Note"] == "'=1+1"
    assert line["Who"] == "Sam Reed, Sue Hart"
    assert len(lines) == 4


def test_the_file_has_all_that_was_asked_for_and_not_the_page_in_sight(
    desk: Open, drilled: None, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    take(ledger, "correct", "sue sam", items=["D5-001"], **{"with": _undo(ledger)})
    monkeypatch.setattr(paging, "SIZE", 1)
    assert len(table(desk("cora").get("/destruction/log.csv"))) == 2 + 3


def _undo(ledger: Ledger) -> dict[str, str]:
    wrong = ending.log(ledger, ending.Asked())[0]["entry"]["id"]
    return {"event": wrong, "reason": "another stick"}


def test_a_correction_takes_its_line_back_in_the_log(
    desk: Open, drilled: None, ledger: Ledger
) -> None:
    take(ledger, "correct", "sue sam", items=["D5-001"], **{"with": _undo(ledger)})
    found = ending.log(ledger, ending.Asked())
    assert [one["units"]["dice"] for one in found] == [-5, 5]
    assert "Sticks -1" in text(desk("sue").get("/destruction/log"), "tbody")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("first=yesterday", "is not a day"),
        ("last=2026-13-01", "is not a day"),
        ("first=2026-12-03&last=2026-12-01", "after the last"),
    ],
)
@pytest.mark.parametrize("address", ["/destruction/log", "/destruction/log.csv"])
def test_days_that_are_none_are_422(desk: Open, address: str, asked: str, told: str) -> None:
    answer = desk("sue").get(f"{address}?{asked}")
    assert answer.status_code == 422
    assert told in text(answer, "[role=alert]")


@pytest.mark.parametrize("address", ["/destruction", "/destruction/log", "/destruction/log.csv"])
def test_a_wrong_method_is_405_and_nobody_is_sent_to_sign_in(desk: Open, address: str) -> None:
    assert desk("sue").client.put(address).status_code == 405
    assert desk().get(address).status_code == 303


def test_the_log_is_handed_out_as_a_spreadsheet_too(desk: Open, ledger: Ledger) -> None:
    answer = desk("cora").get("/destruction/log.xlsx?kind=dice")
    assert answer.status_code == 200
    assert answer.data[:2] == b"PK"
    assert 'filename="destruction-log.xlsx"' in answer.headers["Content-Disposition"]
    assert desk("cora").get("/destruction/log.pdf").status_code == 404
