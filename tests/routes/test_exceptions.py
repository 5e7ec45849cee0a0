"""Exceptions: the list, one with its way out, and its end."""

import pytest
from flask import Flask
from sqlalchemy import Connection

from custody.ledger import desk as signing
from custody.ledger import verifying
from custody.ledger.core import Ledger
from custody.ledger.errors import Refused
from custody.ledger.reading import entries, exceptions, silence
from custody.routes.exceptions import LEADS
from custody.routes.words import LANGUAGES, catalogue
from custody.rulebooks import loader
from custody.rules import codes_range
from tests.routes.cast import Clock
from tests.routes.conftest import Enrol, Open, page, text

KINDS = loader.rulebook("MD")["vocabulary"]["exceptions"]["words"]


def first(ledger: Ledger, kind: str = "rule-broken") -> str:
    return str(exceptions.listed(ledger, kind=kind)[0]["id"])


def test_open_exceptions_are_listed_with_what_they_are_about(desk: Open) -> None:
    answer = desk("sue").get("/exceptions")
    rows = page(answer).css("tbody tr")
    assert len(rows) == 2
    told = [" ".join(one.text(separator=" ").split()) for one in rows]
    what = "A rule was broken A signature is missing: security."
    assert f"{what} MD-02.13-A.4 D5-003 Desk 2026-12-02 09:00 -05:00 Open" in told


def test_the_list_is_filtered_by_state_and_kind(desk: Open) -> None:
    browser = desk("sue")
    assert "No exception here" in browser.get("/exceptions?state=resolved", part=True).text
    assert "No exception here" in browser.get("/exceptions?kind=fork", part=True).text
    assert browser.get("/exceptions?state=nonsense").status_code == 200


def test_the_open_ones_are_counted_by_kind(desk: Open, disputed: str) -> None:
    browser = desk("sue")
    tiles = page(browser.get("/exceptions")).css("ul.tiles a")
    told = {" ".join(one.text(separator=" ").split()): one.attributes["href"] for one in tiles}
    assert "A rule was broken 2" in told
    [claims] = [href for words, href in told.items() if "kind=concurrent-claim" in str(href)]
    rows = page(browser.get(str(claims))).css("tbody tr")
    assert len(rows) == 1


def test_the_list_is_filtered_by_device(desk: Open, ledger: Ledger, disputed: str) -> None:
    device = exceptions.listed(ledger, kind="concurrent-claim")[0]["device"]
    browser = desk("sue")
    rows = page(browser.get(f"/exceptions?device={device}", part=True)).css("tbody tr")
    assert len(rows) == exceptions.count(ledger, device=device) > 0
    assert len(page(browser.get("/exceptions?device=desk", part=True)).css("tbody tr")) == 2


def test_a_concurrent_claim_shows_both_sides_and_what_each_device_knew(
    desk: Open, ledger: Ledger, disputed: str
) -> None:
    answer = desk("sue").get(f"/exceptions/{first(ledger, 'concurrent-claim')}")
    sides = [
        " ".join(one.text(separator=" ").split()) for one in page(answer).css(".branches > section")
    ]
    assert len(sides) == 2
    assert "first logged" in sides[0]
    for side, device, place in zip(
        sides, ("Pit 1 tablet", "Vault reader"), ("pit1", "CR2"), strict=True
    ):
        assert device in side
        assert place in side
        assert "It went by Store vault (log position" in side
        assert "Its own chain it had recorded nothing before in run 1" in side
        assert "Last contact" in side
        assert "not compared" in side
    assert "Had not seen nothing: it knew all" in sides[0]
    assert "Had not seen 1 later event of the item" in sides[1]


def test_the_sides_stay_on_the_page_after_one_was_chosen(
    desk: Open, ledger: Ledger, disputed: str
) -> None:
    browser, id_ = desk("sue"), first(ledger, "concurrent-claim")
    refused = browser.post(f"/exceptions/{id_}/resolve", outcome="Seen at pit 1.")
    assert "Choose the record that stands." in text(refused, ".wrong")
    stands = page(refused).css_first("input[name=stands]").attributes["value"]
    browser.post(f"/exceptions/{id_}/resolve", outcome="Seen at pit 1.", stands=stands)
    closed = text(browser.get(f"/exceptions/{id_}"), "#resolve")
    assert "Event that stands Version 1: Issue" in closed
    assert str(stands) not in closed
    assert len(page(browser.get(f"/exceptions/{id_}")).css(".branches > section")) == 2


