"""A site in a fault run, on either database: founded, backed up, restored and revived."""

from __future__ import annotations

import shutil
from pathlib import Path

from custody.app import create_app
from custody.commands.verify import faults_of
from custody.config import Config
from custody.ledger import backups, devices, log_acts
from custody.ledger.core import open_ledger
from custody.ledger.log.errors import NotStopped
from tests.conftest import file_of
from tests.faults.forge import Forge
from tests.faults.site import Site
from tests.support import postgres
from tests.support.client import Client
from tests.support.device import FlaskHttp

MOST = 5  # devices of a run before any is lost or cloned


class Original:
    """A founded ledger and `MOST` devices that have enrolled and synced, all only to be copied.

    `server` is the URL of a PostgreSQL server; without one the ledger is on SQLite.
    """

    def __init__(self, folder: Path, founded: Config, server: str = "") -> None:
        self.folder, self.config, self.server = folder, founded, server
        ledger = open_ledger(founded)
        http = FlaskHttp(create_app(founded, ledger))
        for number in range(MOST):
            client = Client(http, folder / f"enrolled-{number}.db")
            assert client.enrol(devices.new_code(ledger)).status == 201
            client.close()
        for number in range(MOST):
            client = Client(http, folder / f"enrolled-{number}.db")
            assert client.sync() == ""
            client.close()
        ledger.close()


class World(Site):
    """A site over a copy of an original ledger and its devices."""

    def __init__(self, forge: Forge, folder: Path, original: Original) -> None:
        self._server = original.server
        server, made = original.server, original.config
        data = folder / "data"
        shutil.copytree(made.data, data)
        if server:
            url = postgres.new_name(server)
            postgres.copy_database(server, made.database_url, url)
        else:
            url = f"sqlite:///{data / 'custody.db'}"
            shutil.copy(file_of(made), data / "custody.db")
        super().__init__(forge, folder, Config(data, url))
        self._copies: list[str] = []
        for disk in sorted(original.folder.glob("enrolled-*.db")):
            shutil.copy(disk, folder)

    def device(self, number: int) -> Client:
        """Return one of the original's devices."""
        return self.reopen(self.folder / f"enrolled-{number}.db")

    def backup(self) -> str:
        """Take a backup, and return what `restore` takes: a folder, or a database's URL."""
        if self._server:
            self.server.stop()
            self.leave()
            copy = postgres.new_name(self._server)
            postgres.copy_database(self._server, self.config.database_url, copy)
            self._copies.append(copy)
            self.server.start()
            return copy
        target = self.folder / f"backup-{len(self._copies)}"
        self._copies.append(str(target))
        backups.take(self.config, target, faults_of)
        return str(target)

    def restore(self, copy: str) -> None:
        """Put a backup in the place of the ledger; the server is dead meanwhile."""
        self.server.kill()
        self.leave()
        if self._server:
            postgres.copy_database(self._server, copy, self.config.database_url)
        else:
            backups.restore(Path(copy), self.config, over=True)
        self.server.start()

    def resume(self) -> bool:
        """Let a log that has stopped go on as the next one; say whether it had stopped."""
        try:
            log_acts.resume(self.ledger, "a backup was restored")
        except NotStopped:
            return False
        return True

    def revive(self) -> bool:
        """Start the server again if it was killed; say whether it was."""
        if not self.server.is_dead():
            return False
        self.server.kill()
        self.server.start()
        return True

    def close(self) -> None:
        super().close()
        if self._server:
            for url in (self.config.database_url, *self._copies):
                postgres.drop_database(self._server, url)
