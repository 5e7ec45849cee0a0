"""A push is judged before its lock is held: whatever comes between, what is stored is what judging
one event of the log after the other gives. `verifying.projection_fault` does just that.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from custody.ledger import append, chain, devices, people, places, rebuilding
from custody.ledger.core import Ledger
from custody.ledger.foreseeing import Foresight
from custody.ledger.verifying import key_faults, projection_fault
from custody.simulation import filling
from tests.support import cast
from tests.support.device import Answer, Device, FlaskHttp

BY = [{"person": "ada", "how": "password"}]
CODES = [f"D5-{n:03}" for n in range(1, 9)]
PLACES = ("dock", "vault", "pit1", "CR1", "CR2", "sec", "shred", "nowhere")
PEOPLE = ("fay", "gus", "sam", "sue", "pam", "dee", "ash")
STEPS = ("store", "issue", "play", "remove", "inspect", "return", "pack", "open", "destroy")
ROUNDS = 24
SEEDS = (3,)


class Between:
    """What comes between a batch's judgement and its lock; counts which batches were kept."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.act: Callable[[], object] | None = None
        self.kept: Counter[bool] = Counter()
        self._foresee, self._holds = append.foresee, Foresight.still_holds
        patch.setattr(append, "foresee", self.foresee)
        patch.setattr(Foresight, "still_holds", lambda *given: self.still_holds(*given))

    def foresee(self, ledger: Ledger, batch: chain.Batch) -> Foresight | None:
        found, act = self._foresee(ledger, batch), self.act
        self.act = None
        if act is not None:
            act()
        return found

    def still_holds(self, foreseen: Foresight, *given: Any) -> bool:
        holds = self._holds(foreseen, *given)
        self.kept[holds] += 1
        return holds


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Between:
    return Between(monkeypatch)


@pytest.fixture
def pair(app: Flask, ledger: Ledger) -> list[Device]:
    """Two devices that both know the sticks in the vault."""
    made = [Device(FlaskHttp(app)) for _ in range(2)]
    for one in made:
        one.enrol(devices.new_code(ledger))
    made[0].record("receive", **cast.receive("D5-001..D5-008"))
    made[0].push()
    made[0].pull()
    made[0].record("store", **cast.store("D5-001..D5-008"), saw=made[0].saw(*CODES))
    made[0].push()
    for one in made:
        one.pull()
    return made


def issue(device: Device, code: str, to: str = "pit1") -> None:
    by = ["fay", "sam", "pam"]
    device.record("issue", items=[code], to=to, by=by, saw=device.saw(code))


