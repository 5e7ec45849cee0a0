"""Handhelds that were enrolled before the test began.

A handheld's first minute (the app put on the device, the enrolment, the first sign-on) costs more
than most tests have to do. So it is done once, for real, and each test goes on with copies of the
two folders that it left: the server's data, and the browser's profile.
"""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Playwright

from tests.browser.handheld import Handheld
from tests.support.browser import Device
from tests.support.casino import Casino, Templates

Prepared = tuple[Callable[[Handheld], object], ...]  # what was done with a handheld, in turn
_LOCKS = shutil.ignore_patterns("Singleton*")
# Ports that the system gives to nobody who asks for just any, and others for each process: what a
# browser keeps is kept for one port, which has to be free again for each test.
_PORTS = itertools.count(20_000 + os.getpid() % 600 * 20)


class Kit(NamedTuple):
    """The folders of a casino and of its handheld, and the port at which the handheld knows it."""

    data: Path
    profile: Path
    port: int


def enrolled(handheld: Handheld) -> None:
    handheld.enrol().reader_kept()


def signed_on(handheld: Handheld) -> None:
    """Fay is signed on, and the handheld shows its home."""
    handheld.sign_on("fay")


ENROLLED = (enrolled,)
SIGNED_ON = (*ENROLLED, signed_on)


class Kits:
    """Kits by what was done with the handheld; each is made when it is first asked for."""

    def __init__(self, folder: Path, templates: Templates, playwright: Playwright):
        self.folder, self.templates, self.playwright = folder, templates, playwright
        self.made: dict[Prepared, Kit] = {}

    def copy(self, target: Path, prepared: Prepared) -> Kit:
        """Return a copy, in a new folder, of what some steps in turn have left."""
        if prepared not in self.made:
            self.made[prepared] = self._make(prepared)
        kit = self.made[prepared]
        return _copied(kit, target)

    def _make(self, prepared: Prepared) -> Kit:
        target = Path(tempfile.mkdtemp(dir=self.folder))
        before, last = prepared[:-1], prepared[-1]
        kit = self.copy(target, before) if before else self._new(target)
        casino = Casino(kit.data, kit.port)
        casino.start()
        device = Device(self.playwright, kit.profile, casino.url)
        handheld = Handheld(device, casino)
        if before:
            handheld.begin()
        last(handheld)
        device.close()
        device.check()
        casino.stop()
        return kit

    def _new(self, target: Path) -> Kit:
        data = self.templates.copy(target / "data", history=False)
        return Kit(data, target / "profile", _port())


def _copied(kit: Kit, target: Path) -> Kit:
    shutil.copytree(kit.data, target / "data")
    shutil.copytree(kit.profile, target / "profile", ignore=_LOCKS, symlinks=True)
    return Kit(target / "data", target / "profile", kit.port)


def _port() -> int:
    while True:
        port = next(_PORTS)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
