"""An item's life, and an envelope's."""

from custody.ledger import desk as signing
from custody.ledger.core import Ledger
from tests.routes import cast
from tests.routes.conftest import Enrol, Open, page, text

LIFE = [
    "Pack and seal",
    "Inspect",
    "Remove",
    "Put in play",
    "Inspect",
    "Issue",
    "Issue",
    "Store",
    "Receive",
]


def test_a_life_shows_each_event_once_the_newest_first(desk: Open) -> None:
    answer = desk("sue").get("/items/D5-001")
    assert answer.status_code == 200
    assert [node.text() for node in page(answer).css(".life .what")] == LIFE


def test_an_event_says_who_when_where_what_and_under_which_clause(desk: Open) -> None:
    first = page(desk("sue").get("/items/D5-001")).css(".life > li")[-1]
    told = " ".join(first.text(separator=" ").split())
    assert "Receive dock" in told
    assert "Fay Moss Floorperson" in told
    assert "Sam Reed Security officer" in told
    assert "2026-12-01 07:00:00 -05:00" in told
    assert "Desk run 1, event 2" in told
    assert "Log position 1" in told
    assert "Invoice INV-1" in told
    assert "MD-02.13-A.4" in [node.text() for node in first.css(".clause")]
    assert first.css_first("time").attributes["datetime"] == "2026-12-01T07:00:00.000-05:00"


def test_an_event_says_which_lines_of_its_checklist_nobody_ticked(desk: Open) -> None:
    lines = page(desk("sue").get("/items/D5-001")).css(".life > li")
    inspected = lines[LIFE.index("Inspect", 2)].text(separator=" ")
    assert "To be checked by a person, not ticked" in inspected
    assert "flat surface" in inspected


def test_the_time_of_receipt_stands_beside_the_devices_and_replaces_none(
    desk: Open, handheld: Enrol, clock: cast.Clock
) -> None:
    device = handheld("Pit 1 tablet")
    saw = device.saw("D5-004")
    device.record("issue", items=["D5-004"], to="pit1", by=["fay", "sam", "pam"], saw=saw)
    clock.now += 3 * 3_600_000
    assert device.push().status == 200
    told = text(desk("sue").get("/items/D5-004"), ".life > li:first-child")
    assert "Device time 2026-12-02 14:00:00 -05:00" in told
    assert "Received 2026-12-02 17:00 -05:00 3 h later" in told
    assert "Pit 1 tablet run 1, event 1" in told


def test_a_fields_type_says_whether_its_number_is_an_instant(desk: Open, handheld: Enrol) -> None:
    device, at = handheld("Pit 1 tablet"), 1_796_130_000_000
    found = {"form": "dice", "discovered_at": at, "form_number": at}
    saw = device.saw("D5-004")
    device.record("report", items=["D5-004"], by=["fay"], saw=saw, **{"with": found})
    assert device.push().status == 200
    told = text(desk("sue").get("/items/D5-004"), ".life > li:first-child")
    assert "Discovered at 2026-12-01 08:00 -05:00" in told
    assert f"Form number {at}" in told


def test_what_an_outside_signer_drew_is_drawn_again_and_nothing_else_is(
    desk: Open, handheld: Enrol
) -> None:
    device = handheld("Pit 1 tablet")
    rep = {"name": "C. Doe", "agency": "Lottery", "number": "CR-17", "how": "drawn"}
    rep |= {"job": "compliance_representative"}
    for signature in ("M10 20L30 40L50 60", "M10 20<script>"):
        by = [{**rep, "signature": signature}, "sam"]
        saw = device.saw("D5-004")
        device.record("hold", items=["D5-004"], by=by, saw=saw, **{"with": {"reason": "rotation"}})
        assert device.push().status == 200
    second, first = page(desk("sue").get("/items/D5-004")).css(".life > li")[:2]
    assert first.css_first("svg.drawn path").attributes["d"] == "M10 20L30 40L50 60"
    assert first.css_first("svg.drawn").attributes["aria-label"] == "Signature of C. Doe"
    assert second.css_first("svg.drawn") is None
    assert "C. Doe Lottery" in " ".join(second.text(separator=" ").split())


