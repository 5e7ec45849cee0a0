"""A casino under test: one ledger, its real server, and devices that each have a way to it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from custody.commands.verify import faults_of
from custody.config import Config
from custody.ledger import devices
from custody.ledger.core import Ledger, now_ms, open_ledger
from custody.ledger.rebuilding import digest, rebuild
from tests.faults.forge import Forge, Forked
from tests.faults.proxy import Link
from tests.support.client import Client
from tests.support.device import SocketHttp

PATIENCE = 60.0  # seconds a device waits for an answer that a fault does not hold back


class Site:
    """`server` serves `config`; it is not started yet. What is made here ends with `close`."""

    def __init__(self, forge: Forge, folder: Path, config: Config) -> None:
        self.folder, self.config = folder, config
        own = config.database_url == f"sqlite:///{config.data / 'custody.db'}"
        self.server = Forked(forge, config.data, "" if own else config.database_url)
        self.clients: list[Client] = []
        self.links: list[Link] = []
        self._ledger: Ledger | None = None

    @property
    def ledger(self) -> Ledger:
        """The ledger, opened beside the server as the commands open it."""
        if self._ledger is None:
            self._ledger = open_ledger(self.config)
        return self._ledger

    def leave(self) -> None:
        """Close the ledger here, so that somebody may replace it."""
        if self._ledger is not None:
            self._ledger.close()
        self._ledger = None

    def code(self) -> str:
        return devices.new_code(self.ledger)

    def client(self, clock: Callable[[], int] = now_ms) -> Client:
        """Return a new device, enrolled, behind a link of its own."""
        made = self.blank(clock)
        outcome = made.enrol(self.code())
        assert outcome.status == 201, outcome
        return made

    def blank(self, clock: Callable[[], int] = now_ms) -> Client:
        """Return a device that has not enrolled yet."""
        return self.reopen(self.folder / f"device-{len(self.clients)}.db", clock)

    def reopen(self, disk: Path, clock: Callable[[], int] = now_ms) -> Client:
        """Return a device with a given disk: what it becomes when its app starts again, or a
        clone.
        """
        link = Link(self.server.port)
        made = Client(SocketHttp("127.0.0.1", link.port, PATIENCE), disk, clock)
        self.clients.append(made)
        self.links.append(link)
        return made

    def link(self, client: Client) -> Link:
        return next(
            link for one, link in zip(self.clients, self.links, strict=True) if one is client
        )

    def clone(self, client: Client) -> Client:
        """Return a second device with a copy of a device's disk."""
        copy = self.folder / f"device-{len(self.clients)}.db"
        shutil.copyfile(client.disk.path, copy)
        return self.reopen(copy, client.clock)

    def assert_sound(self) -> None:
        """Assert that chains, signatures, tree and projections hold, and that a rebuild agrees."""
        assert faults_of(self.ledger) == []
        with self.ledger.database.reading() as connection:
            kept = digest(connection)
        assert rebuild(self.ledger) == kept

    def close(self) -> None:
        for client in self.clients:
            client.close()
        for link in self.links:
            link.close()
        self.leave()
        self.server.kill()
