"""The commands as processes: serve, device-code beside it, and stopping in every way."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support import cast
from tests.support.device import Device, SocketHttp
from tests.support.server import Server, ServerError, custody


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A real `custody serve` over a new ledger on SQLite."""
    setting = tmp_path / "setting.json"
    setting.write_text(json.dumps(cast.setting()))
    data = tmp_path / "data"
    custody("init", "--setting", str(setting), data=data)
    running = Server("serve", data).start()
    yield running
    running.stop()


def enrolled(server: Server) -> Device:
    address = urlsplit(server.url)
    assert address.hostname is not None
    assert address.port is not None
    device = Device(SocketHttp(address.hostname, address.port))
    code = custody("device-code", data=server.data).splitlines()[0]
    assert device.enrol(code).status == 201
    return device


def health(server: Server) -> dict[str, object]:
    with urllib.request.urlopen(f"{server.url}/health") as answer:
        assert answer.status == 200
        return dict(json.load(answer))


def test_health_says_version_and_size(server: Server) -> None:
    told = health(server)
    assert told["size"] == 1
    assert told["version"]


def test_device_code_and_verify_work_while_it_serves(server: Server) -> None:
    device = enrolled(server)
    device.record("receive", **cast.receive("D5-001"))
    assert device.push().status == 200
    assert "all holds" in custody("verify", data=server.data)


def test_it_stops_by_sigterm_and_goes_on_where_it_was(server: Server) -> None:
    device = enrolled(server)
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    server.stop()
    assert server.process.returncode == 0
    server.start()
    device.pull()
    assert device.item("D5-001")["place"] == "dock"


def test_what_was_acknowledged_survives_a_kill(server: Server) -> None:
    device = enrolled(server)
    acked, done = 0, threading.Event()

    def push() -> None:
        nonlocal acked
        try:
            for n in range(400):
                device.record("receive", **cast.receive(f"D5-{n:03}"))
                acked = device.push().json["acked"]
                if n == 20:
                    done.set()
        except (OSError, ValueError):
            return

    pushing = threading.Thread(target=push)
    pushing.start()
    assert done.wait(60)
    server.kill()
    pushing.join()
    server.start()
    assert device.push(device.batch(1, min(len(device.log), 500))).json["acked"] >= acked >= 20
    assert "all holds" in custody("verify", data=server.data)


def test_a_port_that_is_taken_is_told(server: Server) -> None:
    second = Server("serve", server.data)
    second.port = server.port
    with pytest.raises(ServerError, match="cannot listen"):
        second.start()


def test_a_certificate_without_its_key_is_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "cert.pem"
    file.write_text("x")
    custody("serve", "--tls-cert", str(file), data=tmp_path, status=2)
