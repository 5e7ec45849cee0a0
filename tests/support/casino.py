"""A casino of the demo's people and places, served by a real process, for one test alone."""

import atexit
import datetime
import functools
import shutil
from pathlib import Path

from custody.config import load
from custody.demo import casino, signons
from custody.demo.signons import SignOn
from custody.ledger import devices
from custody.ledger.core import open_ledger
from tests.faults.forge import Forge, Forked


@functools.cache
def forge() -> Forge:
    """What starts the servers of these tests: importing everything anew takes seconds each time."""
    made = Forge()
    atexit.register(made.close)
    return made


class Casino(Forked):
    """A running server; ``people["fay"]`` has the badge, PIN and password of one of the cast."""

    def __init__(self, data: Path, port: int = 0):
        super().__init__(forge(), data, port=port)
        self.people: dict[str, SignOn] = {one.handle: one for one in signons.load(data)}

    def code(self) -> str:
        """Return a new one-time code by which a handheld enrols."""
        ledger = open_ledger(load(self.data))
        try:
            return devices.new_code(ledger)
        finally:
            ledger.close()


class Templates:
    """Data folders made once and copied for each test, since making one takes seconds."""

    def __init__(self, folder: Path):
        self.folder = folder

    def copy(self, target: Path, *, history: bool) -> Path:
        template = self.folder / ("history" if history else "new")
        if not template.exists():
            now = datetime.datetime.now(datetime.UTC)
            casino.make(template, now, lambda _: None, history=history)
        shutil.copytree(template, target)
        return target
