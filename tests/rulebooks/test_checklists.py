"""What only a person can check: every line is asked in the form of its step, and recorded."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from custody.ledger import desk as desks
from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from custody.rulebooks import coverage, loader
from custody.rulebooks.citing import citations
from custody.rules import core, memory
from tests.routes import cast
from tests.routes.conftest import Open, page, text

PEOPLE = {"fay": "floorperson", "sam": "security_officer", "pru": "poker_supervisor"}
PLACES: dict[str, Any] = {
    "dock": {"type": "dock"},
    "vault": {"type": "storage", "use": "primary"},
    "pit1": {"type": "pit_stand"},
    "tvault": {"type": "storage", "use": "tiles"},
    "BJ1": {"type": "table", "game": "blackjack", "pit": "pit1"},
    "BJ9": {"type": "table", "game": "blackjack", "pit": "pit1", "open": False},
    "sec": {"type": "security"},
}


def form(regime: str, step: str, kind: Any, form_: Any, attributes: Any, **more: Any) -> Any:
    """Return what a step's form asks of something that is received, stored or entered."""
    site = loader.site({"regime": regime, "zone": "America/New_York", "day_starts": "06:00"})
    book = core.load(loader.rulebook(regime), {**site, "controls": more.pop("controls", {})})
    store = memory.new(book)
    for id_, job in PEOPLE.items():
        store.put("person", id_, {"job": job})
    for id_, place in PLACES.items():
        store.put("place", id_, place)
    draft = {"step": step, "at": cast.instant("2026-12-01T12:00"), "by": ["fay", "sam"]}
    draft |= {
        "items": ["X-001"] if step == "receive" else [],
        "kind": kind,
        "form": form_,
        "attributes": attributes,
    }
    draft |= {"from": None, "to": None, "into": None, "where": None, "with": {}, **more}
    return core.form(book, store, draft)


CRAPS, CARDS = {"size": 5, "games": ["craps"]}, {"games": ["blackjack"]}
BEFORE_PLAY = {"where": "BJ1", "with": {"when": "before_play"}}
CLOSING = {"where": "BJ1", "with": {"state": "closed"}}
TILES = {"where": "tvault"}


@pytest.mark.parametrize(
    ("regime", "step", "kind", "form_", "attributes", "place", "clause"),
    [
        ("MD", "receive", "cards", "deck", CARDS, {"to": "dock"}, "MD-02.15-C.3"),
        ("MD", "receive", "tiles", "set", {"tiles": 32}, {"to": "dock"}, "MD-02.18-B.3"),
        ("MD", "access", "dice", None, None, {"where": "vault"}, "MD-02.13-B"),
        ("MD", "access", "cards", None, None, {"where": "vault"}, "MD-02.16-B"),
        ("MD", "access", "tiles", None, None, {"where": "vault"}, "MD-02.19-C"),
        ("NY", "receive", "dice", "stick", CRAPS, {"to": "dock"}, "NY-5322.11-a.9"),
        ("NY", "receive", "tiles", "set", {"tiles": 32}, {"to": "dock"}, "NY-5322.12-b.3"),
        ("NY", "receive", "tiles", "set", {"tiles": 32}, {"to": "dock"}, "NY-5322.12-c"),
        ("NY", "receive", "cards", "deck", CARDS, {"to": "dock"}, "NY-5322.14-g"),
        ("MD", "receive", "dice", "stick", CRAPS, {"to": "dock"}, "MD-02.12-A.10"),
        ("MD", "receive", "tiles", "set", {"tiles": 32}, {"to": "dock"}, "MD-02.18-D"),
        ("MD", "receive", "coupons", "lot", {}, {"to": "dock"}, "MD-03.11-D"),
        ("MD", "inspect", "cards", None, None, BEFORE_PLAY, "MD-03.26-B-D"),
        ("MD", "inspect", "cards", None, None, BEFORE_PLAY, "MD-03.26-E"),
        ("NY", "inspect", "shoe", None, None, BEFORE_PLAY, "NY-5322.17-a-b"),
        ("NY", "table", None, None, None, CLOSING, "NY-5322.18-b"),
        ("MD", "preshuffle", "cards", None, None, {"where": "BJ9"}, "MD-02.16-R.7"),
        ("MD", "examine", "cards", None, None, {"where": "sec"}, "MD-02.16-N.8"),
        ("MD", "examine", "tiles", None, None, {"where": "sec"}, "MD-02.19-L.4"),
        ("MD", "rebuild", "tiles", "reconstructed_set", {"tiles": 32}, TILES, "MD-02.19-P.6.c"),
    ],
)
def test_the_form_of_a_step_asks_its_lines(
    regime: str, step: str, kind: str, form_: Any, attributes: Any, place: Any, clause: str
) -> None:
    asked = form(regime, step, kind, form_, attributes, **place)
    assert clause in {line["clause"] for line in asked["clauses"]}