@pytest.mark.parametrize("person", ["cora", "carl", "sam", "fay", "iris", "ada"])
def test_who_may_not_resolve_is_refused_by_the_server(
    desk: Open, ledger: Ledger, person: str
) -> None:
    size, id_ = ledger.size(), first(ledger)
    assert desk(person).post(f"/exceptions/{id_}/resolve", outcome="x").status_code == 403
    assert ledger.size() == size


def test_an_exception_says_why_its_clause_and_the_way_out(desk: Open, ledger: Ledger) -> None:
    answer = desk("sue").get(f"/exceptions/{first(ledger)}")
    assert answer.status_code == 200
    told = text(answer, "section[aria-labelledby=h-why]")
    assert "MD-02.13-A.4 COMAR 36.05.02.13 A(4)" in told
    assert "What would be right" in told
    assert "stays in the log" in told
    assert "Recorded afterwards" in text(answer, ".life")


def test_an_outcome_closes_it_as_an_event_signed_by_the_person_at_the_desk(
    desk: Open, ledger: Ledger
) -> None:
    id_, browser = first(ledger), desk("sue")
    sent = browser.post(f"/exceptions/{id_}/resolve", outcome="Asked Fay; Sam was on a break.")
    assert sent.status_code == 303
    closed = text(browser.get(sent.location), "#resolve")
    assert "Sue Hart" in closed
    assert "Asked Fay; Sam was on a break." in closed
    event = entries.one(ledger, ledger.size() - 1)["event"]
    assert event["step"] == "resolve"
    assert event["by"][0]["person"] == "sue"
    assert event["by"][0]["how"] == "password"
    assert event["with"]["exception"] == id_


def test_without_an_outcome_it_is_422_and_nothing_is_recorded(desk: Open, ledger: Ledger) -> None:
    size, id_ = ledger.size(), first(ledger)
    answer = desk("sue").post(f"/exceptions/{id_}/resolve", outcome="  ")
    assert answer.status_code == 422
    assert "Say what was found out" in text(answer, ".wrong")
    part = desk("sue").post(f"/exceptions/{id_}/resolve", outcome="", part=True)
    assert part.status_code == 422
    assert page(part).css_first("form") is not None
    assert "<html" not in part.text
    assert ledger.size() == size


def test_under_htmx_a_good_outcome_leads_on_to_the_page(desk: Open, ledger: Ledger) -> None:
    id_ = first(ledger)
    answer = desk("sue").post(f"/exceptions/{id_}/resolve", outcome="Found.", part=True)
    assert answer.headers["HX-Redirect"] == f"/exceptions/{id_}"


def test_what_is_closed_is_not_closed_again(desk: Open, ledger: Ledger) -> None:
    id_, browser = first(ledger), desk("sue")
    browser.post(f"/exceptions/{id_}/resolve", outcome="Found.")
    size = ledger.size()
    answer = browser.post(f"/exceptions/{id_}/resolve", outcome="Again.")
    assert answer.status_code == 422
    assert ledger.size() == size


def test_a_dispute_is_resolved_by_choosing_the_record_that_stands(
    desk: Open, ledger: Ledger, disputed: str
) -> None:
    browser, id_ = desk("sue"), first(ledger, "concurrent-claim")
    form = page(browser.get(f"/exceptions/{id_}"))
    choices = form.css("input[name=stands]")
    words = [" ".join(label.text(separator=" ").split()) for label in form.css("label.tick")]
    assert len(choices) == 2
    assert "Pit 1 tablet" in words[0]
    assert "Vault reader" in words[1]
    second = str(choices[1].attributes["value"])
    sent = browser.post(f"/exceptions/{id_}/resolve", outcome="Seen at CR2.", stands=second)
    assert sent.status_code == 303
    item = page(browser.get(f"/items/{disputed}"))
    assert item.css(".branches") == []
    assert "CR2" in " ".join(item.css_first(".facts").text(separator=" ").split())


