"""One fault run over an upstream and two site nodes, drawn from one seed.

Six handhelds: two at home at each node, two that roam between all three servers, and others that
enrol at a node which is cut off and roam from there. Ways are cut, both ways or one, requests lost,
servers killed, one alone or all at once; each may be restored from an older backup. In some runs a
handheld's disk is copied, and goes on at two nodes at once.

    python -m tests.faults.shifts --seed 17
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from custody.ledger import devices
from custody.sync.relay import node, watching
from tests.faults import agreeing, striking
from tests.faults.actors import Actor
from tests.faults.death import Death
from tests.faults.town import Dice, Town
from tests.faults.ways import FAULTS
from tests.support import nodes
from tests.support.nodes import NAMES, NODES

HOMES = ("a", "a", "b", "b", "a", "b")
ROAMERS = (4, 5)
SYNCS = 8
Key = tuple[str, int, str]


class ShiftFailed(AssertionError):
    """A run after which something did not hold; the text says how to play it again."""

    def __init__(self, seed: int, counted: Counter[str]) -> None:
        what = ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))
        super().__init__(
            f"seed {seed} fails; play it again with\n"
            f"  python -m tests.faults.shifts --seed {seed}\n({what})"
        )


def open_floor(folder: Path) -> None:
    """Found the three servers with six handhelds that have enrolled, in a folder to be copied."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devices, "secrets", Dice("floor"))
        nodes.make(folder)
        town = Town(folder)
        for at in HOMES:
            client = town.client(at)
            assert client.enrol(town.code(client)).status == 201
        town.settle()
        for client in town.clients:
            assert client.sync(watch=False) == ""
        town.close()


def play(original: Path, folder: Path, seed: int) -> Counter[str]:
    """Play one run over a copy of `open_floor`'s folder. Raises ShiftFailed."""
    shutil.copytree(original, folder)
    counted: Counter[str] = Counter()
    death = Death()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node, "COMPARE_MS", 0)
        patch.setattr(node, "MOST_ASKED", 10_000)
        patch.setattr(watching, "WATCH_MS", 0)
        patch.setattr(devices, "secrets", Dice(f"run {seed}"))
        death.patch(patch)
        town = Town(folder)
        try:
            Shift(town, death, seed, counted).play()
        except Exception as error:
            raise ShiftFailed(seed, counted) from error
        finally:
            town.close()
    return counted


