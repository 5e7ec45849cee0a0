"""The cast of the desk's tests: a small Maryland casino, its people, and two days of its dice.

Everything in the ledger got there as in life: by events, judged by the rules and signed.
"""

import datetime
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from custody import config
from custody.ledger import accounts, desk, founding, setting
from custody.ledger.core import Ledger

ZONE = ZoneInfo("America/New_York")
PASSWORD = "a plain sentence of five words"
PEOPLE: dict[str, Any] = {
    "ada": {"job": "administrator", "name": "Ada Quill"},
    "bea": {"job": "accounting_supervisor", "name": "Bea Long"},
    "carl": {"job": "accounting_clerk", "name": "Carl Ash"},
    "iris": {"job": "internal_auditor", "name": "Iris Vale"},
    "cora": {"job": "compliance_representative", "name": "Cora Stone"},
    "sue": {"job": "security_supervisor", "name": "Sue Hart"},
    "sam": {"job": "security_officer", "name": "Sam Reed"},
    "fay": {"job": "floorperson", "name": "Fay Moss", "license": "MD-1234"},
    "gus": {"job": "floorperson", "name": "Gus Field"},
    "pam": {"job": "pit_manager", "name": "Pam Brook"},
    "ash": {"job": "assistant_shift_manager", "name": "Ash Lake"},
    "dee": {"job": "dealer", "name": "Dee Wood"},
}
WITH_DESK = [id_ for id_ in PEOPLE if id_ != "dee"]
PLACES: dict[str, Any] = {
    "dock": {"type": "dock"},
    "vault": {"type": "storage", "use": "primary", "locks": ["security", "table_games"]},
    "annex": {"type": "storage", "use": "secondary", "approved": False},
    "pit1": {"type": "pit_stand"},
    "CR1": {"type": "table", "game": "craps", "pit": "pit1"},
    "CR2": {"type": "table", "game": "craps", "pit": "pit1"},
    "sec": {"type": "security"},
    "shred": {"type": "destruction"},
    "comm": {"type": "commission"},
}
SETTING = {
    "site": "harbor",
    "name": "Harbor Casino",
    "regime": "MD",
    "zone": "America/New_York",
    "day_starts": "06:00",
    "people": PEOPLE,
    "places": PLACES,
    "controls": {"designs": "approved", "dice_inspection": "alternative_1"},
}
NOW = "2026-12-02T14:00"
LOOK = {"instruments": ["micrometer", "balancing_caliper", "steel_square", "magnet"]}
BEFORE = {"when": "before_play", "result": "pass", **LOOK}
STEPS: list[dict[str, Any]] = [
    {
        "at": "2026-12-01T07:00",
        "step": "receive",
        "kind": "dice",
        "form": "stick",
        "attributes": {"size": 5, "games": ["craps"], "colour": "red"},
        "items": ["D5-001..D5-010"],
        "to": "dock",
        "with": {"supplier": "dice maker", "invoice": "INV-1", "invoiced": 10, "seals": "intact"},
        "by": ["fay", "sam"],
    },
    {
        "at": "2026-12-01T07:25",
        "step": "store",
        "items": ["D5-001..D5-010"],
        "to": "vault",
        "by": ["fay", "sam"],
    },
    {
        "at": "2026-12-01T08:00",
        "step": "issue",
        "items": ["D5-001..D5-003"],
        "to": "pit1",
        "by": ["fay", "sam", "pam"],
    },
    {
        "at": "2026-12-01T08:10",
        "step": "issue",
        "items": ["D5-001", "D5-002"],
        "to": "CR1",
        "by": ["fay"],
    },
    {
        "at": "2026-12-01T08:15",
        "step": "inspect",
        "items": ["D5-001", "D5-002"],
        "with": BEFORE,
        "by": ["fay", "dee"],
    },
    {
        "at": "2026-12-01T08:20",
        "step": "play",
        "items": ["D5-001", "D5-002"],
        "where": "CR1",
        "with": {"vessel": "cup"},
        "by": ["fay", "dee"],
    },
    {
        "at": "2026-12-02T04:00",
        "step": "remove",
        "items": ["D5-001"],
        "with": {"reason": "end_of_day"},
        "by": ["fay", "dee"],
    },
    {
        "at": "2026-12-02T04:10",
        "step": "inspect",
        "items": ["D5-001"],
        "with": {"when": "end_of_day", "result": "pass"},
        "by": ["gus"],
    },
    {
        "at": "2026-12-02T04:15",
        "step": "pack",
        "items": ["D5-001"],
        "to": "pit1",
        "into": "EV-001",
        "with": {"purpose": "used", "table": "CR1", "seal": "S-0001", "label": True},
        "by": ["dee", "fay"],
    },
    {
        "at": "2026-12-02T09:00",
        "step": "store",
        "items": ["D5-003"],
        "to": "vault",
        "with": {"fact": {"why": "found", "at": "2026-12-02T08:45"}},
        "by": ["fay"],
    },
]


class Clock:
    """The server's clock, set by the test."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def instant(local: str) -> int:
    """Return a wall-clock time at the casino in UTC ms."""
    moment = datetime.datetime.fromisoformat(local).replace(tzinfo=ZONE)
    return int(moment.timestamp() * 1000)


def found(folder: Path) -> None:
    """Make the casino's ledger in a folder.

    With its two days and a password for everyone with a desk.
    """
    clock = Clock(instant("2026-12-01T06:30"))
    made = setting.read_setting(json.dumps(SETTING).encode())
    founding.found(config.load(folder), made, clock)
    ledger = Ledger(config.load(folder), clock)
    for step in STEPS:
        take(ledger, clock, step)
    clock.now = instant(NOW)
    for id_ in WITH_DESK:
        accounts.spend_link(ledger, accounts.new_link(ledger, id_), PASSWORD)
    ledger.close()


def take(ledger: Ledger, clock: Clock, step: dict[str, Any]) -> Any:
    """Take one step of the story at its time."""
    draft = {name: value for name, value in step.items() if name not in ("by", "at")}
    fact = draft.get("with", {}).get("fact")
    if fact:
        draft["with"] = {**draft["with"], "fact": {**fact, "at": instant(fact["at"])}}
    clock.now = instant(step["at"])
    return desk.record_at_desk(ledger, draft, [{"person": id_} for id_ in step["by"]])
