"""A real server in this process, for what Flask's test client cannot show."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cheroot.wsgi import Server
from flask import Flask

from custody.ledger import devices
from custody.ledger.core import Ledger
from tests.support import nodes, postgres
from tests.support.device import Device, SocketHttp


@pytest.fixture
def served(app: Flask, ledger: Ledger) -> Iterator[Device]:
    """An enrolled device that speaks to a real server over a socket."""
    server = Server(("127.0.0.1", 0), app)
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    made = Device(SocketHttp("127.0.0.1", server.bind_addr[1]))
    assert made.enrol(devices.new_code(ledger)).status == 201
    yield made
    server.stop()
    thread.join()


@pytest.fixture
def casinos(
    founded_nodes: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[nodes.Casinos]:
    """An upstream and two nodes, of which nothing has happened yet: on SQLite, unless a test asks
    for `nodes.MIXED` or `nodes.POSTGRESQL`.
    """
    kind = getattr(request, "param", nodes.SQLITE)
    shutil.copytree(founded_nodes, tmp_path / "casinos")
    if kind == nodes.SQLITE:
        made = nodes.Casinos(tmp_path / "casinos")
        yield made
        made.close()
        return
    server = request.getfixturevalue("postgres_server")
    originals = request.getfixturevalue("carried_nodes")
    urls = {name: postgres.new_name(server) for name in nodes.ON_POSTGRESQL[kind]}
    for name, url in urls.items():
        postgres.copy_database(server, originals[name], url)
    made = nodes.Casinos(tmp_path / "casinos", urls)
    yield made
    made.close()
    for url in urls.values():
        postgres.drop_database(server, url)
