"""Fixtures of the browser tests: Chromium, devices with their storage, servers with their data."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright, sync_playwright

from tests.browser import kits
from tests.browser.handheld import Handheld
from tests.support.browser import Device
from tests.support.casino import Casino, Templates
from tests.support.server import Server

OpenDevice = Callable[..., Device]
StartServer = Callable[..., Server]
HandOut = Callable[..., Handheld]


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    """Every server of the test; they end after the devices, which never see one go unasked."""
    started: list[Server] = []
    yield started
    for server in started:
        server.stop()


@pytest.fixture
def start_server(servers: list[Server]) -> StartServer:
    """Start servers: ``start_server("serve", data, "--tls-cert", ...)``; all end with the test."""

    def start(command: str, data: Path, *arguments: str, **environment: str) -> Server:
        servers.append(Server(command, data, *arguments, **environment).start())
        return servers[-1]

    return start


@pytest.fixture
def open_device(
    playwright: Playwright, servers: list[Server], tmp_path: Path
) -> Iterator[OpenDevice]:
    """Open devices: ``open_device(url, screen="tablet", film=path)``.

    The test fails at its end if a page of any of them reported an error, broke the content
    security policy, or sent a request to another origin; ``device.guard.allow(...)`` expects one.
    """
    opened: list[Device] = []

    def open_(origin: str, profile: Path | None = None, **options: Any) -> Device:
        profile = profile or tmp_path / f"profile-{len(opened)}"
        opened.append(Device(playwright, profile, origin, **options))
        return opened[-1]

    yield open_
    for device in opened:
        device.close()
    for device in opened:
        device.check()


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    return Templates(tmp_path_factory.mktemp("templates"))


@pytest.fixture(scope="session")
def all_kits(
    templates: Templates, playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> kits.Kits:
    return kits.Kits(tmp_path_factory.mktemp("kits"), templates, playwright)


@pytest.fixture
def hand_out(
    all_kits: kits.Kits, open_device: OpenDevice, servers: list[Server], tmp_path: Path
) -> HandOut:
    """Hand out the handheld of a new casino, to which something was done already.

    ``hand_out(kits.ENROLLED, screen="tablet")``: other options are a device's, but
    ``offline=True`` opens its app without a network.
    """

    def hand(
        prepared: kits.Prepared = kits.SIGNED_ON, *, offline: bool = False, **options: Any
    ) -> Handheld:
        kit = all_kits.copy(tmp_path / "kit", prepared)
        casino = Casino(kit.data, kit.port)
        servers.append(casino.start())
        device = open_device(casino.url, profile=kit.profile, **options)
        device.offline(offline)
        return Handheld(device, casino).begin()

    return hand


@pytest.fixture
def handheld(hand_out: HandOut) -> Handheld:
    """A handheld of a new casino, with Fay signed on; its `casino` runs."""
    return hand_out()


@pytest.fixture
def casino(templates: Templates, servers: list[Server], tmp_path: Path) -> Casino:
    """The demonstration casino with its last days, running."""
    started = Casino(templates.copy(tmp_path / "casino", history=True))
    servers.append(started.start())
    return started


@pytest.fixture
def new_casino(templates: Templates, servers: list[Server], tmp_path: Path) -> Casino:
    """The same people and places before the first delivery, running."""
    started = Casino(templates.copy(tmp_path / "new-casino", history=False))
    servers.append(started.start())
    return started


@pytest.fixture
def phone(open_device: OpenDevice, casino: Casino) -> Device:
    """A handheld of 360x640 at the running casino."""
    return open_device(casino.url, screen="phone")


@pytest.fixture
def tablet(open_device: OpenDevice, casino: Casino) -> Device:
    """A tablet of 800x1280 at the running casino."""
    return open_device(casino.url, screen="tablet")


@pytest.fixture
def desktop(open_device: OpenDevice, casino: Casino) -> Device:
    """A desk's browser of 1440x900 at the running casino."""
    return open_device(casino.url, screen="desktop")
