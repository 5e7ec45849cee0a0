"""Reading and writing files the same way everywhere in the build."""

import os
from collections.abc import Iterator
from pathlib import Path


def under(folder: Path, pattern: str = "*") -> Iterator[Path]:
    """Yield the files below `folder` that match, sorted by path, without Python's caches."""
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def newer(target: Path, content: bytes) -> None:
    """Write `content` in one move, if it differs: a running server never reads half a file."""
    if target.is_file() and target.read_bytes() == content:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(target)
