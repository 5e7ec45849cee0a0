"""A casino of the demo's people and places, served by a real process, for one test alone."""

import datetime
import shutil
from pathlib import Path

from custody.demo import casino, signons
from custody.demo.signons import SignOn
from tests.support.server import Server, custody


class Casino(Server):
    """A running server; ``people["fay"]`` has the badge, PIN and password of one of the cast."""

    def __init__(self, data: Path, *arguments: str, **environment: str):
        super().__init__("serve", data, *arguments, **environment)
        self.people: dict[str, SignOn] = {one.handle: one for one in signons.load(data)}

    def code(self) -> str:
        """Return a new one-time code by which a handheld enrols."""
        return custody("device-code", data=self.data).splitlines()[0]


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
