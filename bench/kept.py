"""Keep the handhelds of a ledger that was grown, so that another process goes on with them.

Only between whole periods, when no life is under way (`growing`).
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from bench.growing import LIFE
from custody.simulation.handheld import Handheld

FILE = "handhelds.json"
MARKS = ("id", "start", "_seq", "_head", "_at")


class Kept(Handheld):
    """The n-th of `count` handhelds, which goes on with the next group of sticks."""

    def __init__(self, told: dict[str, Any], number: int, count: int) -> None:
        key = load_pem_private_key(told["key"].encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        self.key = key
        for name in MARKS:
            setattr(self, name, told[name])
        past = told["_seq"] // LIFE
        self._days = ((day, number + day * count) for day in itertools.count(past))
        self._lines = self._recorded()


def keep(folder: Path, now: int, handhelds: list[Handheld]) -> None:
    """Write what the handhelds know, and the clock's `now`."""
    told = {"now": now, "handhelds": [_told(one) for one in handhelds]}
    (folder / FILE).write_text(json.dumps(told))


def _told(handheld: Handheld) -> dict[str, Any]:
    kind = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    marks = {name: getattr(handheld, name) for name in MARKS}
    return {"key": handheld.key.private_bytes(*kind).decode(), **marks}


def read(folder: Path) -> tuple[int, list[Handheld]]:
    """Return what `keep` wrote. Raises FileNotFoundError where it wrote nothing."""
    told = json.loads((folder / FILE).read_text())
    devices = told["handhelds"]
    return told["now"], [Kept(one, n, len(devices)) for n, one in enumerate(devices)]
