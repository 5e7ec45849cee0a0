"""The first page: what is due, what is wrong, what waits."""

from typing import Any

import pytest

from custody.ledger import desk as signing
from custody.ledger import judging, masterdata, people, places, warming
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.reading import deadlines, records, today
from custody.rules import clocks
from tests.routes import cast
from tests.routes.conftest import Enrol, Open, page, text

ADMIN = [{"person": "ada", "how": "password"}]


def tiles(answer: object) -> list[str]:
    return [node.text() for node in page(answer).css(".tile b")]  # type: ignore[arg-type]


def test_the_gaming_day_and_the_time_at_the_site_are_shown(desk: Open) -> None:
    told = text(desk("sue").get("/"), ".title")
    assert "Gaming day 2026-12-02 · 2026-12-02 14:00 -05:00" in told


def test_before_the_day_starts_it_is_still_yesterdays(desk: Open, clock: cast.Clock) -> None:
    clock.now = cast.instant("2026-12-03T05:59")
    assert "Gaming day 2026-12-02" in text(desk("sue").get("/"), ".title")


def test_what_is_overdue_is_listed_with_its_clause_and_how_long(desk: Open) -> None:
    answer = desk("sue").get("/")
    rows = [" ".join(r.text(separator=" ").split()) for r in page(answer).css("#due tbody tr")]
    assert len(rows) == 2
    assert "D5-002 MD-02.13-O.1" in rows[1]
    assert "24 hours" in rows[1]
    assert "2026-12-02 08:20 -05:00 5 h 40 min over Overdue" in rows[1]


def test_what_is_due_soon_counts_apart_from_what_is_overdue(desk: Open, clock: cast.Clock) -> None:
    browser = desk("sue")
    clock.now = cast.instant("2026-12-02T08:15")
    told = text(browser.get("/"), "#due")
    assert "5 min left Due soon" in told


def test_open_exceptions_envelopes_and_their_numbers_are_shown(desk: Open) -> None:
    answer = desk("sue").get("/")
    assert tiles(answer) == ["2", "2", "1", "0"]
    assert "A signature is missing" in text(answer, "section[aria-labelledby=h-wrong]")
    assert "EV-001 pit1 Used" in text(answer, "section[aria-labelledby=h-await]")


def test_an_envelope_that_was_collected_no_longer_awaits(desk: Open, ledger: Ledger) -> None:
    draft = {"step": "collect", "items": ["EV-001"]}
    signing.record_at_desk(ledger, draft, [{"person": "sam"}])
    answer = desk("sue").get("/")
    assert tiles(answer)[2] == "0"
    assert "No envelope waits" in text(answer, "section[aria-labelledby=h-await]")


def test_a_day_is_provisional_until_every_handheld_has_reported(
    desk: Open, handheld: Enrol, clock: cast.Clock
) -> None:
    clock.now = cast.instant("2026-12-02T05:00")
    device = handheld("Pit 1 tablet")
    clock.now = cast.instant(cast.NOW)
    told = text(desk("sue").get("/"), "#today .note.warn")
    assert "provisional" in told
    assert "1 handheld has not reported" in told
    assert "Pit 1 tablet" in told
    device.pull()
    assert text(desk("sue").get("/"), "#today .note.warn") == ""


def test_the_page_keeps_itself_fresh_by_its_own_part(desk: Open) -> None:
    browser = desk("sue")
    region = page(browser.get("/")).css_first("#today")
    assert region.attributes["hx-get"] == "/"
    part = browser.get("/", part=True)
    assert "<html" not in part.text
    assert tiles(part) == ["2", "2", "1", "0"]
    assert part.headers["Cache-Control"] == "no-store"


