"""A simulated handheld: it writes and signs pushes for lives that are its own alone."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import chain, devices, keys
from custody.ledger.core import Ledger
from custody.ledger.events import NO_EVENT
from custody.ledger.strict import dumps
from custody.simulation import house
from custody.simulation.lives import DAY, Step, life

GROUP = 50  # sticks that a handheld takes through a step, one after the other, before the next step
SECOND = 1000
OFFSET = -300  # minutes


class Push(NamedTuple):
    """A push as it is sent: `events` lines after the header, the last of them made at `at`."""

    body: bytes
    events: int
    at: int


class Handheld:
    """The n-th of `count` devices, of which each takes every count-th group of sticks.

    `start` is UTC ms at 06:00 of the first gaming day; each day has one group of each device.
    """

    def __init__(self, ledger: Ledger, number: int, count: int, start: int) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        code = devices.new_code(ledger)
        jwk = keys.jwk_of(self.key.public_key())
        self.id = devices.enrol(ledger, code, f"Simulated {number + 1}", jwk).device
        self._days = ((day, number + day * count) for day in itertools.count())
        self.start = start
        self._seq, self._head = 0, NO_EVENT
        self._lines = self._recorded()
        self._at = start

    @property
    def sent(self) -> int:
        """Return how many events it has recorded, of which each was given to a push."""
        return self._seq

    def next(self, events: int) -> Push:
        """Return the next push, of at most that many events; of none where nothing is left."""
        first = self._seq + 1
        lines = list(itertools.islice(self._lines, events))
        text = chain.signed_text(self.id, 1, self._seq, self._head)
        header = {"device": self.id, "run": 1, "first": first, "last": self._seq}
        signed = {"head": self._head, "sig": keys.sign(self.key, text)}
        body = b"\n".join([json.dumps({**header, **signed}).encode(), *lines])
        return Push(body, len(lines), self._at)

    def _recorded(self) -> Iterator[bytes]:
        for day, group in self._days:
            numbers = range(group * GROUP + 1, (group + 1) * GROUP + 1)
            saw: dict[str, str] = {}
            for same in zip(*(life(number) for number in numbers), strict=True):
                for n, step in enumerate(same):
                    yield self.line(step, self.start + day * DAY + step.after + n * SECOND, saw)

    def line(self, step: Step, at: int, saw: dict[str, str]) -> bytes:
        """Return the next event's line; `saw`, the last event by code, is brought up to date."""
        mono = at - self.start
        by = [{"person": p, "how": "badge+pin", "at": at, "mono": mono} for p in step.by]
        event = {
            **{"v": 1, "device": self.id, "run": 1, "seq": self._seq + 1, "prev": self._head},
            **{"at": at, "offset": OFFSET, "mono": mono, "boot": "simulated", "server": at},
            **{"site": house.SITE, "rulebook": "md@2026.1", "day": None, "note": ""},
            **{"from": None, "to": None, "into": None, "where": None},
            **{"step": step.step, "items": [step.claims[0]], "by": by, **step.fields},
            "saw": {code: saw[code] for code in step.claims if code in saw},
        }
        raw = dumps(event).encode()
        self._seq, self._head, self._at = self._seq + 1, hashlib.sha256(raw).hexdigest(), at
        saw.update(dict.fromkeys((*step.claims, *self._into(step)), self._head))
        return raw

    @staticmethod
    def _into(step: Step) -> tuple[str, ...]:
        into = step.fields.get("into")
        return (into,) if into else ()
