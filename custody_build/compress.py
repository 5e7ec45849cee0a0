"""Compressed copies of what handhelds download, for a first visit over a casino's radio."""

import gzip
from pathlib import Path

from custody_build.files import newer

WORTH = 0.9  # a copy that saves less than a tenth is not kept


def write(root: Path, files: list[dict[str, str | int]]) -> None:
    """Write ``built/gz/<sha256>.gz`` for each of the manifest's `files`, and remove the others."""
    folder = root / "custody" / "static" / "built" / "gz"
    wanted = set()
    for file in files:
        copy = folder / f"{file['sha256']}.gz"
        source = root / "custody" / str(file["path"]).removeprefix("/")
        if copy.is_file() or _compress(source, copy):
            wanted.add(copy)
    for old in folder.glob("*.gz"):
        if old not in wanted:
            old.unlink(missing_ok=True)  # another process may be building as well


def _compress(source: Path, copy: Path) -> bool:
    content = source.read_bytes()
    packed = gzip.compress(content, 9, mtime=0)
    if len(packed) >= WORTH * len(content):
        return False
    newer(copy, packed)
    return True
