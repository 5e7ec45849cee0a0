"""The invented casino of a simulation: who works there, and its places."""

from __future__ import annotations

from typing import Any

from custody.ledger.setting import Setting, check_setting

SITE = "simulated"
PITS = 8
TABLES = 6  # of each pit
PEOPLE = {
    "floor": "floorperson",
    "late": "floorperson",
    "guard": "security_officer",
    "chief": "security_supervisor",
    "manager": "pit_manager",
    "shift": "shift_manager",
    "auditor": "internal_auditor",
    "dealer": "dealer",
    "admin": "administrator",
}


def pit(number: int) -> str:
    """Return the stand at which the dice of the n-th craps table are kept, tables from 0."""
    return f"pit{number // TABLES % PITS + 1}"


def table(number: int) -> str:
    return f"{pit(number)}-craps{number % TABLES + 1}"


def setting() -> Setting:
    """Return what `founding.found` takes: Maryland's rules, 48 craps tables in eight pits."""
    places: dict[str, dict[str, Any]] = {
        "dock": {"type": "dock"},
        "vault": {"type": "storage", "use": "primary"},
        "security": {"type": "security"},
        "shredder": {"type": "destruction"},
    }
    for number in range(PITS * TABLES):
        places[pit(number)] = {"type": "pit_stand"}
        places[table(number)] = {"type": "table", "game": "craps", "pit": pit(number)}
    told = {"site": SITE, "regime": "MD", "zone": "America/New_York", "day_starts": "06:00"}
    controls = {"dice_inspection": "alternative_1"}
    return check_setting({**told, "people": PEOPLE, "places": places, "controls": controls})
