"""Receipts: proofs of inclusion as a text (c2sp.org/tlog-proof), complete in themselves.

The extra data is the leaf's own text, `<position>\\n<received ms>\\n<event id>\\n`: it is what the
leaf hash is made of, so the proof itself vouches for it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable

HEADER = "c2sp.org/tlog-proof@v1"
MEDIA_TYPE = "text/plain; charset=utf-8"


def render(leaf: bytes, index: int, path: Iterable[bytes], note: str) -> str:
    """Return the tlog-proof of leaf `index` under the checkpoint `note`; `path` sibling first."""
    lines = [HEADER, f"extra {_base64(leaf)}", f"index {index}", *map(_base64, path)]
    return "\n".join(lines) + "\n\n" + note


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
