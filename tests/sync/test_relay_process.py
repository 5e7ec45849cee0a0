"""A site node as a process of its own, its upstream as another, and the way between them cut."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from custody.config import Config
from custody.ledger import devices
from custody.ledger.core import open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from tests.support import cast
from tests.support.device import Device, SocketHttp
from tests.support.pictures import name_of, picture
from tests.support.server import Server, custody

PATIENCE_S = 60


def founded(folder: Path) -> Path:
    """Make a ledger from the shared cast; return its data folder."""
    data = folder / "data"
    found(Config(data, f"sqlite:///{data / 'custody.db'}"), check_setting(cast.setting()))
    return data


def config_of(server: Server) -> Config:
    """Return the configuration of a server on SQLite."""
    return Config(server.data, f"sqlite:///{server.data / 'custody.db'}")


def code_of(server: Server, config: Config | None = None) -> str:
    ledger = open_ledger(config or config_of(server))
    code = devices.new_code(ledger)
    ledger.close()
    return code


def enrolled(server: Server, config: Config | None = None) -> Device:
    address = urlsplit(server.url)
    device = Device(SocketHttp(str(address.hostname), int(address.port or 0)))
    assert device.enrol(code_of(server, config)).status == 201
    return device


def upstream_of(node: Server) -> dict[str, Any]:
    with urllib.request.urlopen(f"{node.url}/health") as answer:
        return dict(json.load(answer)["upstream"])


def has_tried(node: Server) -> bool:
    """Say whether a node heard anything of its upstream, good or bad."""
    told = upstream_of(node)
    return bool(told.get("error") or told.get("last_contact"))


def wait_until(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not found():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)


def test_a_node_works_through_an_outage_and_its_upstream_verifies_the_floor(
    tmp_path: Path,
) -> None:
    upstream = Server("serve", founded(tmp_path / "up")).start()
    arguments = ("--upstream", upstream.url, "--upstream-code", code_of(upstream))
    node = Server("serve", tmp_path / "node" / "data", *arguments)
    try:
        node.start()
        wait_until(lambda: upstream_of(node)["state"] == "in-step")
        upstream.kill()
        device = enrolled(node)
        content = picture()
        fields = {**cast.receive("D5-001"), "by": ["fay", "sam"]}
        fields["with"] = {**fields["with"], "photos": [name_of(content)]}
        device.record("receive", **fields)
        assert device.push().json["acked"] == 1
        assert device.call("PUT", f"/sync/v1/blobs/{name_of(content)}", content).status == 201
        wait_until(lambda: upstream_of(node)["state"] == "cut-off")
        assert upstream_of(node)["lag"] >= 2
        node.kill()
        node.start()
        upstream.start()
        wait_until(lambda: upstream_of(node)["state"] == "in-step" and not upstream_of(node)["lag"])
        there = enrolled(upstream)
        there.pull()
        assert there.item("D5-001")["last"] == [device.head()]
        wait_until(lambda: there.call("GET", f"/sync/v1/blobs/{name_of(content)}").status == 200)
        assert "all holds" in custody("verify", data=upstream.data)
    finally:
        node.stop()
        upstream.stop()