def kinds(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.body
    return [one["kind"] for one in answer.json["exceptions"]]


def test_what_nobody_touched_meanwhile_is_kept_behind_what_came_first(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    first, second = pair
    issue(first, "D5-001")
    issue(second, "D5-002", "CR1")
    between.act = second.push
    assert kinds(first.push()) == []
    assert between.kept[True] == 2
    assert list(key_faults(ledger)) == []
    assert projection_fault(ledger) is None


def test_an_item_that_another_device_claims_meanwhile_is_a_concurrent_claim(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    first, second = pair
    issue(first, "D5-001")
    issue(second, "D5-001", "CR1")
    between.act = second.push
    assert kinds(first.push()) == ["concurrent-claim"]
    assert between.kept[False] == 1
    assert projection_fault(ledger) is None


def test_a_device_revoked_meanwhile_is_kept_apart(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    issue(pair[0], "D5-001")
    between.act = lambda: devices.revoke(ledger, pair[0].id, BY)
    assert kinds(pair[0].push()) == ["revoked-device"]
    assert projection_fault(ledger) is None


def test_a_person_switched_off_meanwhile_signs_no_more(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    issue(pair[0], "D5-001")
    between.act = lambda: people.set_active(ledger, "sam", False, BY)
    assert "revoked-person" in kinds(pair[0].push())
    assert projection_fault(ledger) is None


def test_a_batch_that_came_twice_at_once_is_stored_once(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    issue(pair[0], "D5-001")
    body, size = pair[0].batch(), ledger.size()
    between.act = lambda: pair[0].push(body)
    assert kinds(pair[0].push(body)) == []
    assert ledger.size() == size + 1
    assert projection_fault(ledger) is None


def test_a_contact_noted_meanwhile_counts(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    issue(pair[0], "D5-001")

    def note() -> None:
        with ledger.database.writing() as connection:
            devices.note_contact(connection, pair[0].id, ledger.clock() + devices.CONTACT_MS)

    between.act = note
    pair[0].push()
    assert between.kept[False] == 1
    assert projection_fault(ledger) is None


def test_a_rebuild_meanwhile_is_no_reason_to_trust_what_was_seen_before_it(
    pair: list[Device], ledger: Ledger, between: Between
) -> None:
    issue(pair[0], "D5-001")
    between.act = lambda: rebuilding.rebuild(ledger)
    assert kinds(pair[0].push()) == []
    assert between.kept[False] == 1
    assert projection_fault(ledger) is None


def test_a_clock_set_back_meanwhile_has_the_batch_judged_by_its_receipt(
    pair: list[Device], ledger: Ledger, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue(pair[0], "D5-001")
    earlier = ledger.clock() - 3_600_000
    between.act = lambda: monkeypatch.setattr(ledger, "clock", lambda: earlier)
    pair[0].push()
    assert between.kept[False] == 1
    assert projection_fault(ledger) is None


def pack(device: Device, code: str) -> None:
    sealed = {"seal": "S9", "label": True, "purpose": "used"}
    device.record("pack", items=[code], into="EV-1", by=["fay"], to="pit1", **{"with": sealed})


def play(device: Device, code: str) -> None:
    """Play what lies in the vault, which breaks rules."""
    device.record("play", items=[code], where="CR1", by=["dee"], saw=device.saw(code))


Asked = Callable[[Foresight], object]
SAME: list[tuple[Asked, Callable[[Device, str], None], bool]] = [
    (lambda seen: seen.get("item", "D5-001"), issue, False),
    (lambda seen: seen.get("item", "D5-002"), issue, True),
    (lambda seen: seen.at("pit1"), issue, False),
    (lambda seen: seen.at("vault"), issue, False),
    (lambda seen: seen.at("CR1"), issue, True),
    (lambda seen: seen.sealed("S9"), pack, False),
    (lambda seen: seen.sealed("S8"), pack, True),
    (lambda seen: seen.open("D5-001"), play, False),
    (lambda seen: seen.open("D5-002"), play, True),
    (lambda seen: seen.places("table"), issue, True),
]


@pytest.mark.parametrize(("ask", "act", "same"), SAME)
def test_an_answer_holds_until_it_is_another(
    pair: list[Device], ledger: Ledger, ask: Asked, act: Callable[[Device, str], None], same: bool
) -> None:
    with ledger.database.reading() as connection:
        seen = Foresight(connection)
        ask(seen)
    act(pair[0], "D5-001")
    assert pair[0].push().status == 200
    with ledger.database.writing() as connection:
        assert seen.still_holds(connection, ledger.clock()) is same


def test_the_places_of_a_type_are_the_same_until_one_comes_or_goes(
    pair: list[Device], ledger: Ledger
) -> None:
    def after(place: str, **value: Any) -> bool:
        with ledger.database.reading() as connection:
            seen = Foresight(connection)
            assert seen.places("table")[:2] == ["CR1", "CR2"]
        places.save_place(ledger, place, value, BY)
        with ledger.database.writing() as connection:
            return seen.still_holds(connection, ledger.clock())

    assert after("dock", type="dock", name="West dock")
    assert not after("CR3", type="table", game="craps", pit="pit1")
    assert not after("CR3", type="storage")


def test_a_run_that_went_on_holds_no_more(pair: list[Device], ledger: Ledger) -> None:
    with ledger.database.reading() as connection:
        seen = Foresight(connection)
        assert len(seen.branches(pair[0].id, 1)) == 1
    issue(pair[0], "D5-001")
    pair[0].push()
    with ledger.database.writing() as connection:
        assert not seen.still_holds(connection, ledger.clock())


class Player:
    """Pushes of events at random, most of which break some rule, and what comes in between."""

    def __init__(self, ledger: Ledger, players: list[Device], between: Between, seed: int) -> None:
        self.ledger, self.devices, self.between = ledger, players, between
        self.random = random.Random(seed)
        self.ids: list[str] = []

    def round(self) -> None:
        device, other = self.random.sample(self.devices, 2)
        self.write(device)
        between = self.random.choice(
            [
                *(lambda: self.push(other) for _ in range(4)),
                *(lambda: self.push(device) for _ in range(2)),
                lambda: places.save_place(self.ledger, "CR2", self.place(), BY),
                lambda: people.set_active(self.ledger, "gus", self.is_on("gus"), BY),
                lambda: None,
            ]
        )
        self.between.act = between
        device.push()
        device.pull()

    def push(self, device: Device) -> None:
        """Push what others do meanwhile: of the device itself, the same events or a fork."""
        if device.acked < len(device.log) and self.random.random() < 0.5:
            device.push()
            return
        kept = list(device.log)
        del device.log[device.acked :]
        self.write(device)
        device.push()
        if len(kept) > device.acked:
            device.acked, device.log = len(kept), kept

    def place(self) -> dict[str, Any]:
        kind = self.random.choice(["table", "storage"])
        return {"type": kind, "game": "craps", "pit": "pit1"}

    def is_on(self, person: str) -> bool:
        self.switched = not getattr(self, "switched", False)
        return not self.switched

    def write(self, device: Device) -> None:
        for _ in range(self.random.randint(1, 6)):
            self.ids.append(device.record(**self.event(device)))

    def event(self, device: Device) -> dict[str, Any]:
        pick = self.random.choice
        codes = self.random.sample(CODES, self.random.randint(1, 2))
        by = self.random.sample(PEOPLE, self.random.randint(1, 3))
        known = [code for code in codes if ("item", code) in device.records]
        chance = self.random.random()
        if chance < 0.04 and self.ids:
            told = {"event": pick(self.ids), "why": "mistaken"}
            return {"step": "correct", "with": told, "by": by}
        if chance < 0.08:
            return {"step": "resolve", "items": codes, "by": by, "with": {"why": "looked"}}
        event = {"step": pick(STEPS), "items": codes, "to": pick(PLACES), "by": by}
        if event["step"] == "pack":
            seal = {"seal": f"S{self.random.randint(1, 4)}", "label": True, "purpose": "used"}
            event |= {"into": f"EV-{self.random.randint(1, 3)}", "with": seal}
        if self.random.random() < 0.95 and known:
            event["saw"] = device.saw(*known)
        return event


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_comes_between_the_projections_are_those_of_the_log(
    app: Flask, ledger: Ledger, pair: list[Device], between: Between, seed: int
) -> None:
    third = Device(FlaskHttp(app))
    third.enrol(devices.new_code(ledger))
    player = Player(ledger, [*pair, third], between, seed)
    for _ in range(ROUNDS):
        player.round()
    assert projection_fault(ledger) is None, f"seed {seed}"
    assert list(key_faults(ledger)) == []
    assert between.kept[True] > 1, f"seed {seed}"
    assert between.kept[False] > 1, f"seed {seed}"


def test_threads_of_one_process_that_push_at_once_make_one_log(ledger: Ledger) -> None:
    clock = filling.Clock()
    handhelds = filling.enrol(ledger, 3)

    def serve(own: int) -> None:
        for _ in range(3):
            filling.take(ledger, clock, handhelds[own].next(40))

    with ThreadPoolExecutor() as pool:
        list(pool.map(serve, range(3)))
    assert list(key_faults(ledger)) == []
    assert projection_fault(ledger) is None
