"""Devices in the hands of people: Chromium with a profile that survives a restart."""

import io
import os
import re
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import BrowserContext, Error, Locator, Page, Playwright, expect

from tests.support.guard import Guard

# The shell is the same engine without the windows of a desktop, and so uses a third less processor.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
SCREENS = {"phone": (360, 640), "tablet": (800, 1280), "desktop": (1440, 900)}
# Chromium's sandbox does not work for root, and /dev/shm is small in containers.
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
PATIENCE_MS = 60_000  # with a busy machine: nothing is shown by how soon a page does something
expect.set_options(timeout=PATIENCE_MS)
COLOURS = 64  # of a saved picture, which is kept small
PICTURES = Path(__file__).parents[2] / "docs" / "screens"


class Device:
    """One device: a browser with its own storage, and one page in front.

    `film` names a file for the fake camera (see `camera.film`). Everything the pages report is
    held by `guard`, which fails the test at its end.
    """

    def __init__(
        self,
        playwright: Playwright,
        profile: Path,
        origin: str,
        *,
        screen: str = "phone",
        film: Path | None = None,
        arguments: tuple[str, ...] = (),
        **options: Any,
    ):
        self.playwright, self.profile, self.origin = playwright, profile, origin
        self.screen, self.film, self.arguments, self.options = screen, film, arguments, options
        self.guards: list[Guard] = []
        self.cut = False
        self.start()

    def start(self) -> None:
        """Open the browser over the profile, as it was left."""
        width, height = SCREENS[self.screen]
        self.context: BrowserContext = self.playwright.chromium.launch_persistent_context(
            self.profile,
            executable_path=CHROMIUM,
            args=[*ARGUMENTS, *self._camera(), *self.arguments],
            viewport={"width": width, "height": height},
            has_touch=self.screen != "desktop",
            **{"locale": "en-US", "timezone_id": "America/New_York", **self.options},
        )
        self.guard = Guard(self.context, self.origin)
        self.guards.append(self.guard)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.pages[0]
        self.offline(self.cut)

    def open(self, path: str = "/h/") -> Page:
        self.page.goto(self.origin + path)
        return self.page

    def offline(self, cut: bool = True) -> None:
        """Cut the network of every page and worker, or give it back."""
        self.cut = cut
        if cut:
            self.guard.network_cut = True
        self.context.set_offline(cut)

    def enlarge(self, pixels: int = 32) -> None:
        """Let the browser's own text have another size than 16 pixels, as in its settings."""
        settings = self.context.new_cdp_session(self.page)
        settings.send("Page.enable")
        sizes = {"standard": pixels, "fixed": pixels}
        settings.send("Page.setFontSizes", {"fontSizes": sizes})

    def restart(self) -> None:
        """Close the browser and open it again."""
        self.context.close()
        self.start()

    def kill(self) -> None:
        """End the browser as an empty battery would (SIGKILL), and open it again."""
        self._end_processes()
        with suppress(Error):  # it may have noticed by now that there is nothing left to close
            self.context.close()
        for name in ("SingletonLock", "SingletonCookie", "SingletonSocket"):
            (self.profile / name).unlink(missing_ok=True)
        self.start()

    def wedge(self, code: str, *, prefix: str = "", suffix: str = "Enter") -> None:
        """Type `code` as a scanner does that acts as a keyboard: fast, with no field in focus."""
        self.page.keyboard.type(prefix + code, delay=2)
        if suffix:
            self.page.keyboard.press(suffix)

    def shot(self, name: str, part: Locator | None = None) -> None:
        """Save the screen as docs/screens/NAME-SCREEN.png when CUSTODY_SCREENS is set."""
        if os.environ.get("CUSTODY_SCREENS"):
            self._save(name, self.screen, part)

    def shots(self, name: str) -> None:
        """Save the screen at every size, as `shot` does for the device's own."""
        if not os.environ.get("CUSTODY_SCREENS"):
            return
        for screen, (width, height) in SCREENS.items():
            self.page.set_viewport_size({"width": width, "height": height})
            self._save(name, screen)
        width, height = SCREENS[self.screen]
        self.page.set_viewport_size({"width": width, "height": height})

    def _save(self, name: str, screen: str, part: Locator | None = None) -> None:
        taken = (part or self.page).screenshot(animations="disabled")
        file = PICTURES / f"{re.sub('[^a-z0-9]+', '-', name.lower())}-{screen}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        small = Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS)
        small.save(file, optimize=True)

    def close(self) -> None:
        self.context.close()

    def check(self) -> None:
        """Fail if any page of this device reported an error or left the origin."""
        for guard in self.guards:
            guard.check()

    def _end_processes(self) -> None:
        deadline = time.monotonic() + 60
        while running := _processes_of(self.profile):
            assert time.monotonic() < deadline, f"Chromium does not end: {running}"
            for process in running:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.05)

    def _camera(self) -> list[str]:
        if self.film is None:
            return []
        return [
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={self.film}",
        ]


def _processes_of(profile: Path) -> list[int]:
    """Return every process, the browser's helpers included, that was started over `profile`."""
    mark = f"--user-data-dir={profile}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
