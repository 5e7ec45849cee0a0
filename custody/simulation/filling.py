"""Fill a ledger: found it, enrol handhelds, and push what they record through the ledger's path."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from custody.config import Config
from custody.ledger import append, chain, devices, founding
from custody.ledger.core import Ledger, open_ledger
from custody.simulation import house
from custody.simulation.handheld import Handheld, Push

BATCH = 500  # events of a push; protocol.md allows no more
HANDHELDS = 8
START = 1_767_697_200_000  # 2026-01-06, 06:00 in New York
LATE = 4_000  # milliseconds from a push's last event to its arrival


class Clock:
    """The wall clock of the simulation, in UTC milliseconds: it goes on with what is pushed."""

    def __init__(self, now: int = START - 3_600_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def make(config: Config) -> tuple[Ledger, Clock]:
    """Found the invented casino and open it. Raises AlreadyInitialised where a ledger is."""
    clock = Clock()
    founding.found(config, house.setting(), clock)
    return open_ledger(config, clock), clock


def enrol(ledger: Ledger, count: int = HANDHELDS) -> list[Handheld]:
    return [Handheld(ledger, number, count, START) for number in range(count)]


def pushes(handhelds: list[Handheld], events: int, batch: int = BATCH) -> Iterator[Push]:
    """Yield pushes of `batch` events, one handheld after the other, until there are that many."""
    sent = 0
    while sent < events:
        for handheld in handhelds:
            size = min(batch, events - sent)
            if size:
                yield handheld.next(size)
            sent += size


def take(ledger: Ledger, clock: Clock, push: Push) -> append.Pushed:
    """Take a push as the server does once it knows who sent it."""
    clock.now = max(clock.now, push.at + LATE)
    batch = chain.parse(push.body)
    devices.be_in_touch(ledger, batch.device, clock.now)
    return append.push(ledger, batch)


def fill(ledger: Ledger, clock: Clock, events: int, progress: Callable[[int], None]) -> int:
    """Push that many events by new handhelds; return how many exceptions they raised."""
    raised = done = 0
    for push in pushes(enrol(ledger), events):
        raised += len(take(ledger, clock, push).exceptions)
        done += push.events
        progress(done)
    return raised
