"""The sentence of an exception, as a push's answer carries it, from the rules' one catalogue."""

from __future__ import annotations

from typing import Any

from custody.rulebooks import loader
from custody.rules import sentences
from custody.rules.exception_kinds import LATE, UNREADABLE

LANGUAGE = "en"
MORE = {UNREADABLE: "why", LATE: "day"}  # the value that a kind's sentence ends with


def sentence(kind: str, values: dict[str, Any]) -> str:
    """Return what an exception says: its kind and, for a broken rule, the reason's sentence; of an
    entry that cannot be read, which field is wrong and what would be right; of a late one, which
    gaming day.
    """
    raised = {"kind": kind, "values": values}
    told = str(sentences.exception(loader.catalogue(), LANGUAGE, raised))
    more = values.get(MORE.get(kind, ""))
    return f"{told}: {more}" if more else told
