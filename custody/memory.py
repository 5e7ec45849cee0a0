"""How a serving process gives back memory: glibc keeps what threads freed unless it is told.

Each thread would get a heap of its own, in which an answer of half a megabyte leaves a hole that
only the same thread fills again; ten threads that answer large and small by chance grow for hours.
Two heaps serve as well, since one thread at a time runs Python. What is large is asked of the
system and given back at once: without a fixed size, glibc learns from the first such piece to keep
them. The holes between what stays are given back after garbage was looked for, every ten seconds at
most, since that takes milliseconds.
"""

from __future__ import annotations

import ctypes
import gc
import time
from typing import Any

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # malloc.h
HEAPS = 2
LARGE = 128 * 1024  # bytes
BETWEEN_SECONDS = 10


def bound() -> bool:
    """Set the process's allocator so, before it starts threads; False where it is not glibc's."""
    library = ctypes.CDLL(None)
    mallopt, trim = (getattr(library, name, None) for name in ("mallopt", "malloc_trim"))
    if mallopt is None or trim is None:
        return False

    last = time.monotonic() - BETWEEN_SECONDS

    def give_back(phase: str, _told: dict[str, Any]) -> None:
        nonlocal last
        if phase == "stop" and time.monotonic() - last >= BETWEEN_SECONDS:
            last = time.monotonic()
            trim(0)

    gc.callbacks.append(give_back)
    return bool(mallopt(_M_ARENA_MAX, HEAPS)) and bool(mallopt(_M_MMAP_THRESHOLD, LARGE))
