"""A casino as an operator founds it: `custody init` on a setting file, and nobody signs on yet."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from custody.demo.signons import SignOn
from custody.rules import codes
from tests.faults.forge import Forked
from tests.support.casino import Casino, forge
from tests.support.server import custody

# Sign-in name, name, job, PIN.
PEOPLE = (
    ("ada", "Ada Quill", "administrator", ""),
    ("fay", "Fay Moss", "floorperson", "274918"),
    ("gus", "Gus Hale", "floorperson", "830264"),
    ("pam", "Pam Ortiz", "pit_manager", "519370"),
    ("dee", "Dee Lind", "dealer", "462085"),
    ("sam", "Sam Tate", "security_officer", "705193"),
    ("sue", "Sue Vance", "security_supervisor", "938417"),
)
DESKS = {"ada": "harbour lantern forty two", "sue": "velvet anchor seventy one"}
PLACES: tuple[dict[str, Any], ...] = (
    {"type": "dock", "name": "Receiving dock"},
    {"type": "storage", "use": "primary", "name": "Dice vault"},
    {"type": "pit_stand", "name": "Pit 1 stand"},
    {"type": "table", "game": "craps", "pit": codes.make("PL", 3), "name": "CR1"},
    {"type": "table", "game": "craps", "pit": codes.make("PL", 3), "name": "CR2"},
    {"type": "security", "name": "Security office"},
    {"type": "destruction", "name": "Destruction room"},
)
SETTING = {
    "site": "oak",
    "name": "Oak Casino",
    "regime": "MD",
    "zone": "America/New_York",
    "day_starts": "06:00",
    "people": {handle: {"name": name, "job": job} for handle, name, job, _ in PEOPLE},
    "places": {codes.make("PL", n): place for n, place in enumerate(PLACES, 1)},
    "controls": {"dice_inspection": "alternative_1"},
}
PLACE_CODES = {str(place["name"]): codes.make("PL", n) for n, place in enumerate(PLACES, 1)}


class House(Casino):
    """A founded casino; `people` holds the badge and PIN that each is still to be given.

    `welcome` is the path of the first administrator's one-time link.
    """

    def __init__(self, folder: Path):
        Forked.__init__(self, forge(), folder / "data")
        self.people = {handle: _sign_on(n, *one) for n, (handle, *one) in enumerate(PEOPLE, 1)}
        setting = folder / "setting.json"
        setting.write_text(json.dumps(SETTING))
        said = custody("init", "--setting", str(setting), data=self.data)
        self.welcome = re.sub(r"^https?://[^/]+", "", said.strip())


def _sign_on(number: int, name: str, job: str, pin: str) -> SignOn:
    handle = PEOPLE[number - 1][0]
    badge = codes.make("BD", 58_213_904_417_000 + number)
    return SignOn(handle, name, job, badge, pin, DESKS.get(handle))
