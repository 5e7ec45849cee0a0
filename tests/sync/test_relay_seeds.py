"""Two nodes, a roaming handheld and outages, by chance: nothing lost, nothing doubled, one state.

A failing seed prints itself; run it alone with `-k "[<seed>]"`.
"""

from __future__ import annotations

import copy
import os
import random
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from custody.sync.relay import node
from tests.support import cast
from tests.support.device import Device, FlaskHttp
from tests.support.nodes import Casinos, NodeServer

SEEDS = range(int(os.environ.get("CUSTODY_RELAY_SEEDS", "25")))  # more of them for a soak
ACTS = int(os.environ.get("CUSTODY_RELAY_ACTS", "10"))
CODES = [f"D5-{n:03}" for n in range(1, 5)]
MOVES = {"dock": "vault", "vault": "pit1", "pit1": "vault"}


Floor = tuple[Device, Device, Device]


@pytest.fixture(scope="module")
def opened(founded_nodes: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Floor]:
    """Both nodes with devices that know four sticks, made once: two at home, and one that roams."""
    folder = tmp_path_factory.mktemp("opened") / "casinos"
    shutil.copytree(founded_nodes, folder)
    casinos = Casinos(folder)
    floor = (casinos.a.device(), casinos.b.device(), casinos.a.device("Roaming"))
    floor[0].record("receive", **cast.receive(*CODES))
    assert floor[0].push().status == 200
    casinos.settle()
    for device in floor:
        device.pull()
    casinos.close()
    return folder, floor


def copied(device: Device) -> Device:
    """Return a device as it is now, that goes on by itself."""
    made = copy.copy(device)
    made.log, made.records = list(device.log), dict(device.records)
    return made


class Shift:
    """One seed's casino: its devices, where each is, and what its people do."""

    def __init__(self, casinos: Casinos, floor: Floor, seed: int) -> None:
        self.chance = random.Random(seed)
        self.casinos = casinos
        self.nodes = (casinos.a, casinos.b)
        first, second, self.roamer = (copied(device) for device in floor)
        self.devices = {device.id: device for device in (first, second, self.roamer)}
        self.roams_at: NodeServer = casinos.a
        for server, device in ((casinos.a, first), (casinos.b, second), (casinos.a, self.roamer)):
            device.http = FlaskHttp(server.app)

    def act(self) -> None:
        acts: list[Callable[[], None]] = [self.move, self.move, self.push, self.push, self.sync]
        acts += [self.sync, self.roam, self.roam, self.wan, self.answers]
        self.chance.choice(acts)()

    def any_device(self) -> Device:
        return self.chance.choice(list(self.devices.values()))

    def move(self) -> None:
        """Move a stick as a device knows it, whether or not it knows the latest."""
        device, code = self.any_device(), self.chance.choice(CODES)
        place = device.item(code)["place"]
        fact = {"why": "late", "at": device.clock()}
        told = {"items": [code], "to": MOVES[place], "by": ["fay", "sam"], "with": {"fact": fact}}
        device.record("store" if MOVES[place] == "vault" else "issue", saw=device.saw(code), **told)
        self.take_for_known(device, code, MOVES[place])

    def take_for_known(self, device: Device, code: str, place: str) -> None:
        """Let the replica hold the device's own event, as a handheld's does."""
        value, etag = device.records["item", code]
        device.records["item", code] = ({**value, "place": place, "last": [device.head()]}, etag)

    def push(self) -> None:
        self.push_all(self.any_device())

    def push_all(self, device: Device) -> None:
        """Push, from further back where the node says so; then pull, if that can be."""
        if len(device.log) > device.acked:
            answer = device.push()
            if answer.status == 409:
                assert answer.json["type"] == "gap", answer.body
                device.acked = answer.json["expected"] - 1
                answer = device.push()
            assert answer.status == 200, answer.body
        device.pull()

    def sync(self) -> None:
        self.chance.choice(self.nodes).try_to_sync()

    def roam(self) -> None:
        """Carry the roaming handheld to the other node, with what it has not pushed yet."""
        there = self.casinos.b if self.roams_at is self.casinos.a else self.casinos.a
        if there.record("device", self.roamer.id):
            self.roams_at = there
            there.move(self.roamer, keep_records=True)
            self.push_all(self.roamer)

    def wan(self) -> None:
        wan = self.chance.choice(self.nodes).wan
        wan.is_cut = not wan.is_cut

    def answers(self) -> None:
        wan = self.chance.choice(self.nodes).wan
        wan.loses_answers = not wan.loses_answers

    def end(self) -> None:
        for one in self.nodes:
            one.wan.is_cut = one.wan.loses_answers = False
        for device in self.devices.values():
            self.push_all(device)
        self.casinos.settle()


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_ends_upstream_once_and_all_say_the_same(
    opened: tuple[Path, Floor], tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    shutil.copytree(opened[0], tmp_path / "casinos")
    casinos = Casinos(tmp_path / "casinos")
    try:
        _play(casinos, opened[1], seed)
    finally:
        casinos.close()


def _play(casinos: Casinos, floor: Floor, seed: int) -> None:
    shift = Shift(casinos, floor, seed)
    for _ in range(ACTS):
        shift.act()
    shift.end()
    held = casinos.upstream.events()
    for device in shift.devices.values():
        chain = [held.get((device.id, 1, 1, n)) for n in range(1, len(device.log) + 1)]
        assert chain == [sha256(line).hexdigest() for line in device.log], (
            f"seed {seed}: {device.id} lost or reordered events"
        )
        assert sum(key[0] == device.id for key in held) == len(device.log)
    digests = {server.digest() for server in casinos.servers}
    assert len(digests) == 1, f"seed {seed}: three states"
    open_ = {tuple(map(str, server.exceptions())) for server in casinos.servers}
    assert len(open_) == 1, f"seed {seed}: three lists of exceptions"
    assert casinos.servers[seed % 3].is_rebuilt_the_same(), f"seed {seed}"