def test_what_is_kept_of_the_deadlines_is_what_the_rules_say_anew(
    ledger: Ledger, clock: cast.Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    due = clocks.due

    def counting(book: Any, facts: Any, codes: list[str], now: int) -> Any:
        asked.append(len(codes))
        return due(book, facts, codes, now)

    monkeypatch.setattr(deadlines.clocks, "due", counting)
    start, said = cast.instant("2026-12-02T06:00"), []
    for minutes in range(0, 48 * 60, 45):
        clock.now = start + minutes * 60_000
        said.append(today.due(ledger)["due"])
    assert sum(asked) < 40 < len(said)
    for number, minutes in enumerate(range(0, 48 * 60, 45)):
        clock.now = start + minutes * 60_000
        deadlines._kept.pop(ledger, None)
        assert today.due(ledger)["due"] == said[number]
    assert len({str(one) for one in said}) >= 3


def test_an_item_that_changed_is_asked_about_again(ledger: Ledger) -> None:
    before = [one["item"] for one in today.due(ledger)["due"]]
    assert "D5-002" in before
    draft = {"step": "remove", "items": ["D5-002"], "with": {"reason": "rotation"}}
    signing.record_at_desk(ledger, draft, [{"person": "fay"}, {"person": "dee"}])
    assert "MD-02.13-O.1" not in [
        one["clause"] for one in today.due(ledger)["due"] if one["item"] == "D5-002"
    ]


def test_each_item_has_the_deadlines_that_the_rules_give_it_alone(ledger: Ledger) -> None:
    today.due(ledger)
    kept, now = deadlines._kept[ledger], ledger.clock()
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        book = judging.book_of(facts)
        items = records.all_of(connection, "item")
        assert 0 < len(kept.said) < len(items)
        for code in items:
            said = kept.said[code].pressing if code in kept.said else ()
            told = [{**line, "item": code} for line in said]
            lines = clocks.due(book, facts, [code], now)
            assert told == [line for line in lines if line["status"] != "running"]
            assert bool(lines) == (code in kept.said)


def test_of_items_that_are_alike_one_is_asked_about_and_nothing_kept_of_those_that_wait_for_nothing(
    ledger: Ledger, handheld: Enrol, monkeypatch: pytest.MonkeyPatch
) -> None:
    today.due(ledger)
    kept = set(deadlines._kept[ledger].said)
    asked: list[str] = []
    due = clocks.due

    def counting(book: Any, facts: Any, codes: list[str], now: int) -> Any:
        asked.extend(codes)
        return due(book, facts, codes, now)

    monkeypatch.setattr(deadlines.clocks, "due", counting)
    device = handheld("Dock tablet")
    tiles = {"kind": "tiles", "form": "set", "attributes": {"games": ["pai_gow"]}}
    codes = [f"TS-{n}" for n in range(1, 10)]
    told = {"items": codes, "by": ["fay", "sam"], "with": {"seals": "intact"}}
    device.record("receive", to="dock", saw={}, **told, **tiles)
    device.push()
    device.pull()
    device.record("store", to="vault", saw=device.saw(*codes), **told)
    device.push()
    today.due(ledger)
    assert len(asked) == 1
    assert set(deadlines._kept[ledger].said) == kept


def test_what_is_over_is_no_longer_kept(ledger: Ledger, handheld: Enrol) -> None:
    today.due(ledger)
    assert "D5-002" in deadlines._kept[ledger].said
    device = handheld("Shredder tablet")
    told = {"with": {"method": "crushed"}, "where": "shred", "by": ["sam"]}
    device.pull()
    device.record("destroy", items=["D5-002"], saw=device.saw("D5-002"), **told)
    device.push()
    assert "D5-002" not in [one["item"] for one in today.due(ledger)["due"]]
    assert "D5-002" not in deadlines._kept[ledger].said


def test_master_data_reaches_what_it_can_change(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    due = clocks.due

    def counting(book: Any, facts: Any, codes: list[str], now: int) -> Any:
        asked.extend(codes)
        return due(book, facts, codes, now)

    today.due(ledger)
    monkeypatch.setattr(deadlines.clocks, "due", counting)
    people.save_person(ledger, "dee", {"job": "floorperson"}, ADMIN)
    today.due(ledger)
    assert asked == []
    places.save_place(ledger, "CR1", {"type": "table", "game": "craps", "pit": "pit1"}, ADMIN)
    today.due(ledger)
    assert set(asked) == {"D5-002"}
    asked.clear()
    setting = {"dice_inspection": "alternative_1", "designs": "approved"}
    change = masterdata.Change("setting", "controls", setting)
    masterdata.administer(ledger, "setting", "controls", ADMIN, lambda work: [change])
    due_by_then = today.due(ledger)["due"]
    assert len(asked) > 1
    deadlines._kept.pop(ledger)
    assert today.due(ledger)["due"] == due_by_then


def test_what_an_older_connection_sees_does_not_undo_what_is_kept(ledger: Ledger) -> None:
    with ledger.database.reading() as old:
        facts = Cache(old)
        book = judging.book_of(facts)
        draft = {"step": "remove", "items": ["D5-002"], "with": {"reason": "rotation"}}
        signing.record_at_desk(ledger, draft, [{"person": "fay"}, {"person": "dee"}])
        fresh = today.due(ledger)["due"]
        state = deadlines._kept[ledger].state
        deadlines.pressing(ledger, old, book, ledger.clock())
        assert deadlines._kept[ledger].state == state
    assert today.due(ledger)["due"] == fresh


def test_what_the_page_will_show_is_asked_ahead_in_the_background(ledger: Ledger) -> None:
    thread = warming.Warming(ledger).start()
    thread.stop()
    assert deadlines._kept[ledger].said


def test_long_lists_are_cut_on_the_first_page_and_paged_on_their_own(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(today, "DUE", 1)
    browser = desk("sue")
    answer = browser.get("/")
    assert len(page(answer).css("#due tbody tr")) == 1
    assert page(answer).css_first("#due header a").attributes["href"] == "/due"
    assert text(answer, "#due header a") == "All 2"
    assert len(page(browser.get("/due")).css("tbody tr")) == 2


def test_a_part_of_a_form_that_waits_for_security_is_listed_until_it_is_handed_in(
    desk: Open, ledger: Ledger
) -> None:
    def take(step: str, items: list[str], by: list[str], **more: Any) -> None:
        draft = {"step": step, "items": items, "with": more.pop("fields", {}), **more}
        signing.record_at_desk(ledger, draft, [{"person": one} for one in by])

    fact = {"why": "late", "at": ledger.clock()}
    waits = "section[aria-labelledby=h-dup]"
    take("report", ["D5-003"], ["fay"], fields={"form": "dice", "form_number": "DDR-1"})
    assert "DDR-1" not in text(desk("sue").get("/"), waits)
    handed = {"copies": 2, "fact": fact}
    take("hand_over", ["D5-003"], ["sam", "cora"], to="comm", fields=handed)
    assert "DDR-1/duplicate" in text(desk("sue").get("/"), waits)
    life = desk("sue").get("/items/DDR-1/duplicate")
    assert life.status_code == 200
    assert "DDR-1/duplicate" in text(life, "h1")
    take("collect", ["DDR-1/duplicate"], ["sam"])
    take("deliver", ["DDR-1/duplicate"], ["sam"], to="sec")
    assert "DDR-1" not in text(desk("sue").get("/"), waits)
