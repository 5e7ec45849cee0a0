"""How a serving process looks for garbage that refers to itself: seldom, and not among its modules.

Judging a batch makes a hundred thousand objects that live as long as the batch. Looked through
every 700, as Python does by itself, they cost a tenth of the time; a look every 20,000 costs a few
megabytes.

What is in use at a look, such as half a page, is passed over by it and by the next ones, and a look
at what was passed over comes after a few of them: each look leaves some megabytes of all requests
that are being answered, so that one after twenty looks would keep a hundred. Everything is looked
through at last once what was passed over twice has grown by a quarter; without the second
`collect`, a quarter of the modules would count.
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 20_000
LOOKS = 5  # before one at what these passed over


def seldom() -> None:
    """Set this process to collect seldom; what is there already is never looked through again."""
    gc.collect()
    gc.freeze()
    gc.collect()
    gc.set_threshold(NEW_OBJECTS, LOOKS, LOOKS)
