"""An upstream, two site nodes and handhelds in one process, with the ways between them spoilt.

A server ends at the commit of a transaction (`death`). Or it is killed, as a process of its own,
anywhere on the way of a push, a relay or a page (`striking`): alone, and the others go on, or all
three at once. What it knew beside its database is gone either way.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from custody.ledger import devices, log_acts, reserving
from custody.ledger.core import now_ms
from custody.ledger.errors import SettingError
from custody.ledger.log.errors import NotStopped, Stopped
from custody.ledger.upstream.introducing import run_key
from custody.sync.relay.node import EXPECTED
from tests.faults import striking
from tests.faults.death import Killed
from tests.faults.striking import Died, strike
from tests.faults.ways import TownWan, Way
from tests.support.client import Client
from tests.support.device import Answer, FlaskHttp
from tests.support.nodes import NAMES, UPSTREAM, Casinos, NodeServer, Wan
from tests.support.restoring import put_back, take_copy

ADA = [{"person": "ada", "how": "password"}]
Found = TypeVar("Found")


class Dice:
    """Stands for `secrets` where devices are named, so that a seed's run is the same each time."""

    def __init__(self, seed: str) -> None:
        self._rng = Random(seed)
        self.choice = self._rng.choice

    def token_hex(self, size: int) -> str:
        return self._rng.randbytes(size).hex()


class Town(Casinos):
    """The three servers, and the handhelds among them. `clients` is what `Actor` asks of a site."""

    def __init__(self, folder: Path, urls: Mapping[str, str] | None = None) -> None:
        self.wans: dict[str, TownWan] = {}
        self.clients: list[Client] = []
        self.ways: list[Way] = []
        self.kills = 0
        self.struck = Counter[str]()  # by the point, how often
        self.point = ""  # where the next process to come there is killed
        self.victim = ""  # the server that is killed there alone; none for all three
        self.ask_upstream: Callable[[Any], Any] = self._answer
        super().__init__(folder, urls)

    def wan(self, name: str) -> Wan:
        return self.wans.setdefault(name, TownWan(self))

    # --- servers ---

    def ask(
        self,
        name: str,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> Answer:
        """Ask a server. Raises OSError when it is killed meanwhile; it starts again at once."""
        try:
            return self.perhaps_struck(
                name, lambda: FlaskHttp(self.server(name).app).request(method, path, headers, body)
            )
        except Died:
            raise OSError("the server was killed") from None
        except Killed:
            self.revive(name)
            raise OSError("the server was killed") from None

    def perhaps_struck(self, name: str, work: Callable[[], Found]) -> Found:
        """Do what a server does; in a process of its own where it is to be killed on the way.

        That starts again after it: the server alone, or all three. Raises Died.
        """
        if not self.point or self.victim not in ("", name):
            return work()
        point, alone = self.point, self.victim
        self.point = self.victim = ""
        names = [alone] if alone else NAMES
        for each in names:
            self.server(each).ledger.close()
        try:
            found: Found = strike(point, lambda ask: self._apart(work, names, ask), self._answer)
        except Died:
            self.struck[f"{point}, {alone or 'all'}"] += 1
            raise
        finally:
            self._open(names)
        return found

    def _apart(self, work: Callable[[], Found], names: Sequence[str], ask: striking.Ask) -> Found:
        """What the process does that is to be killed; elsewhere on its way it may be, as well."""
        if UPSTREAM not in names:
            self.ask_upstream = ask
        self._open(names)
        try:
            return work()
        except Killed:
            os.kill(os.getpid(), signal.SIGKILL)
            raise

    def _answer(self, asked: Any) -> tuple[Any, ...] | None:
        """Let the upstream answer a node; None where it was killed meanwhile."""
        try:
            return tuple(self.ask(UPSTREAM, *asked))
        except OSError:
            return None

    def _open(self, names: Sequence[str]) -> None:
        for name in names:
            if name == UPSTREAM:
                self.restart_upstream()
            else:
                self.restart(name)

    def revive(self, name: str) -> None:
        self.kills += 1
        if name == UPSTREAM:
            self.restart_upstream()
        else:
            self.restart(name)

    def sync(self, name: str, rounds: int = 1) -> bool:
        """Let a node do rounds, whatever comes of them. Returns whether all went well."""
        for _ in range(rounds):
            try:
                more = self.perhaps_struck(name, lambda: self._round(name))
            except Died:
                return False
            except Killed:
                self.revive(name)
                return False
            if not more:
                return more is False
        return False

    def _round(self, name: str) -> bool | None:
        """Do a round of a node; return whether there is more to do, None where it went wrong."""
        try:
            more: bool = self._node_of(name).node.once()
        except EXPECTED:
            return None
        return more

    def restart(self, name: str) -> NodeServer:
        """Start a node anew; it may be killed while it starts."""
        try:
            return super().restart(name)
        except Killed:
            self.kills += 1
            return super().restart(name)

    def print_labels(self, name: str, count: int) -> list[str]:
        """Print new labels at a server's desk; return their codes, [] where it has none to give.

        The log is signed soon after, as the background of a server does within two seconds.
        """
        ledger = self.server(name).ledger
        try:
            made = reserving.reserve(ledger, "DS", count, ADA)
            ledger.log.log.sign()
            return made
        except (SettingError, Stopped):
            return []
        except Killed:
            self.revive(name)
            return []

    def _node_of(self, name: str) -> Any:
        return self.server(name)

    def backup(self, name: str) -> str:
        return take_copy(self, name)

    def restore(self, name: str, copy: str) -> None:
        put_back(self, copy, name)

    def resume_logs(self) -> int:
        """Let each log that has stopped go on as the next one; return how many there were."""
        return sum(self._resumed(name) for name in NAMES)

    def _resumed(self, name: str) -> bool:
        try:
            log_acts.resume(self.server(name).ledger, "a backup was restored")
        except NotStopped:
            return False
        except Killed:
            self.revive(name)
            return self._resumed(name)
        return True

    # --- handhelds ---

    def client(self, at: str) -> Client:
        """Return a new handheld, enrolled at a server."""
        return self.add(self.folder / f"device-{len(self.clients)}.db", at)

    def add(self, disk: Path, at: str) -> Client:
        way = Way(self, at)
        made = Client(way, disk, now_ms)
        self.clients.append(made)
        self.ways.append(way)
        return made

    def way(self, client: Client) -> Way:
        return next(way for one, way in zip(self.clients, self.ways, strict=True) if one is client)

    def code(self, client: Client) -> str:
        """Return a code of the server that a handheld is near."""
        at = self.way(client).at
        try:
            return devices.new_code(self.server(at).ledger)
        except Killed:
            self.revive(at)
            return self.code(client)

    def is_known(self, client: Client, at: str) -> bool:
        """Say whether a server knows the run in which a handheld records."""
        with self.server(at).ledger.database.reading() as connection:
            return run_key(connection, client.id, client.run) is not None

    def close(self) -> None:
        for client in self.clients:
            client.close()
        super().close()
