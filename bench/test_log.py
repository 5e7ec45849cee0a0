"""What the log costs: growing it, signing it, proving an event, at a million events."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from custody.ledger.log.merkle import leaf_hash, leaf_text
from custody.ledger.log.store import Leaf
from tests.ledger.log_support import Site

MILLION = 1_000_000
STEP = 20_000  # events between two signatures while the log grows
LEAST_RATE = 20_000  # events a second into durable tiles; the ledger is asked for 5,000
LONGEST_SIGNATURE_MS = 100
LONGEST_PROOF_MS = 20


class Made:
    """Leaves made when they are read, so that a million of them take no memory."""

    def __init__(self) -> None:
        self.count = 0

    def size(self) -> int:
        return self.count

    def read(self, start: int, stop: int) -> list[Leaf]:
        return [self._leaf(position) for position in range(start, min(stop, self.count))]

    def position(self, event_id: str) -> int | None:
        return int(event_id[:16], 16)

    def _leaf(self, position: int) -> Leaf:
        event_id = f"{position:016x}{sha256(str(position).encode()).hexdigest()[16:]}"
        text = leaf_text(position, 1_796_044_800_000, event_id)
        return Leaf(position, 1_796_044_800_000, event_id, leaf_hash(text))


def milliseconds(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


def test_a_million_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site, leaves = Site(tmp_path), Made()
    site.leaves = leaves  # type: ignore[assignment]
    site.restart()
    begun = time.perf_counter()
    for size in range(STEP, MILLION + 1, STEP):
        leaves.count = size
        site.time += 2000
        site.reader.checkpoint()
    grown = MILLION / (time.perf_counter() - begun)
    ones = []
    for _ in range(50):
        leaves.count += 1
        site.time += 2000
        ones.append(milliseconds(site.reader.checkpoint))
    site.restart()
    cold = milliseconds(lambda: site.reader.receipt(leaves.read(77, 78)[0].event_id))
    places = [(n * 7919) % MILLION for n in range(300)]
    ids = [leaves.read(place, place + 1)[0].event_id for place in places]
    proofs = [milliseconds(lambda event_id=each: site.reader.receipt(event_id)) for each in ids]
    text = site.reader.receipt(ids[0]).text
    files = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    sign, proof = statistics.median(ones), statistics.median(proofs)
    with capsys.disabled():
        print(
            f"\n{grown:,.0f} events a second into durable tiles, signed every {STEP:,}"
            f"\none more event signed at a million: {sign:.1f} ms (median), {max(ones):.1f} worst"
            f"\na receipt at a million: {proof:.2f} ms (median), {max(proofs):.1f} worst,"
            f" {cold:.0f} right after a start; {len(text)} bytes"
            f"\n{files / leaves.count:.0f} bytes of files an event"
        )
    assert grown > LEAST_RATE
    assert sign < LONGEST_SIGNATURE_MS
    assert proof < LONGEST_PROOF_MS
