"""A real server in this process, for what Flask's test client cannot show."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from cheroot.wsgi import Server
from flask import Flask

from custody.ledger import devices
from custody.ledger.core import Ledger
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