@pytest.mark.parametrize(
    ("alternative", "asked"), [("alternative_2", True), ("alternative_1", False)]
)
def test_the_second_alternative_asks_for_a_flat_surface_and_tools_at_hand(
    alternative: str, asked: bool
) -> None:
    """MD-02.13-F.2.c-d"""
    told = {"where": "pit1", "with": {"when": "before_play"}}
    controls = {"dice_inspection": alternative}
    made = form("MD", "inspect", "dice", None, None, controls=controls, **told)
    lines = {line["line"] for line in made["clauses"] if line["clause"] == "MD-02.13-F.2.c-d"}
    assert lines == ({"inspection.flat_surface", "inspection.tools_at_hand"} if asked else set())


def test_what_is_ticked_at_the_desk_is_in_the_signed_event(desk: Open, ledger: Ledger) -> None:
    """MD-02.16-B: that a store has two locks is asked at the desk. MD-02.15-C.3: the logo on the
    backs of cards is looked for where they arrive, and that it was is recorded.
    """
    browser = desk("fay")
    asked = page(browser.get("/steps/access?kind=cards"))
    boxes = [box.attributes["value"] for box in asked.css("input[name='with.checked']")]
    assert "store.two_locks" in boxes
    draft = {
        "step": "receive",
        "kind": "cards",
        "form": "deck",
        "attributes": CARDS,
        "items": ["DK-001"],
        "to": "dock",
        "with": {"seals": "intact", "checked": ["cards.logo"]},
    }
    by = [{"person": one, "how": "password"} for one in ("fay", "sam")]
    made = desks.record_at_desk(ledger, draft, by)
    assert entries.one(ledger, made.position)["event"]["with"]["checked"] == ["cards.logo"]
    shown = text(browser.get(f"/events/{made.position}"))
    assert "Checked by a person" in shown
    assert loader.catalogue()["line.cards.logo"]["en"].lower() in shown.lower()


def test_every_line_of_every_checklist_has_its_sentence_in_both_languages() -> None:
    lines = {
        line["line"]
        for some in citations().values()
        for one in some
        for line in one.entry.get("checklist", [])
    }
    assert len(lines) > 20
    for line in lines:
        assert set(loader.catalogue()[f"line.{line}"]) == {"en", "es"}


def test_who_may_do_what_is_listed_and_handed_out(desk: Open, monkeypatch: Any) -> None:
    """US-542.12-e.3.ii, US-542.12-e.3.i, US-542.12-e.1: an access listing, and the exception
    information: settings changed, corrections, voids; all of it can be handed out.
    """
    from custody.ledger.reading import keeping

    asked = loader.rulebook("US542")["record"]
    monkeypatch.setattr(keeping, "asked", lambda ledger: asked)
    browser = desk("iris")
    listed = text(browser.get("/records/access"))
    assert "Sam Reed" in listed
    assert "Security officer" in listed
    rows = list(csv.reader(io.StringIO(browser.get("/records/access.csv").text)))
    assert rows[2][1] == "Code"
    people = {row[1]: row[3] for row in rows[3:]}
    assert set(people) == set(cast.PEOPLE)
    assert "Approvals" in people["ada"]
    assert people["dee"] == "none"
    desk("ada").post("/places/annex", type="storage", use="secondary", name="Annex")
    changed = text(browser.get("/records/changes?period=2026-12"))
    assert "Place annex" in changed
    assert "Ada Quill" in changed
    assert "Place annex" in browser.get("/records/changes.csv?period=2026-12").text
    assert "Nothing was changed" in text(browser.get("/records/changes?period=2026-11"))
    assert "/events" in browser.get("/records").text


def test_what_is_checked_by_a_person_only_is_cited_by_a_line_or_a_condition() -> None:
    physical = [row for row in coverage.rows(coverage.CORE) if row.clause["check"] == "physical"]
    assert physical
    for row in physical:
        assert {"checklist", "gate", "evidence"} & set(row.ways), row.clause["id"]