def test_a_record_that_was_not_offered_cannot_stand(
    desk: Open, ledger: Ledger, disputed: str
) -> None:
    id_ = first(ledger, "concurrent-claim")
    answer = desk("sue").post(f"/exceptions/{id_}/resolve", outcome="x", stands="0" * 64)
    assert answer.status_code == 422
    assert "Choose one of the records" in text(answer, ".wrong")


def test_who_may_not_resolve_sees_no_form(desk: Open, ledger: Ledger) -> None:
    answer = desk("cora").get(f"/exceptions/{first(ledger)}")
    assert page(answer).css("#resolve form") == []
    assert "Someone else closes this" in text(answer, "#resolve")


def test_an_unknown_exception_is_404(desk: Open) -> None:
    assert desk("sue").get("/exceptions/xnothing").status_code == 404
    assert desk("sue").post("/exceptions/xnothing/resolve", outcome="x").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_exception_has_its_sentence_and_its_way_out(kind: str) -> None:
    assert f"raised.{kind}" in catalogue()
    assert set(loader.catalogue()[f"wayout.{kind}"]) >= set(LANGUAGES)


def test_an_exception_about_nothing_that_is_known_is_closed_too(
    desk: Open, ledger: Ledger, handheld: Enrol
) -> None:
    device = handheld("Pit 1 tablet")
    device.write(b"not an event")
    device.record("inspect", items=["D5-999"], by=["fay"])
    assert device.push().status == 200
    browser = desk("sue")
    for kind in ("unreadable", "unknown-code"):
        id_ = first(ledger, kind)
        assert browser.post(f"/exceptions/{id_}/resolve", outcome="Asked.").status_code == 303
        assert exceptions.one(ledger, id_)["resolution"]["event"]["with"]["outcome"] == "Asked."
    size = ledger.size()
    draft = {"step": "resolve", "items": [], "with": {"exception": id_, "outcome": "Again."}}
    with pytest.raises(Refused):
        signing.record_at_desk(ledger, draft, [{"person": "sue"}])
    assert ledger.size() == size


