"""Which version of the app each handheld runs, beside the newest that this server gives out."""

from __future__ import annotations

import json
from typing import Any

from custody.ledger import apps
from custody.ledger.core import Ledger
from custody.ledger.reading import records
from custody.routes import handheld

SHORT = 12  # as much of a version as a handheld sends and shows


def newest() -> str:
    """Return the version that a handheld gets here now."""
    return str(json.loads(handheld.manifest())["version"])[:SHORT]


def told(ledger: Ledger) -> dict[str, dict[str, Any]]:
    """Return `{"app", "rulebook", "since", "old", "behind"}` by device.

    `old` is the newest version where the device runs another, `behind` the rulebook in force where
    it judges by another; else None.
    """
    now, book = newest(), records.known(ledger, "setting", "site")["rulebook"]
    return {
        device: {
            **one,
            "old": None if one["app"] == now else now,
            "behind": None if one["rulebook"] == book else book,
        }
        for device, one in apps.running(ledger).items()
    }
