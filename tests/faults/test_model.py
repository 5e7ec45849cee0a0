"""Devices and a server do step by step what a small pure model says (`tests.faults.model`)."""

from __future__ import annotations

import copy
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    multiple,
    precondition,
    rule,
)

from custody.app import create_app
from custody.commands.verify import faults_of
from custody.config import Config
from custody.ledger import devices
from custody.ledger.core import open_ledger
from custody.ledger.rebuilding import digest, rebuild
from tests.faults import oracle
from tests.faults.conftest import copy_of
from tests.faults.model import Model
from tests.support import cast
from tests.support.device import Answer, Device, FlaskHttp

CODES = ("D5-001", "D5-002", "D5-003")
MOVES = ("vault", "pit1", "CR1")
FOUNDED: list[Config] = []  # what each example copies
CODE = st.sampled_from((*CODES, None))
Deed = tuple[str | None, str]
DEEDS = st.lists(st.tuples(CODE, st.sampled_from(MOVES)), min_size=1, max_size=3)
PUSH = st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans())
STEPS = 30


class Hand(Device):
    """A device with what it has recorded and the feed does not show; `run` may be renewed."""

    own: dict[str, str]
    whole = False  # it has a twin: it sends its run from the start

    def path(self) -> list[tuple[str, dict[str, Any] | None]]:
        return [(hashlib.sha256(line).hexdigest(), read(line)) for line in self.log]

    def known(self, code: str) -> dict[str, str]:
        return {code: self.own[code]} if code in self.own else self.saw(code)


def read(line: bytes) -> dict[str, Any] | None:
    return json.loads(line) if line.startswith(b"{") else None


class Custody(RuleBasedStateMachine):
    """The server is the real application over SQLite; what it answers is compared at each push."""

    hands = Bundle("hands")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="model-"))
        self.config = copy_of(FOUNDED[0], self.folder / "data")
        self.model = self.backup = Model()
        self.all: list[Hand] = []
        self.open()

    def open(self) -> None:
        self.ledger = open_ledger(self.config)
        self.http = FlaskHttp(create_app(self.config, self.ledger))
        for hand in self.all:
            hand.http = self.http

    @initialize(target=hands)
    def begin(self) -> Any:
        """Begin with three devices that know the same three sticks."""
        hands = [self.enrolled() for _ in range(3)]
        for code in CODES:
            hands[0].record("receive", **cast.receive(code))
        self.push(hands[0], back=0, fewer=0, lost=False)
        for hand in hands:
            hand.pull()
        return multiple(*hands)

    def enrolled(self) -> Hand:
        hand = Hand(self.http)
        assert hand.enrol(devices.new_code(self.ledger)).status == 201
        hand.own = {}
        self.all.append(hand)
        return hand

    @precondition(lambda self: len(self.all) < 5)
    @rule(target=hands, hand=hands)
    def clone(self, hand: Hand) -> Hand:
        twin = copy.copy(hand)
        twin.log, twin.own, twin.records = list(hand.log), dict(hand.own), dict(hand.records)
        hand.whole = twin.whole = True
        self.all.append(twin)
        return twin

    @rule(hand=hands, deeds=DEEDS, pushes=st.lists(PUSH, max_size=2))
    def act(self, hand: Hand, deeds: list[Deed], pushes: list[tuple[int, int, bool]]) -> None:
        """Move sticks as the device knows them, or write what nobody can read; then push."""
        for code, to in deeds:
            if code is None:
                hand.write(b"torn by a bad disk")
                continue
            by = ["fay", "sam", "pam"]
            hand.own[code] = hand.record("issue", items=[code], to=to, by=by, saw=hand.known(code))
        for push in pushes:
            self.push(hand, *push)

    def push(self, hand: Hand, back: int, fewer: int, lost: bool) -> None:
        """Push some of what there is, some of it again; `lost`: the device hears no answer."""
        last = len(hand.log) - fewer
        first = 1 if hand.whole else max(1, hand.acked + 1 - back)
        if last < first:
            return
        before = hand.acked
        answer = hand.push(hand.batch(first, last))
        told = self.model.push((hand.id, hand.run), hand.path()[:last], first)
        self.compare(hand, answer, told)
        if lost:
            hand.acked = before
        elif answer.status == 409 and told.expected:
            hand.acked = told.expected - 1

    def compare(self, hand: Hand, answer: Answer, told: Any) -> None:
        assert answer.status == told.status, answer.body
        if told.expected:
            assert (answer.json["type"], answer.json["expected"]) == ("gap", told.expected)
            return
        assert answer.json["acked"] == told.acked
        assert (answer.json.get("type") == "fork") == (told.status == 409)
        ids = [id_ for id_, _ in hand.path()]
        flagged = {
            ids[one["seq"] - 1]: one["items"]
            for one in answer.json["exceptions"]
            if one["kind"] == "concurrent-claim"
        }
        assert flagged == told.flagged

    @rule(hand=hands)
    def pull(self, hand: Hand) -> None:
        answer = hand.call("GET", f"/sync/v1/changes?after={hand.cursor}")
        if answer.status == 410 or hand.pull() != digest_of(hand):
            hand.cursor, hand.records = "", {}
            assert hand.pull() == digest_of(hand)
        for code, tips in self.model.claims.tips.items():
            if code not in self.model.claims.torn:
                assert hand.item(code)["last"] == tips
                assert hand.item(code)["disputed"] == (len(tips) > 1)
        hand.own = {code: id_ for code, id_ in hand.own.items() if id_ not in set(self.model.log)}

    @rule()
    def turn_back(self) -> None:
        """Take a backup, and the next time put it in the place of the ledger."""
        self.ledger.close()
        database, copied = self.config.data / "custody.db", self.folder / "backup.db"
        if copied.exists():
            shutil.move(copied, database)
            self.model = self.backup
        else:
            shutil.copy(database, copied)
            self.backup = copy.deepcopy(self.model)
        self.open()

    def teardown(self) -> None:
        held = [one.id for one in oracle.stored(self.ledger) if one.device != "desk"]
        assert held == self.model.log
        oracle.check_claims(self.ledger)
        assert faults_of(self.ledger) == []
        with self.ledger.database.reading() as connection:
            kept = digest(connection)
        assert rebuild(self.ledger) == kept
        self.ledger.close()
        shutil.rmtree(self.folder)


def digest_of(hand: Hand) -> str:
    lines = sorted(f"{of} {id_} {etag}\n".encode() for (of, id_), (_, etag) in hand.records.items())
    return hashlib.sha256(b"".join(lines)).hexdigest()


@pytest.fixture(scope="module", autouse=True)
def _founded(founded_sqlite: Config) -> None:
    FOUNDED[:] = [founded_sqlite]


TestCustody = Custody.TestCase
TestCustody.settings = settings(
    max_examples=settings().max_examples // 16, stateful_step_count=STEPS, deadline=None
)
