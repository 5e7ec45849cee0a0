"""The sentence of an exception, as a push's answer carries it, from the rules' one catalogue."""

from __future__ import annotations

from typing import Any

from custody.rulebooks import loader
from custody.rules import sentences

LANGUAGE = "en"


def sentence(kind: str, values: dict[str, Any]) -> str:
    """Return what an exception says: its kind and, for a broken rule, the reason's sentence."""
    raised = {"kind": kind, "values": values}
    return str(sentences.exception(loader.catalogue(), LANGUAGE, raised))
