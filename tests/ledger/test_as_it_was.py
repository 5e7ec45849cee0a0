"""Items, places and balances as at a past instant: what was known then, and what is known now."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from custody.config import Config
from custody.ledger import verifying
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.reading import as_it_was
from custody.ledger.reading.asof import NOW, THEN
from tests.conftest import file_of
from tests.ledger.as_it_was import HOUR, MINUTE, START, Floor, Snapshots
from tests.ledger.test_plans import sent
from tests.ledger.test_scenarios import FOLDER, Both
from tests.support import cast


@pytest.fixture
def floor(ledger: Ledger) -> Floor:
    """Three sticks in the vault since 07:01."""
    made = Floor(ledger)
    made.record("receive", **{**cast.receive("D5-001..D5-003"), "saw": {}})
    made.pull()
    made.record("store", "D5-001", "D5-002", "D5-003", to="vault", by=["fay", "sam"])
    made.pull()
    return made


def test_an_item_is_where_it_was_and_unknown_before_it_came(floor: Floor) -> None:
    assert floor.item("D5-001", START - 1, THEN) is None
    assert floor.place("D5-001", START, THEN) == "dock"
    for known in (THEN, NOW):
        assert floor.place("D5-001", START + MINUTE, known) == "vault"
        assert floor.at("dock", START, known) == ["D5-001", "D5-002", "D5-003"]
        assert floor.at("dock", START + MINUTE, known) == []
        assert floor.sticks("vault", START + MINUTE, known) == 3


def test_what_was_told_late_is_known_now_and_was_not_known_then(floor: Floor) -> None:
    floor.clock.now = START + 2 * HOUR
    floor.record("issue", "D5-001", fact=HOUR, to="pit1", by=["fay", "sam", "pam"])
    between = START + HOUR + 30 * MINUTE
    assert floor.place("D5-001", between, THEN) == "vault"
    assert floor.place("D5-001", between, NOW) == "pit1"
    assert (floor.sticks("vault", between, THEN), floor.sticks("vault", between, NOW)) == (3, 2)
    assert floor.at("pit1", between, THEN) == []
    assert floor.at("pit1", between, NOW) == ["D5-001"]
    assert floor.at("vault", between, THEN) == ["D5-001", "D5-002", "D5-003"]
    assert floor.at("vault", between, NOW) == ["D5-002", "D5-003"]


def test_what_was_corrected_since_counts_then_and_not_now(floor: Floor) -> None:
    floor.clock.now = START + HOUR
    wrong = floor.record("issue", "D5-002", to="pit1", by=["fay", "sam", "pam"])
    floor.pull()
    floor.clock.now = START + 2 * HOUR
    why = {"event": wrong, "reason": "another stick"}
    floor.record("correct", "D5-002", by=["pam"], **{"with": why})
    between = START + HOUR + 30 * MINUTE
    assert floor.place("D5-002", between, THEN) == "pit1"
    assert floor.place("D5-002", between, NOW) == "vault"
    assert (floor.sticks("pit1", between, THEN), floor.sticks("pit1", between, NOW)) == (1, 0)
    assert floor.at("pit1", between, THEN) == ["D5-002"]
    assert floor.at("pit1", between, NOW) == []


def test_a_dispute_is_one_then_and_has_its_outcome_now(floor: Floor) -> None:
    floor.clock.now = START + HOUR
    by = {"by": ["fay", "sam", "pam"]}
    floor.record("issue", "D5-003", to="pit1", **by)
    second = floor.record("issue", "D5-003", device=1, to="CR2", **by)
    between = floor.clock.now
    floor.pull()
    floor.clock.now = START + 2 * HOUR
    ending = {"exception": "concurrent-claim", "outcome": "seen at CR2", "stands": second}
    floor.record("resolve", "D5-003", by=["ash"], **{"with": ending})
    then = as_it_was.of_item(floor.ledger, "D5-003", between, THEN)["parts"][0]
    assert (len(then["tips"]), then["value"]["place"]) == (2, "pit1")
    now = as_it_was.of_item(floor.ledger, "D5-003", between, NOW)["parts"][0]
    assert (len(now["tips"]), now["value"]["place"]) == (1, "CR2")


def test_more_items_than_can_be_folded_again_are_told_and_not_cut_off(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(as_it_was, "MOST", 2)
    with pytest.raises(as_it_was.TooMany, match="more than 2 items have moved"):
        floor.at("dock", START, THEN)


def test_the_items_of_an_event_are_found_without_reading_every_link(floor: Floor) -> None:
    wrong = floor.record("issue", "D5-002", to="pit1", by=["fay", "sam", "pam"])
    floor.pull()

    def work() -> None:
        why = {"event": wrong, "reason": "another stick"}
        floor.record("correct", "D5-002", by=["pam"], **{"with": why})
        floor.at("vault", START + MINUTE, NOW)

    queries = [one for one in sent(floor.ledger, work) if "event_item" in one[0]]
    assert len(queries) >= 3
    with floor.ledger.database.reading() as connection:
        if not floor.ledger.database.is_sqlite:
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        for statement, parameters in queries:
            explain = "EXPLAIN QUERY PLAN" if floor.ledger.database.is_sqlite else "EXPLAIN"
            plan = connection.exec_driver_sql(f"{explain} {statement}", parameters)
            lines = [str(row[-1]) for row in plan]
            assert not any("SCAN event_item" in x or "Seq Scan on event_item" in x for x in lines)


MINI = ("place", "CR1", {"type": "table", "game": "mini_craps", "name": "Mini craps"})
PLAY = {"by": ["fay", "gus"], "where": "CR1"}


def _same_when_rebuilt(floor: Floor) -> None:
    floor.snapshots.compare(floor.ledger)
    assert verifying.projection_fault(floor.ledger) is None


def test_a_table_that_was_changed_since_is_what_it_was_for_what_was_played_there(
    floor: Floor,
) -> None:
    played = floor.clock.now
    floor.record("play", "D5-001", **PLAY)
    floor.pull()
    floor.change(MINI)
    floor.record("play", "D5-002", **PLAY)
    floor.pull()
    wrong = floor.record("remove", "D5-001", by=["fay"], **{"with": {"reason": "end_of_day"}})
    floor.pull()
    why = {"event": wrong, "reason": "still in play"}
    floor.record("correct", "D5-001", by=["pam"], **{"with": why})
    for known in (THEN, NOW):
        assert floor.item("D5-001", played, known)["game"] == "craps"
        assert floor.item("D5-001", floor.clock.now, known)["game"] == "craps"
        assert floor.item("D5-002", floor.clock.now, known)["game"] == "mini_craps"
    _same_when_rebuilt(floor)


def test_a_change_of_game_that_is_told_late_was_not_known_then(floor: Floor) -> None:
    floor.record("play", "D5-001", fact=2 * MINUTE, **PLAY)
    then = floor.clock.now - MINUTE
    told = {"with": {"state": "open", "game": "mini_craps"}}
    opened = floor.record("table", fact=10 * MINUTE, by=["fay"], where="CR1", **told)
    floor.record("play", "D5-002", **PLAY)
    floor.record("correct", by=["pam"], **{"with": {"event": opened, "reason": "another table"}})
    floor.record("play", "D5-003", **PLAY)
    assert floor.item("D5-001", then, THEN)["game"] == "craps"
    games = [floor.item(f"D5-00{n}", floor.clock.now, THEN)["game"] for n in (1, 2, 3)]
    assert games == ["craps", "mini_craps", "craps"]
    _same_when_rebuilt(floor)


def _undo_removal(floor: Floor, code: str) -> None:
    """Have an item folded again, from its arrival on."""
    floor.pull()
    wrong = floor.record("remove", code, by=["fay"], **{"with": {"reason": "end_of_day"}})
    _undo(floor, wrong, code)


def _undo(floor: Floor, wrong: str, *codes: str) -> None:
    floor.pull()
    floor.record("correct", *codes, by=["pam"], **{"with": {"event": wrong, "reason": "no"}})


def _told_late(floor: Floor, game: str, *codes: str, **fields: Any) -> str:
    """Say ten minutes late that CR1 has another game."""
    told = {"by": ["fay"], "with": {"state": "open", "game": game}, "where": "CR1"}
    return floor.record("table", *codes, fact=10 * MINUTE, **{**told, **fields})


def test_a_table_that_changes_between_two_corrections_is_what_each_event_met(floor: Floor) -> None:
    for code in ("D5-001", "D5-002"):
        floor.record("play", code, **PLAY)
        floor.pull()
    _undo_removal(floor, "D5-001")
    _told_late(floor, "mini_craps")
    _undo_removal(floor, "D5-002")
    assert floor.item("D5-002", floor.clock.now, THEN)["game"] == "craps"
    assert verifying.projection_fault(floor.ledger) is None


def _once_a_stand(floor: Floor) -> None:
    floor.change(("place", "CR1", {"type": "pit_stand"}))
    _told_late(floor, "unheard")
    floor.change(("place", "CR1", {"type": "table"}))


def test_what_was_played_keeps_its_game_however_the_table_was_changed(floor: Floor) -> None:
    changes: list[Callable[[], object]] = [
        lambda: _told_late(floor, "mini_craps", where=None, to="CR1"),
        lambda: _told_late(floor, "sic_bo", "D5-003"),
        lambda: _undo(floor, _told_late(floor, "chuck_a_luck"), "D5-003"),
        lambda: _once_a_stand(floor),
    ]
    met = []
    for change in changes:
        change()
        floor.pull()
        floor.record("play", "D5-001", **PLAY)
        met.append(floor.item("D5-001", floor.clock.now, THEN)["game"])
        floor.change(("place", "CR1", {"name": "Renamed"}))
        _undo_removal(floor, "D5-001")
        met.append(floor.item("D5-001", floor.clock.now, THEN)["game"])
    assert met == [*("mini_craps",) * 2, *("sic_bo",) * 6]
    assert verifying.projection_fault(floor.ledger) is None


def test_who_held_an_item_back_is_told_by_the_job_that_they_had(floor: Floor) -> None:
    job = {"job": "compliance_representative", "department": "commission"}
    floor.record("hold", "D5-001", by=["ash"], **{"with": {"case": "C-1"}})
    floor.change(("person", "ash", job))
    floor.record("hold", "D5-002", by=["ash"], **{"with": {"case": "C-2"}})
    holders = [floor.item(f"D5-00{n}", floor.clock.now, THEN)["hold"]["by"] for n in (1, 2)]
    assert holders == ["operator", "commission"]
    _same_when_rebuilt(floor)


def test_an_item_stays_as_the_rulebook_of_its_event_left_it(floor: Floor) -> None:
    by = {"by": ["fay", "sam", "pam"], "to": "pit1"}
    floor.record("issue", "D5-001", **by)
    floor.change(("rulebook", "pit_stand", "issued"))
    second = floor.record("issue", "D5-002", **by)
    floor.pull()
    states = [floor.item(f"D5-00{n}", floor.clock.now, THEN)["state"] for n in (1, 2)]
    assert states == ["reserve", "issued"]
    floor.change(("rulebook", "pit_stand", "reserve"))
    floor.record("correct", "D5-002", by=["pam"], **{"with": {"event": second, "reason": "no"}})
    assert floor.item("D5-002", floor.clock.now, THEN)["state"] == "stored"
    _same_when_rebuilt(floor)


class Watched(Both):
    """A scenario played into a ledger, with what it said after each event."""

    def __init__(self, *given_: Any) -> None:
        self.snapshots = Snapshots()
        super().__init__(*given_)

    def push(self, event: dict[str, Any], key: str) -> None:
        super().push(event, key)
        self.snapshots.take(self.ledger)


@pytest.mark.parametrize(
    "name",
    [
        *("own/md-dice-dispute-and-others", "own/md-dice-branches"),
        *("own/md-coupons-two-handhelds", "own/md-seals", "own/md-facts-and-envelopes"),
        *("own/form-dice-reports", "own/form-requisition", "own/md-coupons-requisition-later"),
    ],
)
def test_at_every_position_known_then_is_what_the_ledger_said(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(tmp_path / "data", f"sqlite:///{tmp_path / 'custody.db'}")
    watched = Watched(config, FOLDER / f"{name}.jsonl", monkeypatch)
    watched.play()
    assert len(watched.snapshots.at) > 5
    watched.snapshots.compare(watched.ledger)
    assert verifying.projection_fault(watched.ledger) is None
    if "requisition-later" in name:
        said = [one["items"].values() for one in watched.snapshots.at.values()]
        last = {v["until"] for some in said for v in some if v.get("state") == "issued"}
        assert last == {"2026-04-09"}  # by the requisition that there was when they were issued
    watched.ledger.close()


@pytest.fixture(scope="module")
def copies(
    founded_sqlite: Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Ledger]]:
    """The ledgers that the examples of a property open, each a copy of its own."""
    opened: list[Ledger] = []
    yield opened
    for one in opened:
        one.close()


STICKS = ["D5-001", "D5-002"]
STEPS = ["issue", "play", "store", "pack", "open", "remove", "hold", "correct", "resolve"]
CHANGES = [
    ("place", "CR1", {"type": "table", "game": "mini_craps", "pit": "pit1", "name": "Mini"}),
    ("place", "CR1", {"type": "pit_stand", "name": "Old CR1"}),
    ("place", "pit1", {"type": "storage", "use": "secondary", "name": "Cage"}),
    ("person", "ash", {"job": "compliance_representative", "department": "commission"}),
    ("person", "ash", {"job": "dealer", "department": "table_games"}),
    ("rulebook", "pit_stand", "issued"),
    ("rulebook", "storage", "issued"),
]
MOVES = st.tuples(
    st.sampled_from([*STEPS, "table", "change", "change"]),
    st.sampled_from([*STICKS, "EV-001"]),
    st.sampled_from(["vault", "pit1", "CR1", "sec"]),
    st.integers(0, 1),  # which device
    st.sampled_from([0, 0, 10 * MINUTE]),  # how long ago it happened
    st.booleans(),  # whether both devices pull afterwards
)


@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(moves=st.lists(MOVES, min_size=4, max_size=12))
def test_whatever_happens_known_then_is_what_the_ledger_said(
    moves: list[Any], copies: list[Ledger], founded_sqlite: Config, tmp_path: Path
) -> None:
    folder = tmp_path / str(len(copies))
    shutil.copytree(founded_sqlite.data, folder / "data")
    config = Config(folder / "data", f"sqlite:///{folder / 'custody.db'}")
    shutil.copy(file_of(founded_sqlite), file_of(config))
    copies.append(open_ledger(config))
    played = Floor(copies[-1])
    made = [played.record("receive", **{**cast.receive(*STICKS), "saw": {}})]
    played.pull()
    for step, code, to, device, fact, pulls in moves:
        made.append(_move(played, made, step, code, to, device, fact))
        if pulls:
            played.pull()
    played.snapshots.compare(copies[-1])
    assert verifying.projection_fault(copies[-1]) is None


def _move(
    floor: Floor, made: list[str], step: str, code: str, to: str, device: int, fact: int
) -> str:
    """Record a step that is likely to break rules, or change master data: all of it is kept."""
    fields: dict[str, Any] = {"to": to} if step in ("issue", "store", "pack") else {}
    told: dict[str, Any] = {}
    if step == "change":
        floor.change(CHANGES[(len(floor.snapshots.at) + len(to)) % len(CHANGES)])
        return made[-1]
    if step == "table":
        game = {"state": "open", "game": ["craps", "sic_bo"][device]}
        return floor.record(
            step, device=device, fact=fact, by=["ash"], where="CR1", **{"with": game}
        )
    if step == "play":
        fields["where"] = "CR1"
    elif step == "pack":
        fields["into"] = "EV-001"
        told = {"purpose": "used", "seal": "S-1", "label": True}
    elif step == "correct":
        told = {"event": made[-1], "reason": "mistaken"}
    elif step == "resolve":
        told = {"exception": "concurrent-claim", "outcome": "looked", "stands": made[-1]}
    return floor.record(
        step, code, device=device, fact=fact, by=["ash"], **fields, **{"with": told}
    )
