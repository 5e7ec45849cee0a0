"""A simulated handheld: writes, chains and signs events as the protocol says, and pushes them."""

from __future__ import annotations

import json
import secrets
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import append, chain, devices, keys
from custody.ledger.append import Pushed
from custody.ledger.core import Ledger
from custody.ledger.events import NO_EVENT, Line, read
from custody.ledger.strict import dumps

HOUR = 3_600_000


class Stamp(NamedTuple):
    """When a step was taken: UTC ms, offset in minutes, gaming day."""

    at: int
    offset: int
    day: str


class Handheld:
    """One enrolled device. `record` writes an event; `push` sends what is not sent yet."""

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.ledger = ledger
        self.key = ec.generate_private_key(ec.SECP256R1())
        code = devices.new_code(ledger)
        self.id = devices.enrol(ledger, code, name, keys.jwk_of(self.key.public_key())).device
        self.boot, self.started = secrets.token_hex(8), ledger.clock() - HOUR
        self.seq, self.head, self.unsent = 0, NO_EVENT, list[Line]()

    def record(self, step: dict[str, Any], stamp: Stamp, saw: dict[str, str]) -> str:
        """Write the next event of the chain and return its id; `step["by"]` lists person ids."""
        mono = stamp.at - self.started
        signers = [
            {"person": person, "how": "badge+pin", "at": stamp.at, "mono": mono}
            for person in step["by"]
        ]
        event = {
            **{"v": 1, "device": self.id, "run": 1, "seq": self.seq + 1, "prev": self.head},
            **{"at": stamp.at, "offset": stamp.offset, "mono": mono, "boot": self.boot},
            **{"server": stamp.at, "site": self.ledger.site, "rulebook": "md@2026.1"},
            **{"day": stamp.day, "from": None, "to": None, "into": None, "where": None},
            **{"with": {}, "note": "", **step, "by": signers, "saw": saw},
        }
        line = read(dumps(event).encode())
        self.unsent.append(line)
        self.seq, self.head = self.seq + 1, line.id
        return line.id

    def push(self) -> Pushed | None:
        """Push the outbox through the ledger's own path; None where it is empty."""
        if not self.unsent:
            return None
        text = chain.signed_text(self.id, 1, self.seq, self.head)
        header = {
            **{"device": self.id, "run": 1, "first": self.seq - len(self.unsent) + 1},
            **{"last": self.seq, "head": self.head, "sig": keys.sign(self.key, text)},
        }
        lines = [json.dumps(header).encode(), *(line.raw for line in self.unsent)]
        pushed = append.push(self.ledger, chain.parse(b"\n".join(lines)))
        with self.ledger.database.writing() as connection:
            devices.note_contact(connection, self.id, self.ledger.clock())
        self.unsent = []
        return pushed