def test_the_items_of_an_exception_are_read_once_however_many_they_are(
    ledger: Ledger, handheld: Enrol, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = handheld("Pit 1 tablet")
    device.record("store", items=["X-0001..X-1200"], to="vault", by=["fay", "sam"])
    [one] = device.push().json["exceptions"]
    read: list[int] = []
    real = exceptions._complete

    def complete(connection: Connection, found: list[exceptions.Value]) -> list[exceptions.Value]:
        read.append(len(found))
        return real(connection, found)

    monkeypatch.setattr(exceptions, "_complete", complete)
    codes = codes_range.expand("X-0001..X-1200")
    with ledger.database.reading() as connection:
        [about] = exceptions.about(connection, codes)
    assert (about["id"], about["items"], read) == (one["id"], codes, [1])


def test_an_exception_about_many_codes_is_told_and_closed_in_runs(
    desk: Open, ledger: Ledger, handheld: Enrol
) -> None:
    device, run = handheld("Pit 1 tablet"), "X-0001..X-0900"
    device.record("store", items=[run], to="vault", by=["fay", "sam"])
    device.record("store", items=["Y-1..Y-3"], to="vault", by=["fay", "sam"])
    many, few = device.push().json["exceptions"]
    assert (many["kind"], many["items"]) == ("unknown-code", [run])
    assert few["items"] == ["Y-1", "Y-2", "Y-3"]
    browser = desk("sue")
    assert text(browser.get(f"/exceptions/{many['id']}"), "dl.facts dd").startswith(f"{run} Pit 1")
    answer = browser.post(f"/exceptions/{many['id']}/resolve", outcome="A typing error.")
    assert answer.status_code == 303
    told = exceptions.one(ledger, many["id"])
    assert told["resolution"]["event"]["items"] == [run]
    assert "X-0450" in told["items"]


@pytest.fixture
def jumps(ledger: Ledger, handheld: Enrol, clock: Clock) -> list[str]:
    """Five clock exceptions of one handheld, four of them about a stick."""
    device = handheld("Pit 1 tablet")
    for n in range(5):
        items = ["D5-006"] if n else []
        saw = device.saw(*items)
        device.record(
            "notify",
            items=items,
            saw=saw,
            by=["fay"],
            at=clock.now + 200_000 * (n + 1),
            server=clock.now,
        )
        device.push()
        device.pull()
    found = exceptions.listed(ledger, kind="clock")
    assert len(found) == 5
    return [str(one["id"]) for one in found]


def test_several_of_one_kind_are_closed_with_one_outcome_and_a_record_each(
    desk: Open, ledger: Ledger, jumps: list[str]
) -> None:
    browser, size = desk("sue"), ledger.size()
    boxes = page(browser.get("/exceptions?kind=clock")).css("input[name=id]")
    assert [one.attributes["value"] for one in boxes] == jumps
    sent = browser.post("/exceptions/close?kind=clock", id=jumps[:4], outcome="The tablet's clock.")
    assert sent.location == "/exceptions?kind=clock"
    assert "4 exceptions are closed" in text(browser.get(sent.location))
    assert [one["id"] for one in exceptions.listed(ledger, kind="clock")] == jumps[4:]
    made = [entries.one(ledger, size + n)["event"] for n in range(4)]
    assert sorted(one["with"]["exception"] for one in made) == sorted(jumps[:4])
    assert {(one["step"], one["by"][0]["person"], one["with"]["outcome"]) for one in made} == {
        ("resolve", "sue", "The tablet's clock.")
    }
    assert exceptions.one(ledger, jumps[0])["resolution"]["event"] in made
    assert verifying.projection_fault(ledger) is None


@pytest.mark.parametrize(
    ("chosen", "outcome", "told"),
    [
        ([], "Seen.", "Tick at least one"),
        (["clock"], " ", "Say what was found out"),
        (["clock", "rule-broken"], "Seen.", "only exceptions of one kind"),
        (["concurrent-claim"], "Seen.", "somebody must say which record stands"),
        (["closed", "clock"], "Seen.", "1 of them were closed by somebody else"),
    ],
)
def test_what_cannot_be_closed_together_is_said_and_nothing_is_closed(
    desk: Open, ledger: Ledger, jumps: list[str], disputed: str,
    chosen: list[str], outcome: str, told: str,
) -> None:  # fmt: skip
    browser = desk("sue")
    browser.post(f"/exceptions/{jumps[-1]}/resolve", outcome="One by itself.")
    ids = [jumps[-1] if kind == "closed" else first(ledger, kind) for kind in chosen]
    size = ledger.size()
    for part in (False, True):
        address = "/exceptions/close?kind=clock"
        answer = browser.post(address, part=part, id=ids, outcome=outcome)
        assert answer.status_code == 422
        assert told in text(answer, "section")
        ticked = page(answer).css("input[name=id][checked]")
        assert {one.attributes["value"] for one in ticked} <= set(ids)
    assert ledger.size() == size


def test_an_exception_that_is_none_closes_nothing(
    desk: Open, ledger: Ledger, jumps: list[str]
) -> None:
    size = ledger.size()
    answer = desk("sue").post("/exceptions/close", id=[jumps[0], "xnone"], outcome="Seen.")
    assert answer.status_code == 404
    assert ledger.size() == size


@pytest.mark.parametrize("person", ["cora", "fay", "ada"])
def test_who_may_not_resolve_is_offered_no_boxes_and_refused(
    desk: Open, ledger: Ledger, jumps: list[str], person: str
) -> None:
    browser, size = desk(person), ledger.size()
    assert page(browser.get("/exceptions?kind=clock")).css("input[name=id]") == []
    assert browser.post("/exceptions/close", id=jumps, outcome="Seen.").status_code == 403
    assert ledger.size() == size


def test_claims_and_mixed_lists_are_offered_no_boxes(desk: Open, disputed: str) -> None:
    browser = desk("sue")
    for asked in ("", "?kind=concurrent-claim", "?kind=rule-broken&state=all"):
        assert page(browser.get(f"/exceptions{asked}")).css("input[name=id]") == []
    assert len(page(browser.get("/exceptions?kind=rule-broken")).css("input[name=id]")) == 2


def test_closing_another_exception_of_a_disputed_item_leaves_the_dispute(
    desk: Open, ledger: Ledger, disputed: str, handheld: Enrol
) -> None:
    third = handheld("Third")
    third.record("issue", items=[disputed], to="CR1", by=["dee"], saw=third.saw(disputed))
    third.push()
    [id_] = [one["id"] for one in exceptions.listed(ledger, kind="rule-broken")
             if disputed in one["items"]]  # fmt: skip
    browser = desk("sue")
    assert browser.post(f"/exceptions/{id_}/resolve", outcome="Asked Dee.").status_code == 303
    assert len(page(browser.get(f"/items/{disputed}")).css(".branches > section")) == 2
    assert exceptions.count(ledger, kind="concurrent-claim") == 1


def test_a_claim_says_when_another_claim_about_its_item_was_closed(
    desk: Open, ledger: Ledger, disputed: str, handheld: Enrol
) -> None:
    third = handheld("Third")
    third.record("issue", items=[disputed], to="CR1", by=["gus", "sue"])
    third.push()
    [newer, older] = [str(one["id"]) for one in exceptions.listed(ledger, kind="concurrent-claim")]
    browser = desk("sue")
    assert "Two devices took it at once" in text(browser.get(f"/exceptions/{older}"), "tbody")
    form = page(browser.get(f"/exceptions/{older}"))
    stands = form.css_first("input[name=stands]").attributes["value"]
    sent = browser.post(f"/exceptions/{older}/resolve", outcome="Seen at pit 1.", stands=stands)
    assert "still open" in text(browser.get(sent.location), ".note.good")
    left = browser.get(f"/exceptions/{newer}")
    assert "not disputed any more" in text(left, "#resolve")
    assert page(left).css("input[name=stands]") == []
    assert "Resolved" in text(left, "tbody")
    assert browser.post(f"/exceptions/{newer}/resolve", outcome="The same.").status_code == 303
    assert exceptions.count(ledger, kind="concurrent-claim") == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_out_of_every_kind_leads_to_pages_that_open(
    desk: Open, app: Flask, kind: str
) -> None:
    for end, word, right in LEADS.get(kind, ()):
        assert app.view_functions[end].right == right  # type: ignore[attr-defined]
        assert word in catalogue()
    assert kind in LEADS or kind == "concurrent-claim"


def test_a_wrong_clock_is_told_by_how_much(desk: Open, ledger: Ledger, jumps: list[str]) -> None:
    told = text(desk("sue").get("/exceptions?kind=clock"), "tbody")
    assert "3 min ahead of the server's" in told
    assert "16 min ahead of the server's" in told
    address = f"/exceptions/{jumps[0]}"
    leads = page(desk("sue").get(address)).css("a.button")
    assert "/exceptions?kind=clock" in [one.attributes["href"] for one in leads]


def test_a_page_bears_the_servers_time(desk: Open, clock: Clock) -> None:
    note = page(desk("sue").get("/")).css_first("#clock")
    assert note.attributes["data-now"] == str(clock.now)
    assert "hidden" in note.attributes


def test_what_is_signed_at_the_desk_bears_the_servers_time(
    desk: Open, ledger: Ledger, clock: Clock
) -> None:
    desk("sue").post(f"/exceptions/{first(ledger)}/resolve", outcome="Found.")
    event = entries.one(ledger, ledger.size() - 1)["event"]
    assert (event["at"], event["server"], event["by"][0]["at"]) == (clock.now,) * 3


def test_the_kinds_that_are_looked_at_together_are_the_vocabularys() -> None:
    known = set(loader.words()["exceptions"]["words"])
    grouped = [*exceptions.OF_SEALS, *exceptions.OF_PEOPLE, *exceptions.OF_DEVICES]
    assert set(grouped) <= known
    assert len(set(grouped)) == len(grouped)
    assert set(silence.FAULTS) <= known
