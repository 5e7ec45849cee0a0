"""Write files so that a power cut leaves either the old content or the new one.

A file is written beside its place, flushed to the disk and renamed; then its folder is flushed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path


def write(files: Iterable[tuple[Path, bytes]], root: Path, mode: int = 0o644) -> None:
    """Put each content in its place, all of them durable on return; `root` holds all the paths."""
    folders: set[Path] = set()
    for path, content in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        folders.update(_up_to(path.parent, root))
        _replace(path, content, mode)
    for folder in folders:
        flush(folder)


def _replace(path: Path, content: bytes, mode: int) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)  # a full disk is not made fuller
        raise


def _up_to(folder: Path, root: Path) -> Iterable[Path]:
    """Yield a folder and those above it: a new folder's name stands in the one above."""
    yield folder
    for parent in folder.parents:
        yield parent
        if parent in (root, root.parent):
            return


def flush(folder: Path) -> None:
    """Put the names in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
