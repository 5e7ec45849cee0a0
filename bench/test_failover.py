"""The primary is killed under load and its replica promoted: clients go on, nothing acknowledged
is lost (docs/deployment.md, "When the primary is gone").

Two `custody serve` processes on one database, handhelds that push and, when refused or cut off,
push the same again, as handhelds do.
"""

from __future__ import annotations

import hashlib
import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select

from bench import cluster, told
from bench.cluster import Postgres
from custody.commands.verify import faults_of
from custody.config import Config
from custody.ledger import devices, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from tests.support import cast
from tests.support.device import Device, SocketHttp
from tests.support.server import Server

SERVERS, HANDHELDS = 2, 6
EVENTS = 5  # of a push
BEFORE, AFTER = 10, 10  # pushes that each handheld gets acknowledged before and after
PATIENCE_S = 240


class Client:
    """A handheld that pushes until it is told to stop; `pushes` is how many were acknowledged."""

    def __init__(self, number: int, device: Device) -> None:
        self.number, self.device = number, device
        self.pushes = self.refused = 0
        self.failure: BaseException | None = None
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            while not self.stopping.is_set():
                self._record()
                while not self._pushed():
                    self.refused += 1
                    time.sleep(0.2)
        except BaseException as error:
            self.failure = error
            raise

    def _record(self) -> None:
        for _ in range(EVENTS):
            code = f"D{self.number}-{len(self.device.log) + 1:05}"
            self.device.record("receive", **cast.receive(code))

    def _pushed(self) -> bool:
        try:
            answer = self.device.push()
        except (OSError, http.client.HTTPException):
            return False
        assert answer.status in (200, 503), answer.body
        self.pushes += answer.status == 200
        return answer.status == 200


def until(clients: list[Client], pushes: int) -> None:
    """Wait until each client had so many pushes acknowledged."""
    deadline = time.monotonic() + PATIENCE_S
    while min(client.pushes for client in clients) < pushes:
        assert time.monotonic() < deadline, "the clients did not go on"
        assert all(client.failure is None for client in clients)
        time.sleep(0.05)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What is undone when the test ends, however it ends."""
    with ExitStack() as made:
        yield made


def started(stack: ExitStack, server: Postgres) -> Postgres:
    stack.callback(server.stop)
    return server.start()


def test_nothing_acknowledged_is_lost_when_the_primary_is_killed(
    stack: ExitStack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = cluster.new_folder()
    stack.callback(cluster.remove, folder)
    primary = started(stack, Postgres(folder / "a").found())
    replica = started(stack, Postgres(folder / "b").copy(primary))
    primary.set(cluster.SYNCHRONOUS)
    primary.wait_for_replica()
    third = Postgres(folder / "c")
    stack.callback(third.stop)  # after the servers: their last commit waits for it
    primary.create("custody")
    config = Config(tmp_path / "data", cluster.url("custody", primary, replica))
    found(config, check_setting(cast.setting()))
    clients = enrolled(stack, config)
    until(clients, BEFORE)
    killed = time.monotonic()
    primary.kill()
    before = max(client.pushes for client in clients)
    replica.promote()
    until(clients, before + 1)
    outage = time.monotonic() - killed
    third.copy(replica).start()
    replica.set(cluster.SYNCHRONOUS)
    replica.wait_for_replica()
    until(clients, before + AFTER)
    for client in clients:
        client.stopping.set()
    for client in clients:
        client.thread.join()
    ledger = open_ledger(Config(config.data, cluster.url("custody", replica)))
    stack.callback(ledger.close)
    figures = {
        "synchronous_commit": "on, with one synchronous streaming replica, fsync on",
        "servers": SERVERS,
        "handhelds": HANDHELDS,
        "events_acknowledged": sum(client.device.acked for client in clients),
        "pushes_tried_again": sum(client.refused for client in clients),
        "seconds_until_all_went_on": round(outage, 1),
        "acknowledged_and_lost": sum(missing(ledger, client.device) for client in clients),
        "faults": faults_of(ledger),
    }
    with capsys.disabled():
        print("\n" + told.write("failover", figures))
    assert (figures["acknowledged_and_lost"], figures["faults"]) == (0, [])
    assert figures["pushes_tried_again"], "the primary was killed while the clients pushed"


def enrolled(stack: ExitStack, config: Config) -> list[Client]:
    """Start the servers, and handhelds that push to them."""
    servers = [
        Server("serve", config.data, "--database", config.database_url) for _ in range(SERVERS)
    ]
    for server in servers:
        stack.callback(server.start().stop)
    ledger = open_ledger(config)
    clients = []
    for number in range(HANDHELDS):
        device = Device(SocketHttp("127.0.0.1", servers[number % SERVERS].port))
        assert device.enrol(devices.new_code(ledger)).status == 201
        clients.append(Client(number, device))
    ledger.close()
    for client in clients:
        client.thread.start()
    return clients


def missing(ledger: Ledger, device: Device) -> int:
    """Return how many events that were acknowledged to a device are not in the ledger as sent."""
    table = tables.event.c
    query = select(table.seq, table.id).where(table.device == device.id, table.branch == 1)
    with ledger.database.reading() as connection:
        kept = {row.seq: row.id for row in connection.execute(query)}
    sent = {n: hashlib.sha256(line).hexdigest() for n, line in enumerate(device.log, 1)}
    return sum(kept.get(seq) != sent[seq] for seq in range(1, device.acked + 1))