def test_a_correction_strikes_the_event_and_says_why(desk: Open, ledger: Ledger) -> None:
    browser = desk("sue")
    event = page(browser.get("/events/2")).css_first("p.code").text()
    fields = {"event": event, "reason": "wrong vault"}
    draft = {"step": "correct", "items": ["D5-005"], "with": fields}
    signing.record_at_desk(ledger, draft, [{"person": "fay"}, {"person": "sam"}])
    answer = browser.get("/items/D5-005")
    struck = text(answer, ".life > li.struck")
    assert "Store dock → vault Corrected" in struck
    assert "Struck by Fay Moss, Sam Reed: wrong vault" in struck


def test_a_fact_recorded_afterwards_says_so_with_both_times_and_its_exceptions(desk: Open) -> None:
    newest = text(desk("sue").get("/items/D5-003"), ".life > li:first-child")
    assert "Recorded afterwards" in newest
    assert "Happened 2026-12-02 08:45 -05:00" in newest
    assert "A rule was broken MD-02.13-A.4 See the exception" in newest


def test_a_dispute_shows_both_versions_side_by_side_with_what_each_knew(
    desk: Open, disputed: str
) -> None:
    answer = desk("sue").get(f"/items/{disputed}")
    sides = [
        " ".join(s.text(separator=" ").split()) for s in page(answer).css(".branches > section")
    ]
    assert len(sides) == 2
    assert "first logged" in sides[0]
    assert "pit1" in sides[0]
    assert "Fay Moss, Sam Reed, Pam Brook · Pit 1 tablet" in sides[0]
    assert "CR2" in sides[1]
    assert "Vault reader" in sides[1]
    assert all("Its last known event was: Store (2)" in side for side in sides)
    assert "Disputed" in text(answer, ".title")


def test_an_envelope_shows_its_contents_its_label_and_its_seals(desk: Open) -> None:
    answer = desk("sue").get("/items/EV-001")
    told = text(answer, "section[aria-labelledby=h-in]")
    assert "D5-001" in told
    assert "S-0001 applied when packed" in told
    assert "Purpose Used" in told
    assert "Packed 2026-12-02 04:15 -05:00" in told
    assert "Signed by Dee Wood, Fay Moss" in told
    assert "Table CR1" in told


def test_a_broken_seal_stands_in_the_seal_history(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    for step, fields, place, by in (
        ("collect", {}, None, ["sam"]),
        ("deliver", {}, "sec", ["sam"]),
        ("open", {"seal": "S-0001", "seal_state": "broken"}, None, ["sam"]),
    ):
        clock.now += 60_000
        draft = {"step": step, "items": ["EV-001"], "with": fields, "to": place}
        signing.record_at_desk(ledger, draft, [{"person": id_} for id_ in by])
    answer = desk("sue").get("/items/EV-001")
    told = text(answer, "section[aria-labelledby=h-in]")
    assert "S-0001 found at opening: broken" in told
    assert "Seal found broken" in told


def test_what_is_overdue_about_an_item_is_told_on_its_page(desk: Open) -> None:
    told = text(desk("sue").get("/items/D5-002"), ".note.bad")
    assert "Overdue Clause MD-02.13-O.1: 5 h 40 min over" in told


def test_an_unknown_code_is_404_and_is_said_plainly(desk: Open) -> None:
    answer = desk("sue").get("/items/D5-999")
    assert answer.status_code == 404
    assert "D5-999 is not known" in text(answer, "[role=alert]")


def test_a_code_with_a_slash_or_a_hostile_text_is_only_text(desk: Open) -> None:
    answer = desk("sue").get("/items/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert answer.status_code == 404
    assert page(answer).css("main script") == []
    assert "<script>alert(1)</script> is not known" in text(answer, "[role=alert]")


def test_a_name_with_markup_is_only_text(desk: Open) -> None:
    desk("ada").post("/people/fay", name="<b onclick=x>Fay</b>", job="floorperson", language="en")
    answer = desk("sue").get("/items/D5-001")
    assert "<b onclick=x>Fay</b>" in text(answer, ".who")
    assert page(answer).css("[onclick]") == []


def test_a_step_that_names_no_place_was_where_the_item_was(desk: Open) -> None:
    told = [node.text() for node in page(desk("sue").get("/items/D5-001")).css(".life .line")]
    places = [" ".join(line.split()) for line in reversed(told)]
    assert places[1].endswith("dock → vault")
    assert all(len(line.split()) > 1 for line in places), "each says where"


def test_the_place_where_an_item_is_bears_its_name(desk: Open, ledger: Ledger) -> None:
    named = desk("ada").post("/places/vault", name="Dice vault", type="storage", use="primary")
    assert named.status_code == 303
    assert "Place Dice vault" in text(desk("sue").get("/items/D5-005"), "#main")
