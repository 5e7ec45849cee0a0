"""The people, places and controls that tests share: the casino of the Maryland dice scenarios."""

from __future__ import annotations

from typing import Any


def setting(**changes: Any) -> dict[str, Any]:
    """Return a setting, with some of its fields changed; None leaves a field out."""
    made: dict[str, Any] = {
        "site": "oak",
        "regime": "MD",
        "zone": "America/New_York",
        "day_starts": "06:00",
        "people": {
            "fay": "floorperson",
            "gus": "floorperson",
            "sam": "security_officer",
            "sue": "security_supervisor",
            "pam": "pit_manager",
            "dee": "dealer",
            "ash": "assistant_shift_manager",
            "ada": "administrator",
        },
        "places": {
            "dock": {"type": "dock"},
            "vault": {"type": "storage", "use": "primary"},
            "pit1": {"type": "pit_stand"},
            "CR1": {"type": "table", "game": "craps", "pit": "pit1"},
            "CR2": {"type": "table", "game": "craps", "pit": "pit1"},
            "sec": {"type": "security"},
            "shred": {"type": "destruction"},
            "comm": {"type": "commission"},
        },
        "controls": {"designs": "approved", "dice_inspection": "alternative_1"},
    }
    made.update(changes)
    return {name: value for name, value in made.items() if value is not None}


def receive(*codes: str) -> dict[str, Any]:
    """Return the fields of a proper `receive` of dice sticks at the dock."""
    return {
        "items": list(codes),
        "kind": "dice",
        "form": "stick",
        "attributes": {"size": 5, "games": ["craps"]},
        "to": "dock",
        "with": {"invoice": "INV-1", "invoiced": len(codes), "box": "BOX-1", "seals": "intact"},
        "by": ["fay", "sam"],
    }


def store(*codes: str) -> dict[str, Any]:
    """Return the fields of a proper `store` in the vault."""
    return {"items": list(codes), "to": "vault", "by": ["fay", "sam"]}
