"""Ledgers of other regimes, filled by their scenarios: the records that the regulator may see."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from custody import config
from custody.ledger import founding, keeping, setting
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.reading import approving, ending, reconciling, stock
from custody.ledger.reading import keeping as reading
from custody.rules import script
from tests.routes import cast
from tests.rules.stories import files

Play = Callable[..., Ledger]


@pytest.fixture
def play(tmp_path: Path) -> Any:
    """Return a function that takes a scenario's allowed steps at the desk, one after another."""
    opened: list[Ledger] = []

    def played(story: str) -> Ledger:
        (path,) = files(story)
        scene, *lines = [line for _, line in script.lines(path.read_text("utf-8"))]
        made = {**scene, "site": story}
        clock = cast.Clock(cast.instant(lines[0]["at"]))
        told = setting.read_setting(json.dumps(made).encode())
        founding.found(config.load(tmp_path), told, clock)
        ledger = Ledger(config.load(tmp_path), clock)
        opened.append(ledger)
        for line in lines:
            if line.get("step") and line["expect"] == "ok":
                cast.take(ledger, clock, {k: v for k, v in line.items() if k != "expect"})
        return ledger

    yield played
    for ledger in opened:
        ledger.close()


def test_new_york_logs_what_was_destroyed_and_what_is_on_hand(play: Play) -> None:
    """NY-5322.13-k.4, NY-5322.13-j.1-3: a log on demand; totals on hand, taken out, returned."""
    ledger = play("ny-tiles")
    (gone,) = ending.log(ledger, ending.Asked(first="2026-12-01", last="2026-12-31"))
    assert (gone["kind"], gone["units"]["sets"], gone["place"]) == ("tiles", 1, "shred")
    assert gone["entry"]["event"]["by"][0]["person"] == "sam"
    assert ending.log(ledger, ending.Asked(kind="dice")) == []
    first = reconciling.of_day(ledger, "tiles", "2026-12-01")["terms"]
    told = {name: term["sets"] for name, term in first.items() if term["sets"]}
    assert told == {"received": 3, "issued": 2, "returned": 1, "in_play": 1, "closing": 3}
    assert stock.count_at(ledger, "cage", "tiles") == 2


def test_new_york_logs_cards_by_the_deck(play: Play) -> None:
    """NY-5322.15-o.3, NY-5322.15-m.1-3, NY-5322.15-m.6: the same for cards, balanced each day."""
    ledger = play("ny-cards")
    (gone,) = ending.log(ledger, ending.Asked())
    assert (gone["kind"], gone["units"], gone["items"]) == ("cards", {"decks": 1}, ["NK-01"])
    days = [
        reconciling.of_day(ledger, "cards", day)["terms"] for day in ("2026-12-01", "2026-12-02")
    ]
    assert [day["remainder"]["decks"] for day in days] == [0, 0]
    told = [days[0][term]["decks"] for term in ("issued", "returned", "reserve", "awaiting")]
    assert told == [4, 1, 2, 1]
    assert days[1]["destroyed"]["decks"] == 1


def named(told: dict[str, Any]) -> dict[str, tuple[Any, str]]:
    """Return of each clause what runs today, and on what that rests."""
    rows = [*told["controls"], *told["places"], *told["rules"]]
    return {clause: (row["runs"], row["basis"]) for row in rows for clause in row["clauses"]}


def test_what_maryland_has_not_approved_stands_in_the_register_without_an_entry(play: Play) -> None:
    """MD-02.15-D.1, MD-02.19-N, MD-02.13-E.3, MD-02.16-H.3: packages, sets returned, envelopes."""
    running = named(approving.standing(play("md-quarterly-count")))
    for clause in ("MD-02.15-D.1", "MD-02.19-N", "MD-02.13-E.3", "MD-02.16-H.3"):
        assert running[clause] == (None, "text"), clause


def test_what_new_york_has_not_approved_runs_as_its_text_stands(play: Play) -> None:
    """NY-5322.16-a, NY-5322.15-o, NY-5322.13-b-p2, NY-5322.15-l.7: no maker's packages, no vendor,
    no sample; places and containers as they were given, or without an entry.
    """
    running = named(approving.standing(play("ny-cards")))
    assert running["NY-5322.16-c.1-2"] == (None, "text")
    assert running["NY-5322.16-a"] == (None, "text")
    for clause in ("NY-5322.13-b-p2", "NY-5322.15-l.7", "NY-5322.13-c", "NY-5322.10-a"):
        assert running[clause] == (None, "text"), clause
    assert running["NY-5322.15-o.1"] == ("none", "text")
    assert running["NY-5322.15-l.1"] == ([], "text")


@pytest.mark.parametrize(
    ("story", "runs"),
    [
        ("us542-cards-and-dice", (5, "given")),
        ("us542-nothing-approved", (None, "text")),
        ("us542-period-too-long", (7, "given")),
    ],
)
def test_the_federal_period_is_an_approved_one_or_that_of_the_text(
    play: Play, story: str, runs: tuple[Any, str]
) -> None:
    """US-542.12-f.3-p2, US-542.12-a: the authority sets the period; without one, or above seven
    days, the text's own holds, and the register says what runs.
    """
    running = named(approving.standing(play(story)))
    assert running["US-542.12-f.3"] == runs
    assert running["US-542.12-f.2-p2"] == (None, "text")


def test_exception_reports_wait_for_a_review_of_each_month(play: Play) -> None:
    """US-542.12-j.3: from the first gaming day after the month, until its review is recorded."""
    ledger = play("us542-log-and-audit")

    def waiting(at: str) -> list[tuple[str, str]]:
        with ledger.database.reading() as connection:
            found = reading.due(connection, Cache(connection), cast.instant(at))
        return [(one["period"], one["clause"]) for one in found if one["record"] == "review"]

    assert waiting("2026-10-31T23:00") == []
    # Instants of the cast are those of New York; the house's day starts at 06:00 in Chicago.
    assert waiting("2026-11-01T06:59") == []
    assert waiting("2026-11-01T07:01") == [("2026-10", "US-542.12-j.3")]
    keeping.keep(ledger, "review", "2026-10", "nothing unusual", [{"person": "ann"}])
    assert waiting("2026-11-30T12:00") == []
    assert waiting("2026-12-01T07:01") == [("2026-11", "US-542.12-j.3")]
