"""An upstream and its site nodes in one process, wired to each other without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from custody.app import create_app
from custody.config import Config
from custody.ledger import devices, moving, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.database import Database
from custody.ledger.founding import found
from custody.ledger.reading import exceptions
from custody.ledger.rebuilding import digest, replay
from custody.ledger.scope import Scope
from custody.ledger.setting import check_setting
from custody.ledger.upstream import taking_over
from custody.ledger.upstream.names import EXTENSION
from custody.ledger.work import Work
from custody.sync.relay.http import Answer, Unreachable
from custody.sync.relay.node import EXPECTED
from custody.sync.relay.starting import SiteNode, found_from
from tests.support import cast, device, postgres
from tests.support.device import Device, FlaskHttp


class Wan:
    """The way from a node to its upstream: it can be cut, before a request or after it."""

    def __init__(self, app: Flask) -> None:
        self.http = FlaskHttp(app)
        self.is_cut = False
        self.loses_answers = False
        self.asked: list[tuple[str, str]] = []

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        if self.is_cut:
            raise Unreachable("the network is down")
        self.asked.append((method, path))
        found = self.reach(method, path, headers, body)
        if self.loses_answers:
            raise Unreachable("the answer was lost")
        return Answer(*found)

    def reach(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> device.Answer:
        return self.http.request(method, path, headers, body)


class Server:
    """One server in this process: its ledger and its application."""

    def __init__(self, ledger: Ledger, app: Flask | None = None) -> None:
        self.ledger = ledger
        self.app = app or create_app(ledger.config, ledger)
        self.app.extensions["custody"] = ledger
        self.app.extensions.pop(EXTENSION, None)

    def device(self, name: str = "Tablet") -> Device:
        made = Device(FlaskHttp(self.app))
        made.site = self.ledger.site
        assert made.enrol(devices.new_code(self.ledger), name).status == 201
        return made

    def move(self, device: Device, *, keep_records: bool = False) -> None:
        """Carry a device here: it syncs with this server from now on, whose cursors it begins."""
        device.http = FlaskHttp(self.app)
        device.cursor = ""
        if not keep_records:
            device.records = {}

    def record(self, of: str, id_: str) -> Any:
        with self.ledger.database.reading() as connection:
            return Work(connection).get(of, id_)

    def digest(self) -> str:
        with self.ledger.database.reading() as connection:
            return Scope().digest(connection)

    def scope(self) -> dict[tuple[str, str], str]:
        with self.ledger.database.reading() as connection:
            return taking_over.scope(connection)

    def exceptions(self) -> list[tuple[str, list[str]]]:
        return sorted((one["kind"], one["items"]) for one in exceptions.listed(self.ledger))

    def events(self) -> dict[tuple[str, int, int, int], str]:
        table = tables.event.c
        query = select(table.device, table.run, table.branch, table.seq, table.id)
        with self.ledger.database.reading() as connection:
            return {tuple(row[:4]): row[4] for row in connection.execute(query)}

    def is_rebuilt_the_same(self) -> bool:
        """Say whether the log makes the same projections again."""
        with self.ledger.database.writing() as connection:
            kept = digest(connection)
            replay(connection)
            return kept == digest(connection)


class NodeServer(Server):
    """A site node; `wan` is its way to the upstream."""

    def __init__(
        self, ledger: Ledger, wan: Wan, code: str | None, app: Flask | None = None
    ) -> None:
        super().__init__(ledger, app)
        self.wan = wan
        self.node = SiteNode(ledger, "http://upstream", code, lambda _url: wan)
        self.app.extensions[EXTENSION] = self.node

    def sync(self, rounds: int = 3) -> None:
        """Do rounds, as the background does, until there is nothing more to do."""
        for _ in range(rounds):
            if not self.node.once():
                return

    def try_to_sync(self) -> None:
        try:
            self.sync()
        except EXPECTED:
            return

    @property
    def status(self) -> dict[str, Any]:
        return dict(json.loads(self.app.test_client().get("/health").data)["upstream"])


def never(device: str) -> None:
    raise AssertionError(f"{device} was not approved at once")


def node_of(upstream: Server, folder: Path, database: str | None = None) -> NodeServer:
    """Found a new node from its upstream, on SQLite unless a database is given."""
    config = _config(folder)
    config = Config(config.data, database or config.database_url)
    wan = Wan(upstream.app)
    found_from(config, "http://upstream", devices.new_code(upstream.ledger), wan, never)
    return NodeServer(open_ledger(config), wan, None)


APPS: dict[str, Flask] = {}  # made once, each for one ledger after the other
UPSTREAM, NODES = "upstream", ("a", "b")
NAMES = (UPSTREAM, *NODES)
SQLITE, MIXED, POSTGRESQL = "sqlite", "mixed", "postgresql"  # all, the nodes alone, or none
ON_POSTGRESQL = {SQLITE: (), MIXED: (UPSTREAM,), POSTGRESQL: NAMES}  # on PostgreSQL, of each kind
on_each = pytest.mark.parametrize("casinos", list(ON_POSTGRESQL), indirect=True)


class Casinos:
    """An upstream with two nodes, `a` and `b`, that have pulled once.

    `urls` are the databases of those servers that are not on SQLite.
    """

    def __init__(self, folder: Path, urls: Mapping[str, str] | None = None) -> None:
        self.folder, self.urls = folder, dict(urls or {})
        upstream = open_ledger(self.config(UPSTREAM))
        self.upstream = Server(upstream, APPS.get(UPSTREAM))
        APPS[UPSTREAM] = self.upstream.app
        self.a, self.b = (self._node(name) for name in NODES)

    def config(self, name: str) -> Config:
        return _config(self.folder / name, self.urls.get(name))

    def wan(self, _name: str) -> Wan:
        """Return a node's way to the upstream, as it starts."""
        return Wan(self.upstream.app)

    def _node(self, name: str) -> NodeServer:
        ledger = open_ledger(self.config(name))
        made = NodeServer(ledger, self.wan(name), None, APPS.get(name))
        APPS[name] = made.app
        return made

    @property
    def servers(self) -> tuple[Server, NodeServer, NodeServer]:
        return self.upstream, self.a, self.b

    def server(self, name: str) -> Server:
        found: Server = getattr(self, name)
        return found

    def settle(self) -> None:
        """Let every node relay and pull until all have heard of all."""
        for _ in range(2):
            self.a.sync(6)
            self.b.sync(6)

    def restart(self, name: str) -> NodeServer:
        """Start a node's process anew: what it knew beside its ledger is gone."""
        self.server(name).ledger.close()
        setattr(self, name, self._node(name))
        return getattr(self, name)  # type: ignore[no-any-return]  # a or b

    def restart_upstream(self) -> None:
        self.upstream.ledger.close()
        self.upstream = Server(open_ledger(self.config(UPSTREAM)), self.upstream.app)

    def close(self) -> None:
        for server in self.servers:
            server.ledger.close()


def make(folder: Path) -> None:
    """Found an upstream and two nodes of it, on SQLite, in folders that are only copied."""
    config = _config(folder / UPSTREAM)
    found(config, check_setting(cast.setting()))
    upstream = Server(open_ledger(config))
    for name in NODES:
        code, wan = devices.new_code(upstream.ledger), Wan(upstream.app)
        found_from(_config(folder / name), "http://upstream", code, wan, never)
    casinos = Casinos(folder)
    casinos.settle()
    casinos.close()
    upstream.ledger.close()


def carry_over(folder: Path, server: str) -> dict[str, str]:
    """Carry the databases of `make` over to PostgreSQL; return the URL of each server's there."""
    urls = {name: postgres.new_database(server) for name in NAMES}
    for name, url in urls.items():
        source, target = Database(_config(folder / name).database_url), Database(url)
        with source.reading() as connection:
            moving.fill(connection, target)
        source.close()
        target.close()
    return urls


def _config(folder: Path, database: str | None = None) -> Config:
    folder.mkdir(exist_ok=True)
    return Config(folder / "data", database or f"sqlite:///{folder / 'custody.db'}")