class Shift:
    """One run's state."""

    def __init__(self, town: Town, death: Death, seed: int, counted: Counter[str]) -> None:
        self.town, self.death, self.seed, self.counted = town, death, seed, counted
        self.rng = Random(f"nodes {seed}")
        self.codes = [f"D5-{n:03}" for n in range(1, self.rng.randint(3, 6) + 1)]
        self.ever: dict[str, bytes] = {}
        self.actors = [self._actor(number, at) for number, at in enumerate(HOMES)]
        self.roamers = [self.actors[number] for number in ROAMERS]
        self.copies: dict[str, str] = {}
        self.labels: list[str] = []
        self.cloned: list[tuple[Actor, Actor, int]] = []  # with the run that both went on in

    def _actor(self, number: int, at: str) -> Actor:
        client = self.town.add(self.town.folder / f"device-{number}.db", at)
        name = f"{self.seed}/{number}"
        return Actor(self.town, client, Random(name), name)  # type: ignore[arg-type]

    def play(self) -> None:
        first = self.actors[0]
        first.receive(self.codes)
        self.calm(rounds=2)
        self.death.arm(self.rng.randint(20, 120), after=self.rng.random() < 0.5)
        rounds = self.rng.randint(5, 9)
        cloning = self.rng.randrange(rounds) if self.rng.random() < 0.4 else None
        restoring = {
            name: sorted(self.rng.sample(range(rounds), 2))
            for name in NAMES
            if self.rng.random() < 0.4
        }
        for number in range(rounds):
            self.back_up_or_restore(restoring, number)
            self.round()
            if number == cloning:
                self.clone()
        self.end()

    def back_up_or_restore(self, restoring: dict[str, list[int]], number: int) -> None:
        """Take a server's backup in one round, and put it back in a later one."""
        for name, (taken, back) in restoring.items():
            if number == taken:
                self.copies[name] = self.town.backup(name)
            if number == back:
                self.town.restore(name, self.copies[name])
                self.counted[f"restored {name}"] += 1
                if self.rng.random() < 0.5:
                    self.counted["logs resumed"] += self.town.resume_logs()

    def round(self) -> None:
        for one in self.rng.sample(self.actors, 3):
            one.act(self.codes)
            self.note(one)
        for deed in self.rng.sample(self.deeds(), 2):
            deed()
            self.counted[deed.__name__] += 1
        for one in self.rng.sample(self.actors, 3):
            self.sync(one)
        for name in NODES:
            if self.rng.random() < 0.6:
                self.town.sync(name, 2)

    def deeds(self) -> list[Callable[[], None]]:
        return [
            self.cut,
            self.cut,
            self.spoil,
            self.roam,
            self.roam,
            self.reopen,
            self.kill,
            self.strike,
            self.strike,
            self.strike,
            self.deafen,
            self.welcome,
            self.print,
        ]

    def note(self, one: Actor) -> None:
        self.ever |= {id_: line for (_, _, id_), line in one.held().items()}

    def sync(self, one: Actor) -> None:
        way = self.town.way(one.client)
        way.plan = [one.rng.choice(FAULTS) for _ in range(one.rng.choice((0, 0, 1, 2)))]
        one.client.sync(watch=one.rng.random() < 0.3)
        way.plan = []
        if not one.is_good():
            self.renew(one)
        self.note(one)

    def renew(self, one: Actor) -> None:
        """Enrol a handheld anew, as a person does when it asks for help."""
        outcome = one.client.enrol(self.town.code(one.client))
        if outcome.status:
            assert outcome.type == "", outcome
            self.counted["new runs"] += 1
            self.note(one)

    # --- what may happen ---

    def cut(self) -> None:
        wan = self.town.wans[self.rng.choice(NODES)]
        wan.is_cut = not wan.is_cut

    def spoil(self) -> None:
        wan = self.town.wans[self.rng.choice(NODES)]
        wan.loses_answers = not wan.loses_answers

    def roam(self) -> None:
        """Carry a handheld to another server, whether or not that knows it already."""
        one = self.rng.choice(self.roamers)
        there = self.rng.choice([at for at in NAMES if at != self.town.way(one.client).at])
        if one.is_good():
            self.counted["strangers"] += not self.town.is_known(one.client, there)
            self.town.way(one.client).at = there
            self.counted["roamed"] += 1

    def reopen(self) -> None:
        self.rng.choice(self.actors).restart()

    def kill(self) -> None:
        self.death.arm(self.rng.randint(1, 25), after=self.rng.random() < 0.5)

    def strike(self) -> None:
        """Let the process that next comes to a point be killed there, alone or with all others."""
        point = self.rng.choice(sorted(striking.POINTS.values()))
        self.town.point = f"{point} {self.rng.choice((1, 1, 2))}"
        self.town.victim = self.rng.choice(("", *NAMES))

    def deafen(self) -> None:
        """Let a handheld's way lose all answers, or all requests, from now on, or no more."""
        way = self.town.way(self.rng.choice(self.actors).client)
        way.always = self.rng.choice(("lost", "unanswered")) if way.always == "passed" else "passed"

    def welcome(self) -> None:
        """Enrol a new handheld at a node that is cut off, and carry it where nobody knows it."""
        at = self.rng.choice(NODES)
        self.town.wans[at].is_cut = True
        one = self._actor(len(self.town.clients), at)
        if one.client.enrol(self.town.code(one.client)).status == 201:
            self.actors.append(one)
            self.roamers.append(one)
            self.counted["newcomers"] += 1
            one.act(self.codes)
            self.sync(one)
            self.town.way(one.client).at = self.rng.choice([name for name in NAMES if name != at])
            self.counted["strangers"] += 1

    def clone(self) -> None:
        """Copy a handheld's disk, and take the copy to another node that knows the device."""
        one = self.actors[self.rng.choice(ROAMERS)]
        there = self.rng.choice([at for at in NODES if at != self.town.way(one.client).at])
        if not one.is_good() or not self.town.is_known(one.client, there):
            return
        twin = self.town.add(one.copy_disk(), there)
        name = f"{one.name}+"
        self.actors.append(Actor(self.town, twin, Random(name), name))  # type: ignore[arg-type]
        self.cloned.append((one, self.actors[-1], one.client.run))
        self.counted["clones"] += 1

    def print(self) -> None:
        """Print labels at every server's desk, as far as it has codes to give."""
        for name in NAMES:
            self.labels += self.town.print_labels(name, self.rng.randint(1, 9))

    # --- the end ---

    def calm(self, rounds: int) -> None:
        """Let everything go well for a while."""
        self.death.left, self.town.point, self.town.victim = 0, "", ""
        for way in self.town.ways:
            way.always = "passed"
        for wan in self.town.wans.values():
            wan.is_cut = wan.loses_answers = False
        self.settle_servers()  # who asks a node that was cut off just now is told to wait
        for _ in range(rounds):
            for one in self.actors:
                self.settle(one)
            self.settle_servers()

    def settle_servers(self) -> None:
        for _ in range(2):
            for name in NODES:
                self.town.sync(name, 8)

    def settle(self, one: Actor) -> None:
        for _ in range(SYNCS):
            said = one.client.sync(watch=False)
            if not said and not one.client.waiting() and one.is_good():
                break
            if not one.is_good():
                self.renew(one)
        self.note(one)
        assert not one.client.waiting(), f"{one.name}: its queue is stuck ({said})"

    def end(self) -> None:
        self.counted["logs resumed"] += self.town.resume_logs()
        for one in self.actors:
            one.client.doubts = True
        self.calm(rounds=3)
        self.counted["kills"] += self.town.kills + self.town.struck.total()
        alone = [count for name, count in self.town.struck.items() if not name.endswith(", all")]
        self.counted["struck alone"] += sum(alone)
        self.print()
        self.calm(rounds=1)
        agreeing.check(self)


def main() -> int:
    parser = argparse.ArgumentParser(description="Play fault runs over two site nodes.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--runs", type=int, default=1, help="so many seeds, from this one on")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nodes-") as made:
        folder = Path(made)
        open_floor(folder / "original")
        for seed in range(given.seed, given.seed + given.runs):
            counted = play(folder / "original", folder / "run", seed)
            shutil.rmtree(folder / "run")
            told = ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))
            print(f"seed {seed}: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
