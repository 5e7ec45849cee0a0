"""Who works in the demonstration casino, and where. All of it is invented."""

from __future__ import annotations

from typing import Any, NamedTuple

from custody.ledger.setting import Setting, check_setting
from custody.rules import codes

SITE = "harbor-demo"
ZONE = "America/New_York"
DAY_STARTS = 6  # o'clock


class Person(NamedTuple):
    """`desk` says whether the person also signs in at a desk, with `handle` as the name."""

    handle: str
    name: str
    job: str
    desk: bool = False


PEOPLE = (
    Person("ada", "Ada Quill", "administrator", desk=True),
    Person("fay", "Fay Moss", "floorperson"),
    Person("gus", "Gus Hale", "floorperson"),
    Person("pam", "Pam Ortiz", "pit_manager", desk=True),
    Person("ash", "Ash Nolan", "assistant_shift_manager", desk=True),
    Person("dee", "Dee Lind", "dealer"),
    Person("dan", "Dan Roe", "dealer"),
    Person("bo", "Bo Kerr", "boxperson"),
    Person("sam", "Sam Tate", "security_officer"),
    Person("kit", "Kit Abbot", "security_officer"),
    Person("sue", "Sue Vance", "security_supervisor", desk=True),
    Person("ann", "Ann Peel", "accounting_clerk"),
    Person("al", "Al Reyes", "accounting_supervisor", desk=True),
    Person("ida", "Ida Holt", "internal_auditor", desk=True),
    Person("cora", "Cora Benn", "compliance_representative", desk=True),
    Person("mel", "Mel Dale", "marketing_supervisor", desk=True),
    Person("max", "Max Ford", "marketing_clerk"),
)

PLACES: dict[str, dict[str, Any]] = {
    "dock": {"type": "dock", "name": "Receiving dock"},
    "vault": {"type": "storage", "use": "primary", "name": "Dice vault"},
    "pit1": {"type": "pit_stand", "name": "Pit 1 stand"},
    "pit2": {"type": "pit_stand", "name": "Pit 2 stand"},
    "cr1": {"type": "table", "game": "craps", "pit": "pit1", "name": "CR1"},
    "cr2": {"type": "table", "game": "craps", "pit": "pit1", "name": "CR2"},
    "cr3": {"type": "table", "game": "craps", "pit": "pit2", "name": "CR3"},
    "sb1": {"type": "table", "game": "sic_bo", "pit": "pit2", "name": "SB1"},
    "pg1": {"type": "table", "game": "pai_gow", "pit": "pit2", "name": "PG1"},
    "sec": {"type": "security", "name": "Security office"},
    "shred": {"type": "destruction", "name": "Destruction room"},
    "comm": {"type": "commission", "name": "Commission office"},
    "cards": {"type": "storage", "use": "primary", "name": "Card vault"},
    "tiles": {"type": "storage", "use": "tiles", "name": "Tiles store"},
    "coupons": {"type": "storage", "use": "coupons", "name": "Coupon store"},
    "mkt": {"type": "marketing", "name": "Marketing"},
    "acct": {"type": "accounting", "name": "Accounting"},
    "bj1": {"type": "table", "game": "blackjack", "pit": "pit1", "name": "BJ1"},
    "pt1": {"type": "table", "game": "pai_gow", "pit": "pit1", "name": "PT1"},
}

PERSON_IDS = {person.handle: f"p{n:02}" for n, person in enumerate(PEOPLE, 1)}
# A place's id is the code that hangs on its wall.
PLACE_IDS = {handle: codes.make("PL", n) for n, handle in enumerate(PLACES, 1)}


def setting() -> Setting:
    """Return the casino's setting: Maryland, dice inspected at the table (alternative 1)."""
    return check_setting(
        {
            "site": SITE,
            "name": "Harbor Demonstration Casino",
            "regime": "MD",
            "zone": ZONE,
            "day_starts": f"{DAY_STARTS:02}:00",
            "people": {PERSON_IDS[p.handle]: _person(n, p) for n, p in enumerate(PEOPLE, 1001)},
            "places": {PLACE_IDS[handle]: _place(entry) for handle, entry in PLACES.items()},
            "controls": {"dice_inspection": "alternative_1"},
        }
    )


def _person(number: int, person: Person) -> dict[str, Any]:
    return {"job": person.job, "name": person.name, "license": f"L-{number}"}


def _place(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "pit": PLACE_IDS[entry["pit"]]} if "pit" in entry else entry
