"""How a serving process gives back memory: glibc keeps what threads freed unless it is told.

Each thread would get a heap of its own, in which an answer of half a megabyte leaves a hole that
only the same thread fills again; ten threads that answer large and small by chance grow for hours.
Two heaps serve as well, since one thread at a time runs Python. What is large is asked of the
system and given back at once: without a fixed size, glibc learns from the first such piece to keep
them.
"""

from __future__ import annotations

import ctypes

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # malloc.h
HEAPS = 2
LARGE = 256 * 1024  # bytes


def bound() -> bool:
    """Set the process's allocator so, before it starts threads; False where it is not glibc's."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_M_ARENA_MAX, HEAPS)) and bool(mallopt(_M_MMAP_THRESHOLD, LARGE))
