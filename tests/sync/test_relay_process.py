"""A site node as a process of its own, its upstream as another, and the way between them cut."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import select

from custody.config import Config
from custody.ledger import devices, tables
from custody.ledger.core import open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from tests.support import cast
from tests.support.client import Client
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


def way_to(server: Server) -> SocketHttp:
    address = urlsplit(server.url)
    return SocketHttp(str(address.hostname), int(address.port or 0))


def enrolled(server: Server, config: Config | None = None) -> Device:
    device = Device(way_to(server))
    assert device.enrol(code_of(server, config)).status == 201
    return device


def upstream_of(node: Server) -> dict[str, Any]:
    with urllib.request.urlopen(f"{node.url}/health") as answer:
        return dict(json.load(answer)["upstream"])


def events_of(server: Server, device: str) -> list[tuple[int, str]]:
    """Return run and id of each event of a device, however often it is stored."""
    ledger = open_ledger(config_of(server))
    table = tables.event.c
    query = select(table.run, table.id).where(table.device == device).order_by(table.run, table.seq)
    with ledger.database.reading() as connection:
        found = [(run, id_) for run, id_ in connection.execute(query)]
    ledger.close()
    return found


def has_tried(node: Server) -> bool:
    """Say whether a node heard anything of its upstream, good or bad."""
    told = upstream_of(node)
    return bool(told.get("error") or told.get("last_contact"))


def wait_until(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not found():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)


def note(client: Client) -> str:
    return client.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})


def test_a_node_works_through_an_outage_and_its_upstream_verifies_the_floor(
    tmp_path: Path,
) -> None:
    """Meanwhile a handheld that enrolled there is carried to the upstream, which knows nothing of
    it, is enrolled there too, and doubles nothing.
    """
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
        roaming = Client(way_to(node), tmp_path / "roaming.db")
        assert roaming.enrol(code_of(node)).status == 201
        note(roaming)
        assert roaming.sync(watch=False) == ""
        node.kill()
        upstream.start()
        roaming.http = way_to(upstream)
        note(roaming)
        assert roaming.sync(watch=False) in ("not-enrolled", "upstream-away")
        assert roaming.enrol(code_of(upstream)).status == 201
        note(roaming)
        assert roaming.sync(watch=False) == ""
        node.start()
        wait_until(lambda: upstream_of(node)["state"] == "in-step" and not upstream_of(node)["lag"])
        assert events_of(upstream, roaming.id) == [
            (one.run, one.id) for one in roaming.disk.events()
        ]
        there = enrolled(upstream)
        there.pull()
        assert there.item("D5-001")["last"] == [device.head()]
        wait_until(lambda: there.call("GET", f"/sync/v1/blobs/{name_of(content)}").status == 200)
        assert "all holds" in custody("verify", data=upstream.data)
    finally:
        node.stop()
        upstream.stop()
