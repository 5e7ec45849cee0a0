"""How a serving process looks for garbage that refers to itself: seldom, and not among its modules.

Judging a batch makes a hundred thousand objects that live as long as the batch. Looked through
every 700, as Python does by itself, they cost a tenth of the time; a look every 50,000 costs a few
megabytes.
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 50_000


def seldom() -> None:
    """Set this process to collect seldom; what is there already is never looked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 100)
