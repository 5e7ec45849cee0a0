"""One fault run: many devices, shared items, and every fault there is, all drawn from one seed.

It plays some rounds. In each, people act on what their devices show; something may happen to the
server or a device; then some devices sync over links that spoil what they carry. At the end
everything is mended, and what must be true is checked (`ending`). The seed draws the plan; how
threads interleave is the machine's.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

from custody.ledger import devices
from custody.ledger.cache import Cache
from tests.faults import crashing, oracle
from tests.faults.actors import Actor
from tests.faults.spoiling import FAULTS
from tests.faults.world import MOST, World
from tests.support.client import Client

SYNCS = 8
ADA = [{"person": "ada", "how": "password"}]


class Run:
    """One run's state. `owed` is what was acknowledged and is not gone with a restored backup."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.seed = world, seed
        self.rng = Random(seed)
        self.counted: Counter[str] = Counter()
        self.owed: dict[tuple[str, int, str], bytes] = {}
        self.ever: set[str] = set()
        self.backup: tuple[str, set[str]] | None = None
        self.codes = [f"D5-{n:03}" for n in range(1, self.rng.randint(3, 7) + 1)]
        self.actors: list[Actor] = []
        world.server.start()
        for number in range(self.rng.randint(3, MOST)):
            self.add(world.device(number))

    def add(self, client: Client) -> Actor:
        name = f"{self.seed}/{len(self.actors)}"
        made = Actor(self.world, client, Random(name), name)
        self.actors.append(made)
        return made

    def join(self) -> Actor:
        """Let one more device enrol; a kill that was armed may strike its first try."""
        made = self.world.blank()
        while made.enrol(self.world.code()).status == 0:
            assert self.world.revive(), "a new device got no answer from a server that lives"
        return self.add(made)

    def present(self) -> list[Actor]:
        return [one for one in self.actors if not one.gone]

    # --- a round ---

    def play(self) -> Counter[str]:
        first = self.present()[0]
        first.receive(self.codes)
        self.settle(first)
        for one in self.present():
            one.client.sync(watch=False)
        restoring = self.rng.random() < 0.35
        for number in range(self.rng.randint(2, 5)):
            if restoring and number == 1:
                self.take_backup()
            self.round()
        if restoring:
            self.restore()
            self.round()
        return self.counted

    def round(self) -> None:
        for one in self.present():
            for _ in range(one.rng.choice((0, 1, 1, 2, 3))):
                one.act(self.codes)
                self.counted["acts"] += 1
            self.settle_books(one)
        if self.rng.random() < 0.6:
            self.happen()
        self.contact()
        self.counted["kills"] += self.world.revive()

    def contact(self) -> None:
        """Let some devices sync, one after another or all at once, over links that spoil."""
        awake = [one for one in self.present() if one.rng.random() < 0.7]
        self.rng.shuffle(awake)
        for one in awake:
            names = [one.rng.choice(list(FAULTS)) for _ in range(one.rng.choice((0, 1, 1, 2, 4)))]
            gaps = [
                name for fault in names for name in (fault, *["passed"] * one.rng.choice((0, 1)))
            ]
            self.world.link(one.client).plan(*gaps)
        if self.rng.random() < 0.5:
            with ThreadPoolExecutor(max(1, len(awake))) as pool:
                list(pool.map(self.sync, awake))
        else:
            for one in awake:
                self.sync(one)
        for one in awake:
            self.settle_books(one)

    def sync(self, one: Actor) -> str:
        for _ in range(one.rng.choice((1, 2))):
            said = one.client.sync(watch=one.rng.random() < 0.25)
        return said

    def settle_books(self, one: Actor) -> None:
        """Note what the actor's device did and was told; let it go on where it needs a new run."""
        link = self.world.link(one.client)
        self.counted.update(name for name in link.met if name != "passed")
        link.met.clear()
        self.ever |= {id_ for _, _, id_ in one.recorded} | {id_ for _, _, id_ in one.held()}
        if not one.client.id:  # it was revoked, and wiped only once everything was acknowledged
            one.gone = True
            self.owed |= one.recorded
            self.counted["wiped"] += 1
            return
        self.owed |= one.acknowledged()

    def settle(self, one: Actor, *, watch: bool = True) -> str:
        """Sync without faults, as often as a device would, and start a new run where it must."""
        self.world.link(one.client).heal()
        said = ""
        for _ in range(SYNCS):
            said = one.client.sync(watch=watch)
            if not one.client.id or (not said and not one.client.waiting() and one.is_good()):
                break
            if not one.is_good():
                self.renew(one)
        self.settle_books(one)
        return said

    def renew(self, one: Actor) -> None:
        """Enrol a device anew, as a person does when it asks for help."""
        self.world.revive()
        outcome = one.client.enrol(self.world.code())
        if outcome.json is None:
            return  # the server was killed, or the link spoils; somebody tries again later
        assert outcome.type == "", outcome
        one.note_recorded()
        self.counted["new runs"] += 1

    # --- what may happen ---

    def happen(self) -> None:
        deeds = (self.crash, self.restart, self.clone, self.roll_back, self.lose, self.revoke)
        more = (self.reopen, self.jump, self.renew_any)
        deed = self.rng.choices((*deeds, *more), (8, 2, 2, 2, 1, 1, 4, 3, 3))[0]
        deed()
        self.counted[deed.__name__] += 1

    def any(self) -> Actor:
        return self.rng.choice(self.present())

    def crash(self) -> None:
        """Let the server be killed at some point of its way in the next contact."""
        point = self.rng.choice(list(crashing.POINTS))
        self.world.server.kill()
        self.world.server.start(f"{crashing.POINTS[point]} {self.rng.randint(1, 6)}")
        self.counted[f"armed: {point}"] += 1

    def restart(self) -> None:
        self.world.server.stop()
        self.world.server.start()

    def take_backup(self) -> None:
        inside = {one.id for one in oracle.stored(self.world.ledger)}
        self.backup = (self.world.backup(), inside)

    def restore(self) -> None:
        """Put the last backup back: what came after it and no device keeps is gone for good."""
        if self.backup is None:
            return
        for one in self.present():
            self.settle_books(one)
        copy, inside = self.backup
        self.world.restore(copy)
        self.forget(set(self.owed) - self.kept(), inside)
        self.counted["restored"] += 1
        if self.rng.random() < 0.5:
            self.world.resume()

    def clone(self) -> None:
        """Let a second device have the key, the run and the queue of another."""
        one = self.any()
        twin = Actor(self.world, self.world.clone(one.client), Random(f"{one.name}+"), one.name)
        twin.recorded |= one.recorded
        self.actors.append(twin)
        for each in (one, twin):
            each.act(self.codes)

    def roll_back(self) -> None:
        """Restore a device from its own older copy."""
        one = self.any()
        copy = one.copy_disk()
        one.act(self.codes)
        self.sync(one)
        self.settle_books(one)
        if not one.gone:
            one.roll_back(copy)

    def lose(self) -> None:
        """Lose a device with all it holds, and give its owner another. What a restored server had
        lost, and the device was still to send again, is gone with it.
        """
        one = self.any()
        self.settle_books(one)
        if one.gone:
            return
        one.gone = True
        inside = {each.id for each in oracle.stored(self.world.ledger)}
        self.forget(set(self.owed) - self.kept(), inside)
        self.join()

    def kept(self) -> set[tuple[str, int, str]]:
        return {key for one in self.present() for key in one.held()}

    def forget(self, keys: set[tuple[str, int, str]], inside: set[str]) -> None:
        """Owe no more what nobody has: neither a device nor the ledger, with the ids `inside`."""
        for key in keys:
            if key[2] not in inside:
                del self.owed[key]

    def revoke(self) -> None:
        one = self.any()
        ledger = self.world.ledger
        with ledger.database.reading() as connection:
            value = Cache(connection).get("device", one.client.id)
        if value and value["state"] == "active" and len(self.present()) > 2:
            devices.revoke(ledger, one.client.id, ADA)

    def reopen(self) -> None:
        self.any().restart()

    def jump(self) -> None:
        self.any().jump()

    def renew_any(self) -> None:
        """Let a device that was set apart go on under a new run."""
        for one in self.present():
            if not one.is_good():
                self.renew(one)
