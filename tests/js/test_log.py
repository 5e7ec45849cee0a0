"""The browser's checks of the log, under Node, on a log that Python made."""

from __future__ import annotations

import base64
import json
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from custody_build.node import node
from tests.log import exports
from tests.log.exports import Export, checkpoint, naive_root, signature, verifier
from tests.log.test_verify import receipt_of

SIZE = 70_000  # more than a whole tile of level 1
SIZES = (1, 2, 3, 255, 256, 257, 300, 512, 65_535, 65_536, 65_537, 66_000, SIZE)
FOLDER = Path(__file__).parent


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _leaves() -> list[bytes]:
    return [sha256(b"\x00" + str(n).encode()).digest() for n in range(SIZE)]


def _levels(leaves: list[bytes]) -> list[list[bytes]]:
    """Return the hashes of each level of tiles, from the leaves up."""
    levels = [leaves]
    while len(levels[-1]) >= 256:
        below = levels[-1]
        starts = range(0, len(below) - 255, 256)
        levels.append([naive_root(below[start : start + 256]) for start in starts])
    return levels


def _changes(leaves: list[bytes]) -> dict[str, str]:
    """Return checkpoints of a log that was resumed, and of one whose key is being changed."""
    root, second = _b64(naive_root(leaves[:300])), f"{exports.ORIGIN}/2"
    resumed = f"{second}\n300\n{root}\nprevious {exports.ORIGIN} 300 {root}\n"
    plain, new = f"{exports.ORIGIN}\n300\n{root}\n", Ed25519PrivateKey.generate()
    old_line, new_line = signature(plain), signature(plain, key=new)
    return {
        "resumed": f"{resumed}\n{signature(resumed, second)}{signature(resumed)}",
        "listed": f"{verifier(second)}\n{verifier()}\n",
        "rotated": f"{plain}\n{old_line}{new_line}",
        "newKeyOnly": f"{plain}\n{new_line}",
        "bothKeys": f"{verifier()}\n{verifier(key=new)}\n",
    }


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = Export()
    device = out.enrol("h1")
    out.push(device, [partial(device.event, n=n) for n in range(11)])
    out.sign()
    leaves = _leaves()
    found: dict[str, Any] = {
        "verifier": verifier(),
        "receipts": [receipt_of(out, n) for n in range(11)],
        "events": [record["line"] for record in out.rows if record["of"] == "event"],
        "received": [record["received"] for record in out.rows if record["of"] == "event"],
        "checkpoints": {size: checkpoint(size, naive_root(leaves[:size])) for size in SIZES},
        "fork": checkpoint(300, naive_root(leaves[1:301])),
        "second": verifier(f"{exports.ORIGIN}/2"),
        "other": checkpoint(300, naive_root(leaves[:300]), f"{exports.ORIGIN}/2"),
        "levels": [_b64(b"".join(level)) for level in _levels(leaves)],
    }
    found |= _changes(leaves)
    path = tmp_path_factory.mktemp("js") / "vectors.json"
    path.write_text(json.dumps(found))
    return path


def test_the_browser_checks_receipts_and_growth_as_the_specifications_say(
    vectors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VECTORS", str(vectors))
    told = node("--test", str(FOLDER / "log.test.mjs"), cwd=FOLDER)
    assert "fail 0" in told, told
