"""Push at once what contends: the same items, corrections and changes of master data, from several
threads and processes; then say whether the log makes the very projections that are there.

    python -m bench.contending --seconds 60 --threads 4
    python -m bench.contending --seconds 60 --threads 2 --processes 2 --postgres
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from custody.app import create_app
from custody.config import Config
from custody.ledger import devices, people, places, rebuilding
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.foreseeing import Foresight
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from custody.ledger.verifying import key_faults, projection_fault
from tests.support import cast, postgres
from tests.support.device import Device, FlaskHttp

BY = [{"person": "ada", "how": "password"}]
CODES = [f"D5-{n:03}" for n in range(1, 41)]
PLACES = ("dock", "vault", "pit1", "CR1", "CR2", "sec", "shred", "nowhere")
PEOPLE = ("fay", "gus", "sam", "sue", "pam", "dee", "ash")
STEPS = ("store", "issue", "play", "remove", "inspect", "return", "hold")
GAMES = ("craps", "mini_craps", "sic_bo")
MINUTE = 60_000
SHARED = 0.1  # how often a hand takes any item, and not one of its own
PACKED = 0.02
REMEMBERED = 50  # the ids of events that a hand remembers, to correct one


class Hand:
    """A handheld and now and then a desk, by its own seed."""

    def __init__(self, ledger: Ledger, seed: int) -> None:
        self.ledger, self.random = ledger, random.Random(seed)
        self.seed, self.made = seed, 0
        self.device = Device(FlaskHttp(create_app(ledger.config, ledger)))
        self.device.enrol(devices.new_code(ledger))
        self.seen, self.own = Counter[int](), self.random.sample(CODES, 8)
        self.ids: list[str] = []
        self.slowest = 0.0

    def run(self, until: float) -> None:
        self.device.pull()
        while time.monotonic() < until:
            if self.random.random() < 0.1:
                self._administer()
            self._receive()
            for _ in range(self.random.randint(1, 3)):
                self._any()
            start = time.monotonic()
            answer = self.device.push()
            self.slowest = max(self.slowest, time.monotonic() - start)
            self.seen[answer.status] += 1
            assert answer.status == 200, answer.body
            if self.random.random() < 0.9:
                self.device.pull()

    def _receive(self) -> None:
        """Take new items in for those that are disputed by now, which nothing ends by itself."""
        self.own = [code for code in self.own if not self._value(code).get("disputed")]
        for _ in range(8 - len(self.own)):
            self.made += 1
            code = f"D{self.seed}-{self.made}"
            event = self.device.record("receive", **cast.receive(code))
            self.device.records["item", code] = ({"last": [event]}, "")
            self.own.append(code)

    def _administer(self) -> None:
        pick = self.random.choice
        kind = {"type": pick(["table", "storage"]), "game": pick(GAMES), "pit": "pit1"}
        if self.random.random() < 0.5:
            places.save_place(self.ledger, pick(["CR1", "CR2"]), kind, BY)
        else:
            people.set_active(self.ledger, "gus", pick([True, False]), BY)

    def _record(self, step: str, **fields: Any) -> None:
        made = self.device.record(step, **fields)
        self.ids = [*self.ids[-REMEMBERED:], made]
        for code in fields.get("items", []):
            self._value(code)["last"] = [made]

    def _any(self) -> None:
        pick, chance = self.random.choice, self.random.random()
        pool = [*CODES, *self._others()] if self.random.random() < SHARED else self.own
        codes = self.random.sample(pool, self.random.randint(1, 2))
        by = self.random.sample(PEOPLE, self.random.randint(1, 3))
        told: dict[str, Any] = {}
        if self.random.random() < 0.1:
            told["fact"] = {"why": "late", "at": self.device.clock() - 20 * MINUTE}
        if chance < 0.03:
            known = [one for of, one in self.device.records if of == "task"]
            told |= {
                "exception": "concurrent-claim",
                "outcome": "seen",
                "stands": pick(self._tips()),
            }
            if known and self.random.random() < 0.5:
                told["exception"] = pick(known).removeprefix("exception:")
            self._record(
                "resolve", items=codes[:1], by=by, saw=self._saw(codes[:1]), **{"with": told}
            )
        elif chance < 0.04:
            told |= {"event": pick(self._tips()), "reason": "mistaken"}
            self._record("correct", items=codes, by=by, saw=self._saw(codes), **{"with": told})
        elif chance < 0.1:
            told |= {"state": "open", "game": pick(GAMES)}
            self._record("table", where=pick(["CR1", "CR2"]), by=by, **{"with": told})
        else:
            self._step(codes, by, told)

    def _step(self, codes: list[str], by: list[str], told: dict[str, Any]) -> None:
        step, fields = self.random.choice(STEPS), {}
        step = "pack" if self.random.random() < PACKED else step
        if step == "pack":
            seal = f"S{self.random.randint(1, 4)}"
            told |= {"seal": seal, "label": True, "purpose": "used"}
            fields["into"] = f"EV-{self.random.randint(1, 3)}"
        if step == "play":
            fields["where"] = self.random.choice(["CR1", "CR2"])
        fields |= {"items": codes, "to": self.random.choice(PLACES), "by": by, "with": told}
        self._record(step, **fields, saw=self._saw(codes))

    def _saw(self, codes: list[str]) -> dict[str, str]:
        return self.device.saw(*[code for code in codes if ("item", code) in self.device.records])

    def _others(self) -> list[str]:
        return [code for of, code in self.device.records if of == "item"][-40:]

    def _value(self, code: str) -> dict[str, Any]:
        known = self.device.records.get(("item", code))
        return (known[0] if known else None) or {}

    def _tips(self) -> list[str]:
        items = [self._value(code) for code in CODES]
        history = [line["id"] for item in items for line in item.get("history", [])]
        return [*self.ids, *history]


def receive(config: Config) -> None:
    ledger = open_ledger(config)
    one = Hand(ledger, 0)
    one.device.record("receive", **cast.receive(*CODES))
    assert one.device.push().status == 200
    ledger.close()


def work(config: Config, threads: int, seed: int, seconds: float) -> None:
    """Run some hands in this process; leave with an error where one of them met one."""
    kept, holds = Counter[bool](), Foresight.still_holds

    def counted(seen: Foresight, *given: Any) -> bool:
        answer = holds(seen, *given)
        kept[answer] += 1
        return answer

    Foresight.still_holds = counted  # type: ignore[method-assign]
    ledger = open_ledger(config)
    hands = [Hand(ledger, seed + number) for number in range(threads)]
    until, failed = time.monotonic() + seconds, []

    def safely(hand: Hand) -> None:
        try:
            hand.run(until)
        except BaseException as error:
            failed.append(error)
            raise

    running = [threading.Thread(target=safely, args=(hand,)) for hand in hands]
    for one in running:
        one.start()
    for one in running:
        one.join()
    ledger.close()
    pushes = sum(sum(hand.seen.values()) for hand in hands)
    slowest = max(hand.slowest for hand in hands)
    print(f"process {seed}: {pushes} pushes, foresight {dict(kept)}, slowest {slowest:.2f} s")
    sys.exit(1 if failed else 0)


@contextmanager
def database(on_postgres: bool, folder: Path) -> Iterator[str]:
    if not on_postgres:
        yield f"sqlite:///{folder / 'custody.db'}"
        return
    with postgres.running() as server:
        yield postgres.new_database(server)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--threads", type=int, default=4)
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--postgres", action="store_true")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as name, database(given.postgres, Path(name)) as url:
        config = Config(Path(name) / "data", url)
        found(config, check_setting(cast.setting()))
        receive(config)
        begin = multiprocessing.get_context("spawn").Process
        workers = [
            begin(target=work, args=(config, given.threads, given.seed + 100 * n, given.seconds))
            for n in range(given.processes)
        ]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        assert all(one.exitcode == 0 for one in workers), "a process failed"
        ledger = open_ledger(config)
        faults = [*key_faults(ledger), projection_fault(ledger)]
        assert faults == [None], faults
        with ledger.database.reading() as connection:
            before = rebuilding.digest(connection)
        assert rebuilding.rebuild(ledger) == before, "a rebuild makes something else"
        print(f"{ledger.size()} events: keys, projections and a rebuild agree")
        ledger.close()


if __name__ == "__main__":
    main()
