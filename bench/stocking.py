"""What a house has in custody while millions of events lie behind it, and one life that is long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from custody.ledger.core import Ledger
from custody.rules import codes
from custody.simulation import filling, house
from custody.simulation.handheld import SECOND, Handheld
from custody.simulation.lives import Step

PIECE = 250  # sticks of one receipt
BATCH = 20  # events of a push: they are long
FIRST = 5_000_000  # numbers of sticks that no simulated life has
LONG = codes.make("DS", FIRST - 1)
ROUNDS = 500  # of two events each, from the vault to a pit and back
MADE = {"kind": "dice", "form": "stick", "attributes": {"size": 5, "games": ["craps"]}}
FLOOR = ("floor", "guard")


class Stocker(Handheld):
    """A handheld that puts sticks into the vault, and one of them to a pit and back many times."""

    def __init__(self, ledger: Ledger, items: int) -> None:
        self._items = items
        super().__init__(ledger, filling.HANDHELDS, filling.HANDHELDS + 1, filling.START)

    def _recorded(self) -> Iterator[bytes]:
        saw: dict[str, str] = {}
        for n, step in enumerate(self._steps()):
            yield self.line(step, self.start + n * SECOND, saw)

    def _steps(self) -> Iterator[Step]:
        many = range(FIRST, FIRST + self._items)
        for first in range(0, self._items, PIECE):
            some = [codes.make("DS", number) for number in many[first : first + PIECE]]
            yield from _stocked(some)
        yield from _stocked([LONG])
        for _ in range(ROUNDS):
            yield _step("issue", [LONG], (*FLOOR, "manager"), to=house.pit(0))
            yield _step("return", [LONG], (*FLOOR, "shift"), to="vault")


def _stocked(some: list[str]) -> Iterator[Step]:
    yield _step("receive", some, FLOOR, to="dock", **MADE, **{"with": {"seals": "intact"}})
    yield _step("store", some, FLOOR, to="vault")


def _step(step: str, some: list[str], by: tuple[str, ...], **fields: Any) -> Step:
    return Step(step, 0, by, tuple(some), {"items": some, "with": {}, **fields})
