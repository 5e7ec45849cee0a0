"""Seals: lots, numbers used and void, gaps, what each closed, and seals used twice."""

import pytest

from custody.ledger.core import Ledger
from tests.routes import cast, lots
from tests.routes.conftest import Open, page, text


@pytest.fixture
def story(ledger: Ledger, clock: cast.Clock) -> None:
    lots.play(ledger, clock, lots.SEALS)


def rows(answer: object, section: str) -> list[str]:
    found = page(answer).css(f"section[aria-labelledby={section}] tbody tr")  # type: ignore[arg-type]
    return [" ".join(row.text(separator=" ").split()) for row in found]


def test_without_a_lot_the_page_says_so_and_still_lists_what_was_read_off_bags(
    desk: Open,
) -> None:
    answer = desk("sam").get("/seals")
    assert "No lot of seals or forms yet" in text(answer)
    assert rows(answer, "h-applied") == ["S-0001 EV-001 Envelope, Used Sealed pit1"]


def test_a_lot_shows_what_is_used_void_and_in_hand(desk: Open, story: None) -> None:
    row = rows(desk("sam").get("/seals"), "h-lots")[0]
    for told in ("SL-RED", "red", "T0100 … T0199", "Sealed 1", "Voided 1", "Received 90"):
        assert told in row


def test_numbers_that_were_passed_over_are_an_alert(desk: Open, story: None) -> None:
    answer = desk("sam").get("/seals")
    assert "2 ranges of numbers were passed over" in text(answer, "[role=alert]")
    assert "SL-RED/T0100..SL-RED/T0102, SL-RED/T0104" in rows(answer, "h-lots")[0].replace(
        " ,", ","
    )


def test_a_seal_leads_to_the_envelope_that_it_closed(desk: Open, story: None) -> None:
    browser = desk("sam")
    used = next(row for row in rows(browser.get("/seals/lots/SL-RED"), "h-ranges") if "EV-" in row)
    assert used.startswith("SL-RED/T0105 1 Sealed EV-002")
    void = next(row for row in rows(browser.get("/seals/lots/SL-RED"), "h-ranges") if "torn" in row)
    assert void.startswith("SL-RED/T0103 1 Voided")


def test_seals_are_found_by_a_part_of_their_number(desk: Open, story: None) -> None:
    part = desk("sam").get("/seals?find=t0105", part=True)
    assert "EV-002" in part.text
    assert "EV-001" not in part.text
    assert "<html" not in part.text
    assert "No seal here" in text(desk("sam").get("/seals?find=%25"), "#rows")


def test_a_seal_that_closed_two_things_is_marked_and_its_exception_cited(
    desk: Open, story: None, ledger: Ledger, clock: cast.Clock
) -> None:
    again = {
        **{"at": "2026-12-02T13:00", "step": "pack", "items": ["D5-003"], "to": "pit1"},
        "with": {
            **{"purpose": "used", "table": "CR1", "seal": "S-0001", "label": True},
            "fact": {"why": "found", "at": "2026-12-02T12:50"},
        },
        **{"into": "EV-003", "by": ["dee", "fay"]},
    }
    cast.take(ledger, clock, again)
    answer = desk("sue").get("/seals")
    marked = [row for row in rows(answer, "h-applied") if "Used more than once" in row]
    assert len(marked) == 2
    assert rows(answer, "h-wrong")


def test_numbered_forms_stand_beside_the_seals_with_what_they_were_used_for(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    blank = {"kind": "form", "form": "lot", "to": "sec", "by": ["sue"], "items": ["FR-DDR"]}
    blank |= {"attributes": {"first": "0001", "last": "0050", "document": "dice"}}
    issue = {"items": ["FR-DDR/0001..FR-DDR/0010"], "to": "pit1", "by": ["sue", "pam"]}
    report = {"items": ["D5-003"], "with": {"form": "dice", "form_number": "0002"}, "by": ["fay"]}
    for minute, step in enumerate(({"step": "receive", **blank}, {"step": "issue", **issue})):
        cast.take(ledger, clock, {"at": f"2026-12-02T12:0{minute}", **step})
    cast.take(ledger, clock, {"at": "2026-12-02T12:30", "step": "report", **report})
    browser = desk("sam")
    row = rows(browser.get("/seals"), "h-lots")[0]
    for told in ("FR-DDR", "dice", "0001 … 0050", "FR-DDR/0001"):
        assert told in row
    assert "A numbered form or seal is missing" in rows(browser.get("/seals"), "h-wrong")[0]
    ranges = rows(browser.get("/seals/lots/FR-DDR"), "h-ranges")
    assert any("FR-DDR/0002/original" in row for row in ranges)


def test_a_lot_that_is_none_is_404_and_a_wrong_method_405(desk: Open) -> None:
    assert desk("sam").get("/seals/lots/SL-NONE").status_code == 404
    assert desk("sam").client.put("/seals").status_code == 405
    assert desk("sam").client.put("/seals/lots/SL-RED").status_code == 405


def test_nobody_sees_seals_without_signing_in(desk: Open) -> None:
    assert desk().get("/seals").status_code == 303
