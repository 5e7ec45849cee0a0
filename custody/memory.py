"""How a serving process gives back memory: what nobody needs any more goes within five seconds.

glibc would give each thread a heap of its own, in which an answer of half a megabyte leaves a hole
that only the same thread fills again; ten threads that answer large and small by chance grow for
hours. One heap serves as well, since one thread at a time runs Python. What is large is asked of
the system and given back at once: without a fixed size, glibc learns from the first such piece to
keep them.

A page leaves garbage that refers to itself, with its texts, and between two looks for it
(`collecting`) thousands of pages may be made. So a thread looks for all of it every five seconds
and then gives back the holes between what stays, which takes milliseconds.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable

from custody.ledger.following import Following

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # malloc.h
HEAPS = 1
LARGE = 32 * 1024  # bytes
BETWEEN_SECONDS = 5.0


def bound() -> bool:
    """Set the process's allocator so, before it starts threads; False where it is not glibc's."""
    mallopt = _of_library("mallopt")
    if mallopt is None:
        return False
    return bool(mallopt(_M_ARENA_MAX, HEAPS)) and bool(mallopt(_M_MMAP_THRESHOLD, LARGE))


def give_back() -> None:
    """Look for all garbage, and give the system what is free, where the C library can."""
    gc.collect()
    if trim := _of_library("malloc_trim"):
        trim(0)


def _of_library(name: str) -> Callable[..., int] | None:
    """Return a function of the C library that this runs on, if it has it."""
    return getattr(ctypes.CDLL(None), name, None)


class GivingBack(Following[None]):
    """Gives back every five seconds what nobody needs any more."""

    name = "memory"
    failing = "memory cannot be given back"
    errors = ()

    def __init__(self) -> None:
        super().__init__(None)

    def act(self) -> float:
        give_back()
        return BETWEEN_SECONDS
